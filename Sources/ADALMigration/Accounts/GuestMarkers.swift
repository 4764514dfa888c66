// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// The signs in an ID token that its user is a guest of the tenant that issued it.
///
/// A guest's `oid` is the object of the tenant that was visited, so that `oid.tid` is not the guest's
/// home account id (mapping-rules §2.3).
enum GuestMarker: String, Sendable {
  /// `idp` names another AAD tenant.
  case otherTenant = "guest.idp-tenant"
  /// `idp`, `altsecid` or `unique_name` say a personal Microsoft account.
  case personal = "guest.microsoft-account"
  /// `idp` is something else: a social account, one-time passcodes, another company's server.
  case otherProvider = "guest.idp"
  /// `altsecid` or `unique_name` of an external user.
  case external = "guest.external"
  /// `upn` with `#EXT#` or `_EXT_@`.
  case extUPN = "guest.upn-ext"
  /// No `upn`, as with many guests.
  case noUPN = "guest.no-upn"
  /// `acct` is 1.
  case account = "guest.acct"

  /// The markers in these claims; empty for a member of the tenant.
  static func all(in claims: IDTokenClaims) -> [GuestMarker] {
    var markers: [GuestMarker] = []
    if let marker = identityProvider(claims) { markers.append(marker) }
    if let id = claims.altsecid?.lowercasedLikeNSString {
      if id.hasPrefix("1:live.com:") {
        markers.append(.personal)
      } else if id.hasPrefix("5::") {
        markers.append(.external)
      }
    }
    let upn = claims.upn.nonBlank
    if let name = claims.uniqueName?.lowercasedLikeNSString, namesProvider(name, upn: upn) {
      markers.append(name.hasPrefix("live.com#") ? .personal : .external)
    }
    if upn.map(isGuestName) ?? false || claims.uniqueName.map(isGuestName) ?? false {
      markers.append(.extUPN)
    }
    // Tokens of the v2.0 endpoint carry `preferred_username` where v1.0 has `upn`.
    if upn == nil && !(claims.rules == .v2 && claims.preferredUsername.nonBlank != nil) {
      markers.append(.noUPN)
    }
    if claims.acct?.trimmed == "1" { markers.append(.account) }
    return markers
  }

  /// Whether a name is the UPN that the service makes up for a guest: `ann_contoso.com#EXT#@fabrikam.com`,
  /// also written with underscores in place of the number signs.
  static func isGuestName(_ name: String) -> Bool {
    // Most names have neither sign, and a search costs more than all else that is asked of a name.
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "_") }) else {
      return false
    }
    let name = name.lowercasedLikeNSString
    return name.containsBytes(of: "#ext#") || name.containsBytes(of: "_ext_@")
  }

  /// Whether a name such as `live.com#user@contoso.com` begins with the identity provider.
  private static func namesProvider(_ name: String, upn: String?) -> Bool {
    let name = name.trimmed
    guard let sign = name.utf8.firstIndex(of: UInt8(ascii: "#")), !name.containsBytes(of: "#ext#")
    else {
      return false
    }
    return upn?.lowercasedLikeNSString != name || isProvider(name[..<sign], of: name)
  }

  /// Hosts of identity providers that the service puts before a user's name.
  private static let providers: Set = ["live.com", "google.com", "facebook.com"]

  /// Whether the part before the number sign of a UPN is a provider. A UPN can contain a number sign of its own. The
  /// part is then neither a known host nor within the domain behind the `@`.
  private static func isProvider(_ prefix: Substring, of name: String) -> Bool {
    guard let at = name.lastIndex(of: "@") else { return providers.contains(String(prefix)) }
    let domain = name[name.index(after: at)...]
    return providers.contains(String(prefix)) || prefix == domain || prefix.hasSuffix(".\(domain)")
  }

  private static func identityProvider(_ claims: IDTokenClaims) -> GuestMarker? {
    guard let idp = claims.idp.nonBlank?.lowercasedLikeNSString else { return nil }
    // The issuer itself says of a member that it vouches for it.
    if idp == claims.iss.nonBlank?.lowercasedLikeNSString, !isPersonal(idp) { return nil }
    return marker(ofProvider: idp, in: claims.tid)
  }

  private static func isPersonal(_ idp: String) -> Bool {
    idp == "live.com" || idp.containsBytes(of: HomeAccountID.consumerTenant)
  }

  /// The marker for a user of a tenant if this provider, in lower case, vouched for the user; nil for a member.
  static func marker(ofProvider idp: String, in tenant: String?) -> GuestMarker? {
    if isPersonal(idp) { return .personal }
    guard let home = self.tenant(ofProvider: idp) else { return .otherProvider }
    return tenant.nonBlank?.identifier.isExactly(home) == true ? nil : .otherTenant
  }

  /// The hosts of issuers in China and Germany, which no sign-in goes to.
  private static let issuers: Set = ["sts.chinacloudapi.cn", "sts.microsoftonline.de"]

  /// The tenant of a URL such as `https://sts.windows.net/TENANT/`, in any cloud.
  static func tenant(ofProvider idp: String) -> String? {
    guard let authority = Authority(idp), authority.isKnown || issuers.contains(authority.host)
    else { return nil }
    return authority.tenant.id
  }
}
