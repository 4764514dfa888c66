// SPDX-License-Identifier: MIT

/// A cache of ADAL for .NET and Xamarin as its app got it to keep, or as MSAL.NET left it.
///
/// ADAL and MSAL read only the schema that they write and take any other for an empty cache; one broken
/// row costs them all. Here the three schemas are read, each row for itself; those that cannot be read
/// have their reason. Where the bytes stop being rows, one more has it, in the place of all the rest.
///
/// Source: other-adals §2; `TokenCache.cs`, `AdalCacheOperations.cs`.
package struct DotNetBlob: Sendable {
  /// In the blob's order, which is that of a hash table and means nothing.
  package private(set) var tokens: [LegacyToken] = []
  package private(set) var unreadable: [UnreadableToken] = []
  /// 1 to 3; nil when there are no bytes at all, which MSAL.NET takes for an empty cache.
  package private(set) var schema: Int?
  /// The number of rows that the blob announces.
  package private(set) var announced = 0

  /// Bytes of a blob. The largest honest ones are shared by thousands of users.
  static let sizeLimit = 64 << 20
  /// The most rows of a cache. Even an empty row takes memory. Honest rows have 500 bytes or more.
  static let rowLimit = 100_000
  /// Bytes of one string. The longest honest ones are values with two tokens of a few thousand.
  private static let stringLimit = 1 << 20

  /// Reads all readable rows.
  ///
  /// - Throws: ``LegacyCacheError`` when nothing can: the bytes are of an unknown schema, protected, or
  ///   something else.
  package init(_ bytes: [UInt8]) throws(LegacyCacheError) {
    try self.init(bytes, in: nil)
  }

  /// Reads the blob that a keychain item holds.
  init(_ bytes: [UInt8], in item: LegacyPlace.KeychainKey?) throws(LegacyCacheError) {
    if bytes.isEmpty { return }
    var cursor = BlobCursor(bytes)
    let schema = try Self.schema(&cursor)
    self.schema = schema
    announced = try Self.count(&cursor)
    tokens.reserveCapacity(min(announced, bytes.count / 1024))
    var index = 0
    do throws(LegacyCacheError) {
      while index < announced {
        guard index < Self.rowLimit else { throw LegacyCacheError(.tooManyRows, at: cursor.offset) }
        let key = try cursor.string()
        let value = try cursor.string()
        read(DotNetRow(bytes: bytes, key: key, value: value, schema: schema), index, item)
        index += 1
      }
      guard cursor.isAtEnd else { throw LegacyCacheError(.trailingBytes, at: cursor.offset) }
    } catch {
      let key = LegacyPlace.RowKey(item: item, index: index)
      var rest = UnreadableToken(place: .row(key), error)
      if rest.isCutOff { rest.lostRows = announced - index }
      unreadable.append(rest)
    }
  }

  private mutating func read(
    _ row: DotNetRow, _ index: Int, _ item: LegacyPlace.KeychainKey?
  ) {
    let place = LegacyPlace.RowKey(item: item, index: index)
    var token = LegacyToken(place: .row(place), className: "", origin: .dotNet(schema: row.schema))
    do throws(LegacyCacheError) {
      for text in [row.key, row.value] where text.count > Self.stringLimit {
        throw LegacyCacheError(.tooLong, at: text.lowerBound)
      }
      try row.readKey(at: place, into: &token)
      try row.readValue(into: &token)
      tokens.append(token)
    } catch {
      var row = UnreadableToken(place: token.place, error)
      row.authority = token.authority?.unlessBlank
      row.resource = token.resource
      row.clientID = token.clientID?.unlessBlank
      unreadable.append(row)
    }
  }

  private static func schema(_ cursor: inout BlobCursor) throws(LegacyCacheError) -> Int {
    let bytes = cursor.bytes
    guard bytes.count <= sizeLimit else { throw LegacyCacheError(.tooLarge, at: sizeLimit) }
    if bytes.starts(with: dataProtection) {
      throw LegacyCacheError(.protectedByDataProtection, at: 0)
    }
    let schema = try cursor.integer()
    // Data that Windows protects begins with 1, too.
    if schema == 1, bytes[cursor.offset...].starts(with: windowsProvider) {
      throw LegacyCacheError(.protectedByWindows, at: cursor.offset)
    }
    switch schema {
    case 1...3: return schema
    case 0, 4...255: throw LegacyCacheError(.unknownSchema, at: 0)
    default: throw LegacyCacheError(.notABlob, at: 0)
    }
  }

  private static func count(_ cursor: inout BlobCursor) throws(LegacyCacheError) -> Int {
    let start = cursor.offset
    let count = try cursor.integer()
    // A row has two strings, and each at least its length.
    guard count >= 0, count <= (cursor.bytes.count - cursor.offset) / 2 else {
      throw LegacyCacheError(.malformedCount, at: start)
    }
    return count
  }

  /// The provider `df9d8cd0-1501-11d1-8c7a-00c04fc297eb`, which follows the version of DPAPI's blobs.
  private static let windowsProvider: [UInt8] = [
    0xD0, 0x8C, 0x9D, 0xDF, 0x01, 0x15, 0xD1, 0x11, 0x8C, 0x7A, 0x00, 0xC0, 0x4F, 0xC2, 0x97, 0xEB,
  ]
  /// The beginning of ASP.NET Core's protected payloads.
  private static let dataProtection: [UInt8] = [0x09, 0xF0, 0xC9, 0xF0]
}

/// The primitives of .NET's `BinaryWriter`, read at a place and never past the end.
package struct BlobCursor {
  let bytes: [UInt8]
  private(set) var offset: Int

  package init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// A little-endian integer of 32 bits with a sign.
  mutating func integer() throws(LegacyCacheError) -> Int {
    guard bytes.count - offset >= 4 else { throw LegacyCacheError(.truncated, at: bytes.count) }
    let value = bytes[offset..<offset + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    offset += 4
    return Int(Int32(bitPattern: value))
  }

  /// The place of the next string's bytes, after a length of seven bits to a byte, lowest first.
  package mutating func string() throws(LegacyCacheError) -> Range<Int> {
    let start = offset
    var length: UInt64 = 0
    for group in 0..<5 {
      guard offset < bytes.count else { throw LegacyCacheError(.truncated, at: bytes.count) }
      let byte = bytes[offset]
      offset += 1
      length |= UInt64(byte & 0x7F) << UInt64(7 * group)
      if byte < 0x80 { break }
      guard group < 4 else { throw LegacyCacheError(.malformedLength, at: start) }
    }
    guard length <= UInt64(Int32.max) else { throw LegacyCacheError(.malformedLength, at: start) }
    guard length <= UInt64(bytes.count - offset) else {
      throw LegacyCacheError(.truncated, at: bytes.count)
    }
    let range = offset..<offset + Int(length)
    offset = range.upperBound
    return range
  }
}
