// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import MSALCache

/// A row or an entry that cannot be read and that may be a user's only sign-in, with the user and the client
/// that its place names (D42).
struct DamagedRow: Sendable, Hashable {
  /// The user that the place names.
  enum Owner: Sendable, Hashable {
    case account(AccountKey)
    /// A user name in lower case, and the cloud where the place names one.
    case name(String, cloud: String?)
    case unknown
  }

  let owner: Owner
  /// The client id in lower case; nil when the place does not name it.
  let client: String?
  /// The family, for a row or an entry that is a family's.
  let family: String?
  /// The cloud, where the place names one.
  let cloud: String?
  /// Whether the entry is of no client: an account.
  let isOfEveryClient: Bool

  /// Nil for a row that can be read, and for one that no user loses: a service principal, a row of the broker,
  /// an access token or app metadata in MSAL's form, which MSAL writes again by itself.
  init?(_ row: Inventory.Row) {
    switch row.content {
    case .legacy: return nil
    case .unreadable(let token):
      guard token.code != .servicePrincipal,
        !(token.place.accessGroup.map(Broker.owns) ?? false)
      else { return nil }
      self.init(token)
    case .unified(let unified):
      guard unified.record == nil, !(row.place.accessGroup.map(Broker.owns) ?? false) else {
        return nil
      }
      switch unified.kind {
      case .unifiedRefreshToken, .unifiedIDToken, .unifiedAccount: break
      default: return nil
      }
      self.init(unified, row.place)
    }
  }

  private init(_ token: UnreadableToken) {
    cloud = token.authority.flatMap { Authority($0)?.cloud }
    let name = token.userID.nonBlank?.lowercasedLikeNSString
    owner = name.map { [cloud] in .name($0, cloud: cloud) } ?? .unknown
    client = token.clientID.nonBlank?.lowercasedLikeNSString
    family = FamilyClient.family(of: token.clientID)
    isOfEveryClient = false
  }

  private init(_ unified: MSALRow, _ place: Report.Place) {
    let isAccount = unified.kind == .unifiedAccount
    let text =
      unified.item.map { "\($0.account)\(isAccount ? "" : "-")\(isAccount ? "" : $0.service)" }
      ?? place.service ?? ""
    let name = EntryName(text.normalized)
    cloud = name.cloud
    owner = name.account.map { .account($0) } ?? .unknown
    isOfEveryClient = isAccount
    let isClient = name.clientOrFamily?.isGUID ?? false
    client = isClient ? name.clientOrFamily : nil
    family = isClient || isAccount ? nil : name.clientOrFamily
  }
}

extension Inventory {
  /// Whether some row or entry cannot be read.
  var hasDamage: Bool {
    rows.contains { row in
      switch row.content {
      case .legacy: false
      case .unreadable: true
      case .unified(let unified): unified.record == nil
      }
    }
  }
}

/// The parts of the name that MSAL keeps an entry under: `HOME-HOST` of a keychain account, with
/// `-TYPE-CLIENT-…` of the service or of a document's key after it (msal-cache-format §1.3, §7.2).
private struct EntryName {
  private(set) var account: AccountKey?
  private(set) var cloud: String?
  /// The client id, or the family's number.
  private(set) var clientOrFamily: String?

  private static let types = ["-refreshtoken-", "-idtoken-", "-v1idtoken-", "-boundrefreshtoken-"]
  private static let guidLength = 36

  /// - Parameter text: in lower case.
  init(_ text: String) {
    // A home account id ends with the GUID of a tenant, after its only dot.
    let bytes = Array(text.utf8)
    guard let dot = bytes.firstIndex(of: UInt8(ascii: ".")) else { return }
    let end = dot + 1 + Self.guidLength
    guard end < bytes.count, bytes[end] == UInt8(ascii: "-") else { return }
    let home = String(decoding: bytes[..<end], as: UTF8.self)
    var rest = Substring(String(decoding: bytes[(end + 1)...], as: UTF8.self))
    for type in Self.types {
      guard let range = rest.firstRange(ofBytes: type) else { continue }
      let owner = rest[range.upperBound...]
      let guid = owner.prefix(Self.guidLength)
      clientOrFamily = String(
        String(guid).isGUID ? guid : owner.prefix { $0 != "-" })
      rest = rest[..<range.lowerBound]
      break
    }
    // The key of an account in a document ends with the tenant.
    if rest.count > Self.guidLength, String(rest.suffix(Self.guidLength)).isGUID {
      rest = rest.dropLast(Self.guidLength + 1)
    }
    let cloud = Cloud.key(of: String(rest))
    self.cloud = cloud
    let key = AccountKey(cloud: cloud, spelled: home)
    account = key.hasIdentifier ? key : nil
  }
}
