// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A cache, or several, in something that an app or a tool put around its bytes.
///
/// Source: other-adals §2.1, §2.2.
public struct WrappedCache: Sendable {
  enum Wrapping {
    /// Base64 text of either alphabet, as Redis, session state or a column of text has it.
    case base64
    /// Hexadecimal after `0x`, as SQL tools print bytes; each `0x` begins another cache.
    case hexadecimal
    /// The preferences file `ActiveDirectoryAuthenticationLibrary.xml` of Xamarin.Android.
    case androidPreferences
    /// Saved contexts of Azure PowerShell before Az.Accounts 2.0, each with a cache.
    case powerShellContexts
  }

  /// The bytes of each cache, in order; the same ones once.
  public let contents: [[UInt8]]

  /// Unwraps `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: all of the file.
  ///   - name: the name for messages.
  /// - Throws: `StoreError.notACache` when there is no cache inside, or one that is
  ///   encrypted with a key that is elsewhere.
  public init(bytes: [UInt8], name: String) throws(StoreError) {
    guard let wrapping = Self.wrapping(of: bytes) else {
      throw StoreError(.notACache, "\(name) contains no wrapped cache")
    }
    let found: [[UInt8]]
    do throws(Objection) {
      found =
        switch wrapping {
        case .base64: [try Self.decoded(bytes.withoutByteOrderMark)]
        case .hexadecimal: try Self.hexadecimal(bytes)
        case .androidPreferences: try Self.preferences(bytes)
        case .powerShellContexts: try Self.contexts(bytes)
        }
    } catch { throw StoreError(.notACache, "\(name) \(error.words)") }
    var seen: Set<[UInt8]> = []
    contents = found.filter { seen.insert($0).inserted }
  }

  /// The wrapping of `bytes`, which may be only the first few thousand; nil if they are not wrapped.
  static func wrapping(of bytes: [UInt8]) -> Wrapping? {
    let text = bytes.withoutByteOrderMark.drop(while: \.isSpace)
    if text.isHexadecimal {
      let start = Hexadecimal.bytes(text.dropFirst(2).prefix(8))
      return start.map(CacheFile.isBlob) ?? false ? .hexadecimal : nil
    }
    if text.first == UInt8(ascii: "<") {
      return arePreferences(text) ? .androidPreferences : nil
    }
    if text.first == UInt8(ascii: "{") {
      return CacheFile.kind(ofObject: bytes) == .wrapped ? .powerShellContexts : nil
    }
    let letters = text.lazy.filter { !$0.isSpace }.prefix(8)
    guard letters.count == 8,
      let start = Base64.bytes(of: String(decoding: letters, as: UTF8.self), .url)
    else { return nil }
    return CacheFile.isBlob(start) ? .base64 : nil
  }

  /// The bytes of base64 text, with white space anywhere in it.
  static func decoded(_ text: ArraySlice<UInt8>) throws(Objection) -> [UInt8] {
    let letters = text.filter { !$0.isSpace }
    guard let bytes = letters.withUnsafeBufferPointer({ Base64.bytes(of: $0, .url) }) else {
      throw Objection(words: "is not base64 to its end")
    }
    return bytes
  }

  private static func hexadecimal(_ bytes: [UInt8]) throws(Objection) -> [[UInt8]] {
    var caches: [[UInt8]] = []
    for word in bytes.withoutByteOrderMark.split(whereSeparator: \.isSpace) {
      if caches.isEmpty || word.isHexadecimal {
        caches.append(Array(word.dropFirst(2)))
      } else {
        caches[caches.count - 1] += word
      }
    }
    return try caches.map { digits throws(Objection) in
      guard let bytes = Hexadecimal.bytes(digits[...]) else {
        throw Objection(words: "is not hexadecimal to its end")
      }
      return bytes
    }
  }

  /// The base64 at `Contexts.NAME.TokenCache.CacheData` of every name.
  private static func contexts(_ bytes: [UInt8]) throws(Objection) -> [[UInt8]] {
    var caches: [String] = []
    do {
      var reader = JSONScanner(bytes)
      try member("Contexts", of: &reader) { reader in
        try members(of: &reader) { reader, _ in
          try member("TokenCache", of: &reader) { reader in
            try member("CacheData", of: &reader) { reader in
              if case .string(let text) = try reader.scalar() { caches.append(text) }
            }
          }
        }
      }
      try reader.expectEnd()
    } catch { throw Objection(words: "is not JSON to its end") }
    guard !caches.isEmpty else {
      throw Objection(words: "has saved contexts of Azure PowerShell, but no tokens")
    }
    return try caches.map { text throws(Objection) in try decoded(Array(text.utf8)[...]) }
  }

  /// Reads the members of an object; any other value has none.
  private static func members(
    of reader: inout JSONScanner, _ body: (inout JSONScanner, String) throws -> Void
  ) throws {
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skipValue()
      return
    }
    try reader.object(body)
  }

  private static func member(
    _ name: String, of reader: inout JSONScanner, _ body: (inout JSONScanner) throws -> Void
  ) throws {
    try members(of: &reader) { reader, key in
      if key == name { try body(&reader) } else { try reader.skipValue() }
    }
  }
}

// A file of Android's preferences: a map of texts as XML.
extension WrappedCache {
  private static func arePreferences(_ start: ArraySlice<UInt8>) -> Bool {
    start.starts(with: "<map".utf8)
      || start.starts(with: "<?xml".utf8) && start.prefix(4096).firstRange(of: "<map") != nil
  }

  /// The base64 that ADAL.NET keeps under `cache`.
  private static func preferences(_ bytes: [UInt8]) throws(Objection) -> [[UInt8]] {
    var rest = bytes[...]
    var caches: [[UInt8]] = []
    while let start = rest.firstRange(of: "<string name=\"") {
      rest = rest[start.upperBound...]
      guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")),
        let open = rest[quote...].firstIndex(of: UInt8(ascii: ">")),
        let close = rest[open...].firstRange(of: "</string>")
      else { throw Objection(words: "ends inside a text") }
      let value = rest[(open + 1)..<close.lowerBound]
      try checkKey(of: value)
      if rest[..<quote].elementsEqual("cache".utf8) {
        caches.append(try decoded(value.withoutReferences))
      }
      rest = rest[close.upperBound...]
    }
    guard !caches.isEmpty else {
      throw Objection(words: "has Android preferences, but no cache of ADAL.NET")
    }
    return caches
  }

  /// ADAL for Android encrypts every row, and says with which key: `c`, a length, an encoding, base64.
  private static func checkKey(of value: ArraySlice<UInt8>) throws(Objection) {
    guard value.starts(with: "cE1".utf8) else { return }
    let name = Base64.bytes(of: String(decoding: value.dropFirst(3).prefix(8), as: UTF8.self), .url)
    if name?.starts(with: "A001".utf8) == true {
      throw Objection(
        words:
          "is encrypted with a key of the Android keystore (A001), which never leaves the device")
    }
    if name?.starts(with: "U001".utf8) == true {
      throw Objection(
        words: "is encrypted with the app's own key (U001), which it does not contain")
    }
  }
}

extension [UInt8] {
  fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: JSONScanner.byteOrderMark) ? dropFirst(JSONScanner.byteOrderMark.count) : self[...]
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isHexadecimal: Bool { starts(with: "0x".utf8) || starts(with: "0X".utf8) }

  fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
    let wanted = Array(text.description.utf8)
    guard let first = wanted.first else { return nil }
    var place = startIndex
    while let start = self[place...].firstIndex(of: first) {
      if self[start...].starts(with: wanted) { return start..<start + wanted.count }
      place = start + 1
    }
    return nil
  }

  /// The text without references to characters, such as `&#10;`, which no base64 needs.
  fileprivate var withoutReferences: ArraySlice<UInt8> {
    var text: [UInt8] = []
    var isReference = false
    for byte in self {
      if byte == UInt8(ascii: "&") { isReference = true }
      if !isReference { text.append(byte) }
      if byte == UInt8(ascii: ";") { isReference = false }
    }
    return text[...]
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
