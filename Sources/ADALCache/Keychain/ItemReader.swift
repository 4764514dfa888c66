// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import KeyedArchive

/// Reads ADAL's objects out of an archive.
///
/// Damage in a token, a key part or the home account id costs the whole item, since an item without
/// its refresh token would look like another kind of row. Damage elsewhere costs the field alone.
struct ItemReader: ~Copyable {
  var archive: KeyedArchiveReader
  // State of the object that is being read.
  private var fields = Self.noFields
  private var dropped: [String] = []
  private var failsSecureCoding = false

  private static let noFields = ItemField.allCases.map { _ in KeyedArchiveReader.Reference?.none }
  /// Seconds from 1970 to 2001, which archived dates count from.
  static let referenceDate = 978_307_200.0
  /// Bytes of a token without its texts, in an array that grows.
  static let tokenSize = 1536

  init(_ bytes: [UInt8]) throws(KeyedArchiveError) {
    self.init(try KeyedArchiveReader(bytes, names: ItemField.names))
  }

  // An initializer that throws would copy the archive.
  private init(_ archive: consuming KeyedArchiveReader) {
    self.archive = archive
  }

  /// Reads the item that `reference` leads to into a token that says nothing but its place.
  ///
  /// - Returns: the facts about something other than an item; nil for an item.
  /// - Throws: `KeyedArchiveError` if an essential part of the row cannot be read.
  mutating func read(
    _ reference: KeyedArchiveReader.Reference, into token: inout LegacyToken
  ) throws(KeyedArchiveError) -> UnreadableToken? {
    let content = try archive.content(of: reference)
    guard case .object(let object, let className) = content,
      let itemClass = ItemClass(className), itemClass.isItem
    else { return unreadable(content, at: token.place) }
    try archive.keep(Self.tokenSize, at: object.offset)
    dropped = []
    failsSecureCoding = false
    // The name of a field cannot be read.
    if try archive.readFields(of: object, into: &fields) { try checkNames(of: object) }
    token.className = itemClass.name
    if itemClass == .primaryRefreshToken { token.hasPrimaryRefreshTokenKey = true }
    try fill(&token)
    return nil
  }

  /// A row whose archive has no ADAL item: nothing, an object of Foundation's, or an object of an unknown class.
  private func unreadable(
    _ content: KeyedArchiveReader.Content, at place: LegacyPlace
  ) -> UnreadableToken {
    switch content {
    case .object(let object, let className):
      UnreadableToken(
        place: place, code: .unknownClass, offset: object.offset,
        className: archive.text(of: className))
    case .null: UnreadableToken(place: place, code: .malformed)
    default: UnreadableToken(place: place, code: .unknownClass)
    }
  }

  private mutating func fill(_ token: inout LegacyToken) throws(KeyedArchiveError) {
    for (field, kind) in ItemField.ofItem {
      switch kind {
      case .text, .ownText: if let text = try text(field) { token[text: field] = text }
      case .token: token[secret: field] = try tokenText(field)
      case .key: token[secret: field] = try secret(field)
      case .date, .object: break
      }
    }
    token.knowsFamilyID = reference(.familyID) != nil
    token.expiresOn = try date(.expiresOn)
    token.cachedAt = try date(.cachedAt)
    if let answer = try answer(.additionalServer), !answer.isEmpty {
      token.extendedExpiresOn =
        answer["extended_expires_on"]?.date ?? answer["ext_expires_on"]?.date
      if token.clientInfo == nil { token.clientInfo = answer["client_info"]?.text }
    }
    token.isTombstone = try answer(.tombstone) != nil || token.refreshToken == .tombstone
    // Last, since it reads the fields of another object.
    try readUser(into: &token)
    if !dropped.isEmpty { token.droppedFields = dropped.ordered() }
    token.failsSecureCoding = failsSecureCoding
  }

  /// All generations archive these fields, possibly as null. A missing one can be the field with the damaged name, and
  /// then the row cannot be trusted.
  private mutating func checkNames(of object: KeyedArchiveReader.Value) throws(KeyedArchiveError) {
    for field in [ItemField.authority, .clientID, .resource, .accessToken, .refreshToken]
    where reference(field) == nil {
      throw KeyedArchiveError(.malformedString, at: object.offset)
    }
    dropped.append("?")
  }

  /// The three parts of a macOS dictionary key; nil when `object` is of another class.
  mutating func key(
    _ content: KeyedArchiveReader.Content, user: String
  ) throws(KeyedArchiveError) -> LegacyPlace.BlobKey? {
    guard case .object(let object, let className) = content, ItemClass(className) == .key else {
      return nil
    }
    _ = try archive.readFields(of: object, into: &fields)
    dropped = []
    let authority = try text(.authority)
    let resource = try text(.resource)
    let client = try text(.clientID)
    return LegacyPlace.BlobKey(
      user: user, authority: authority ?? "", resource: resource, client: client ?? "")
  }

  /// The text that a content is, or the decimal text of a number; nil for any other kind.
  mutating func text(_ content: KeyedArchiveReader.Content) throws(KeyedArchiveError) -> String? {
    switch content {
    case .string(let value): return try archive.text(of: value)
    case .integer(let value): return (try? archive.integer(of: value)).map { String($0) }
    // Foundation prints a whole double without its fraction.
    case .real(let number): return Int64(exactly: number).map { String($0) } ?? "\(number)"
    default: return nil
    }
  }

  private func reference(_ field: ItemField) -> KeyedArchiveReader.Reference? {
    fields[field.rawValue]
  }

  /// The value of the field; nil if the field is missing or null.
  @inline(__always)
  private mutating func value(
    of field: ItemField
  ) throws(KeyedArchiveError) -> KeyedArchiveReader.Value? {
    guard let reference = reference(field) else { return nil }
    return try archive.value(of: reference)
  }

  private mutating func text(_ field: ItemField) throws(KeyedArchiveError) -> String? {
    guard let value = try value(of: field) else { return nil }
    guard !value.isText else { return try archive.text(of: value) }
    return try text(try archive.content(of: value), field)
  }

  private mutating func text(
    _ content: KeyedArchiveReader.Content, _ field: ItemField
  ) throws(KeyedArchiveError) -> String? {
    if case .string = content {} else if field.isTextToMSAL { failsSecureCoding = true }
    if case .null = content { return nil }
    let text = try text(content)
    if text == nil { dropped.append(field.name) }
    return text
  }

  /// A token's text, which stays where it is; nil when it is blank.
  private mutating func tokenText(_ field: ItemField) throws(KeyedArchiveError) -> TokenSecret? {
    guard var value = try value(of: field) else { return nil }
    if !value.isText {
      let content = try archive.content(of: value)
      guard case .string(let string) = content else {
        return try text(content, field)?.unlessBlank.map { TokenSecret($0) }
      }
      value = string
    }
    let bytes = try archive.utf8(of: value)
    return bytes.isBlank ? nil : TokenSecret(partOf: bytes)
  }

  private mutating func secret(_ field: ItemField) throws(KeyedArchiveError) -> TokenSecret? {
    guard let value = try value(of: field) else { return nil }
    let content = try archive.content(of: value)
    guard case .data(let value) = content else {
      // A key of another kind still says that the token is bound to one.
      return try text(content, field).map { TokenSecret($0) }
    }
    return TokenSecret(partOf: try archive.slice(of: value))
  }

  private mutating func date(_ field: ItemField) throws(KeyedArchiveError) -> Double? {
    do {
      guard let value = try value(of: field) else { return nil }
      let content = try archive.content(of: value)
      if case .date = content {} else { failsSecureCoding = true }
      switch content {
      case .null: return nil
      case .date(let seconds) where seconds.isFinite: return seconds + Self.referenceDate
      default: dropped.append(field.name)
      }
    } catch { try drop(field, after: error) }
    return nil
  }

  private mutating func readUser(into token: inout LegacyToken) throws(KeyedArchiveError) {
    do {
      guard let value = try value(of: .userInformation) else { return }
      let content = try archive.content(of: value)
      guard case .object(let object, let className) = content,
        let userClass = ItemClass(className), userClass.isUser
      else {
        failsSecureCoding = true
        if content != .null { dropped.append(ItemField.userInformation.name) }
        return
      }
      if !userClass.isUserOfMSAL { failsSecureCoding = true }
      _ = try archive.readFields(of: object, into: &fields)
      let id = try text(.userID)
      token.rawIDToken = try tokenText(.rawIDToken)
      token.archivedUserID = id
    } catch { try drop(.userInformation, after: error) }
  }

  /// The texts and dates in the service's answer that a row uses (adal-cache-format §2.5): the extended expiry by its
  /// name since 2.7.4, and by its name in 2.2.1–2.7.3. A number is a relative time and does not count.
  private static let answered = ["extended_expires_on", "ext_expires_on", "client_info"]

  /// The values in the dictionary of a field; nil if there is no readable dictionary.
  private mutating func answer(
    _ field: ItemField
  ) throws(KeyedArchiveError) -> [String: ValueReader.Leaf]? {
    guard reference(field) != nil else { return nil }
    let isDecoded = field == .additionalServer
    var values = ValueReader()
    do {
      guard let value = try value(of: field) else { return nil }
      let content = try archive.content(of: value)
      if case .dictionary = content {} else if isDecoded { failsSecureCoding = true }
      switch content {
      case .null: return nil
      case .dictionary(let dictionary):
        try values.read(dictionary, in: &archive, keeping: Self.answered)
        if isDecoded, values.failsSecureCoding { failsSecureCoding = true }
        for name in values.dropped { dropped.append("\(field.name).\(name)") }
        return values.kept
      default: dropped.append(field.name)
      }
    } catch {
      let isMSALs = !isDecoded || (values.isOfKey && !values.failsSecureCoding)
      try drop(field, after: error, failsSecureCoding: !isMSALs)
    }
    return nil
  }

  private mutating func drop(
    _ field: ItemField, after error: KeyedArchiveError, failsSecureCoding fails: Bool = true
  ) throws(KeyedArchiveError) {
    guard !error.isFinal else { throw error }
    dropped.append(field.name)
    if fails { failsSecureCoding = true }
  }
}
