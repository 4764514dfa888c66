// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

// The fields that ADAL for .NET, Python and Node store when a row has no ID token: the object, the tenant, the name,
// and the identity provider (other-adals §2.5, §3.2, §8).

extension LegacyToken {
  /// Whether the row's own fields replace an ID token: a row of another ADAL without an ID token.
  var isStoredWithoutIDToken: Bool { origin != .apple && rawIDToken == nil }

  /// The object id, in lower case; nil for anything else that tells users apart, such as the subject.
  ///
  /// An answer without an ID token keeps the object of the refreshed row, and Azure CLI stores it without its tenant.
  /// If the access token names another object, the user of the row is unknown (other-adals §3.3).
  var storedObject: String? {
    guard let object = Self.guid(objectID) else { return nil }
    let other = Self.guid(tenantID) == nil ? Self.guid(accessClaims?.oid) : nil
    return other ?? object == object ? object : nil
  }

  private static func guid(_ text: String?) -> String? {
    text.flatMap { $0.isGUID ? $0.lowercasedLikeNSString : nil }
  }

  /// The user and tenant that the access token names; nil if only the service can read it.
  var accessClaims: IDTokenClaims? { access.flatMap(IDTokenClaims.ofPayload) }

  /// The tenant that the row itself says, where it has no ID token.
  func ownTenant(_ authority: Authority?) -> String? {
    Self.guid(tenantID) ?? authority?.tenant.id
  }

  /// The provider that vouched for the user, in lower case.
  var storedProvider: String? { identityProvider.nonBlank?.lowercasedLikeNSString }

  /// The signs that the user is a guest of a tenant.
  func storedGuestMarkers(in tenant: String?) -> [GuestMarker] {
    var markers: [GuestMarker] = []
    if let provider = storedProvider,
      let marker = GuestMarker.marker(ofProvider: provider, in: tenant)
    {
      markers.append(marker)
    }
    if storedName.map(GuestMarker.isGuestName) ?? false { markers.append(.extUPN) }
    return markers
  }

  /// The user's name as the row spells it; nil for a subject or a random ID.
  var storedName: String? {
    userID.nonBlank.flatMap { $0.utf8.contains(UInt8(ascii: "@")) ? $0 : nil }
  }

  /// The name of the user as MSAL has it. For iOS and macOS names are in lower case, by which it compares
  /// them.
  func storedName(in form: CacheForm) -> String? {
    form == .document ? storedName : storedName?.lowercasedLikeNSString
  }

  /// Whether the row would name another provider if there were one. ADAL.NET since 2.8 names the issuer for
  /// a member, or of no user if there was no ID token.
  var isVouchedFor: Bool {
    switch origin {
    case .python, .node, .dotNet(schema: 1): true
    case .apple, .dotNet, .msalNet: storedProvider != nil
    }
  }

  /// Whether the row belongs to the app itself and to no user.
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

  /// The issue time of the tokens, as far as another ADAL's row gives it; Unix seconds.
  var issuedAt: Double? {
    cachedAt ?? expiresOn.map { $0 - (expiresIn.map(Double.init) ?? Self.usualLifetime) }
  }

  /// The lifetime that ADAL assumes of an access token when the service does not say it, in seconds.
  static let usualLifetime = 3600.0
}
