// SPDX-License-Identifier: MIT
import KeychainItems
import KeyedArchive

/// Reads ADAL's objects out of an archive.
///
/// Damage in a token, a key part or the home account id costs the whole item, since an item without
/// its refresh token would look like another kind of row. Damage elsewhere costs the field alone.
struct ItemReader {
  var archive: KeyedArchive
  // Of the object that is being read.
  private var fields: [KeyedArchive.Field] = []
  private var dropped: [String] = []

  /// The names under which ADAL ever archived an item (adal-cache-format §1.11, §2.1).
  static let itemClasses: Set = [
    "ADTokenCacheStoreItem", "ADTokenCacheItem", primaryRefreshTokenClass,
  ]
  private static let primaryRefreshTokenClass = "ADBrokerPRTCacheItem"
  /// 2.7 and 6.x map their own classes to the first name; an archive without the mapping has these.
  private static let userClasses: Set = [
    "ADUserInformation", "ADALUserInformation", "MSIDUserInformation",
  ]
  /// Seconds from 1970 to 2001, which archived dates count from.
  private static let referenceDate = 978_307_200.0
  /// Bytes of a token without its texts, in an array that grows.
  static let tokenSize = 1536

  init(_ archive: KeyedArchive) {
    self.archive = archive
  }

  /// The item that `object` is.
  ///
  /// - Throws: `KeyedArchiveError` when a part that makes the row what it is cannot be read.
  mutating func token(
    _ object: KeyedArchive.Value, className: String, place: LegacyPlace
  ) throws(KeyedArchiveError) -> LegacyToken {
    try archive.keep(Self.tokenSize, at: object.offset)
    fields = try archive.fields(of: object)
    dropped = []
    try checkNames(of: object)
    var token = LegacyToken(place: place, className: className)
    token.authority = try text("authority")
    token.resource = unlessBlank(try text("resource"))
    token.clientID = try text("clientId")
    token.accessToken = unlessBlank(try text("accessToken")).map { Secret($0) }
    token.refreshToken = unlessBlank(try text("refreshToken")).map { Secret($0) }
    token.sessionKey = try secret("sessionKey")
    token.accessTokenType = try text("accessTokenType")
    token.familyID = try text("familyId")
    token.knowsFamilyID = field("familyId") != nil
    token.homeAccountID = try text("homeAccountId")
    token.clientInfo = try text("clientInfo")
    token.enrollmentID = try text("enrollmentId")
    token.applicationIdentifier = try text("applicationIdentifier")
    token.expiresOn = try date("expiresOn")
    token.cachedAt = try date("cachedAt")
    token.additionalServer = try server("additionalServer") ?? [:]
    token.extendedExpiresOn = Self.extendedExpiry(token.additionalServer)
    if token.clientInfo == nil, case .string(let info)? = token.additionalServer["client_info"] {
      token.clientInfo = info
    }
    token.tombstoneDetails = try tombstone("tombstone")
    token.isTombstone =
      token.tombstoneDetails != nil || token.refreshToken == Secret("<tombstone>")
    token.hasPrimaryRefreshTokenKey = className == Self.primaryRefreshTokenClass
    // Last, since it reads the fields of another object.
    (token.archivedUserID, token.rawIDToken) = try user("userInformation")
    token.droppedFields = dropped.sorted()
    return token
  }

  /// Every generation archives these, if as null; one that is missing can be the one whose name is
  /// damaged, and then nothing is known about the row.
  private mutating func checkNames(of object: KeyedArchive.Value) throws(KeyedArchiveError) {
    guard fields.contains(where: { $0.name == nil }) else { return }
    for name in ["authority", "clientId", "resource", "accessToken", "refreshToken"]
    where field(name) == nil {
      throw KeyedArchiveError(.malformedString, at: object.offset)
    }
    dropped.append("?")
  }

  /// The three parts of a macOS dictionary key; nil when `object` is of another class.
  mutating func key(
    _ content: KeyedArchive.Content, user: String
  ) throws(KeyedArchiveError) -> LegacyPlace.BlobKey? {
    guard case .object(let object, "ADTokenCacheKey") = content else { return nil }
    fields = try archive.fields(of: object)
    dropped = []
    let authority = try text("authority")
    let resource = try text("resource")
    let client = try text("clientId")
    return LegacyPlace.BlobKey(
      user: user, authority: authority ?? "", resource: resource, client: client ?? "")
  }

  /// The text that a content is, or the decimal text of a number; nil for any other kind.
  mutating func text(_ content: KeyedArchive.Content) throws(KeyedArchiveError) -> String? {
    switch content {
    case .string(let value): return try archive.text(of: value)
    case .integer(let value): return (try? archive.integer(of: value)).map { String($0) }
    // Foundation prints a whole double without its fraction.
    case .real(let number): return Int64(exactly: number).map { String($0) } ?? "\(number)"
    default: return nil
    }
  }

  private func field(_ name: String) -> KeyedArchive.Reference? {
    fields.first { $0.name == name }?.value
  }

  private mutating func text(_ name: String) throws(KeyedArchiveError) -> String? {
    guard let reference = field(name) else { return nil }
    let content = try archive.content(of: reference)
    if content == .null { return nil }
    let text = try text(content)
    if text == nil { dropped.append(name) }
    return text
  }

  private mutating func secret(_ name: String) throws(KeyedArchiveError) -> Secret? {
    guard let reference = field(name) else { return nil }
    guard case .data(let value) = try archive.content(of: reference) else {
      // A key of another kind still says that the token is bound to one.
      return try text(name).map { Secret($0) }
    }
    return Secret(try archive.bytes(of: value))
  }

  private mutating func date(_ name: String) throws(KeyedArchiveError) -> Double? {
    guard let reference = field(name) else { return nil }
    do {
      switch try archive.content(of: reference) {
      case .null: return nil
      case .date(let seconds) where seconds.isFinite: return seconds + Self.referenceDate
      default: dropped.append(name)
      }
    } catch { try drop(name, after: error) }
    return nil
  }

  private mutating func user(
    _ name: String
  ) throws(KeyedArchiveError) -> (id: String?, rawIDToken: Secret?) {
    guard let reference = field(name) else { return (nil, nil) }
    do {
      switch try archive.content(of: reference) {
      case .null: return (nil, nil)
      case .object(let object, let className) where Self.userClasses.contains(className):
        fields = try archive.fields(of: object)
        let id = try text("userId")
        return (id, unlessBlank(try text("rawIdToken")).map { Secret($0) })
      default: dropped.append(name)
      }
    } catch { try drop(name, after: error) }
    return (nil, nil)
  }

  private mutating func tombstone(
    _ name: String
  ) throws(KeyedArchiveError) -> LegacyToken.TombstoneDetails? {
    guard let details = try server(name) else { return nil }
    func text(_ key: String) -> String? {
      guard case .string(let text)? = details[key] else { return nil }
      return text
    }
    return LegacyToken.TombstoneDetails(
      bundleID: text("bundleId"), errorDetails: text("errorDetails"),
      correlationID: text("correlationId"), protocolCode: text("protocolCode"))
  }

  private mutating func server(
    _ name: String
  ) throws(KeyedArchiveError) -> [String: LegacyValue]? {
    guard let reference = field(name) else { return nil }
    do {
      switch try archive.content(of: reference) {
      case .null: return nil
      case .dictionary(let dictionary):
        var values = ValueReader(archive)
        defer { archive = values.archive }
        let result = try values.dictionary(dictionary)
        dropped += values.dropped.map { "\(name).\($0)" }
        return result
      default: dropped.append(name)
      }
    } catch { try drop(name, after: error) }
    return nil
  }

  private mutating func drop(
    _ name: String, after error: KeyedArchiveError
  ) throws(KeyedArchiveError) {
    guard !error.isFinal else { throw error }
    dropped.append(name)
  }

  /// adal-cache-format §2.5: under the name of 2.2.1–2.7.3, or the name since 2.7.4; a number is a
  /// relative time.
  private static func extendedExpiry(_ server: [String: LegacyValue]) -> Double? {
    for name in ["extended_expires_on", "ext_expires_on"] {
      if case .date(let date)? = server[name] { return date }
    }
    return nil
  }

  private func unlessBlank(_ text: String?) -> String? {
    guard let text, !text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else {
      return nil
    }
    return text
  }
}
