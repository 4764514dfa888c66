// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// What a row of ADAL for .NET, Python or Node keeps of its user where it has no ID token: the object, the
/// tenant, the name and who vouched for the user (other-adals §2.5, §3.2, §8).
struct KeptUser: Sendable {
  /// The tenant that the tokens are of, lower-case; nil when neither the row nor another one of the same object
  /// says it.
  let tenant: String?
  /// The object id, lower-case; nil for anything else that tells users apart, such as the subject.
  let oid: String?
  /// The name as the row spells it, when it is a name: a subject or a random id is none.
  let name: String?
  /// The signs that the user is a guest.
  let guestMarkers: [GuestMarker]
  /// Whether the row would name another provider if there were one. ADAL.NET since 2.8 names the issuer for a
  /// member, and nobody where there was no ID token.
  private let isVouchedFor: Bool
  private let hasProvider: Bool

  /// - Parameter tenant: the one that other rows of the object say.
  /// - Returns: nil for a row that has an ID token, or is of ADAL for iOS or macOS.
  init?(_ token: LegacyToken, _ authority: Authority?, tenant: String?) {
    guard token.origin != .apple, token.rawIDToken == nil else { return nil }
    let tenant = Self.ownTenant(of: token, authority) ?? tenant
    self.tenant = tenant
    oid = Self.oid(of: token)
    name = token.userID.nonBlank.flatMap { $0.contains("@") ? $0 : nil }
    let provider = token.identityProvider.nonBlank?.lowercasedLikeNSString
    hasProvider = provider != nil
    isVouchedFor =
      switch token.origin {
      case .python, .node, .dotNet(schema: 1): true
      case .apple, .dotNet, .msalNet: provider != nil
      }
    let marker = provider.flatMap { GuestMarker.marker(ofProvider: $0, in: tenant) }
    let isGuestName = name.map(GuestMarker.isGuestName) ?? false
    guestMarkers = (marker.map { [$0] } ?? []) + (isGuestName ? [.extUPN] : [])
  }

  static func oid(of token: LegacyToken) -> String? {
    token.objectID.nonBlank.flatMap { $0.isGUID ? $0.lowercasedLikeNSString : nil }
  }

  /// The tenant that a row without an ID token says itself.
  static func ownTenant(of token: LegacyToken, _ authority: Authority?) -> String? {
    if let tenant = token.tenantID.nonBlank?.lowercasedLikeNSString, tenant.isGUID { return tenant }
    return authority?.tenant.id
  }

  /// The user as the tenant knows it.
  var object: ObjectID? { ObjectID(tid: tenant, oid: oid) }

  /// The name as MSAL has it. For iOS and macOS names are in lower case, by which it compares them.
  func name(in form: CacheForm) -> String? {
    form == .document ? name : name?.lowercasedLikeNSString
  }

  /// The home account id of a member of the tenant, and what proves it (other-adals §8.2, E4); nil without a
  /// tenant, an object, or a word on who vouched for the user.
  var member: (id: HomeAccountID, evidence: [String])? {
    guard let oid, let tenant, isVouchedFor else { return nil }
    return (
      HomeAccountID(uid: oid, utid: tenant),
      [
        "fields.oid+tenant",
        hasProvider ? "fields.identity-provider" : "fields.no-identity-provider",
      ]
    )
  }
}

extension LegacyToken {
  /// Whether nobody is in the row but the app itself.
  var isAppOnly: Bool {
    switch origin {
    case .apple: false
    case .dotNet, .msalNet: subjectType == .client
    case .python, .node: userID == nil && objectID == nil && access != nil && refresh == nil
    }
  }

  /// Whether the refresh token of another ADAL's row is for every resource of its client. MSAL.NET does not
  /// say of its rows, which are all of Entra ID.
  var isForSeveralResources: Bool { isMultiResource ?? false || origin == .msalNet }

  /// When the tokens were issued, as far as another ADAL's row says; Unix seconds.
  var issuedAt: Double? {
    cachedAt ?? expiresOn.map { $0 - (expiresIn.map(Double.init) ?? Self.usualLifetime) }
  }

  private static let usualLifetime = 3600.0
}
