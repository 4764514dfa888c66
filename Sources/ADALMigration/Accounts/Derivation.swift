// SPDX-License-Identifier: MIT
import MSALCache

/// What a row's own ID token and authority say about its home account id (mapping-rules §2.4).
enum Derivation: Sendable {
  /// `oid.tid`, since nothing speaks against the user being a member of the tenant.
  case id(HomeAccountID, Report.Confidence, evidence: [String])
  /// Nothing certain, and why.
  case open([Reason], Report.Confidence)
}

extension LegacyRow {
  /// The row's cloud, or an empty name when its authority is malformed.
  var cloud: String { authority?.cloud ?? "" }

  /// Whether the row's tokens are of an authority whose word counts for other rows.
  var mayTestify: Bool {
    authority?.kind == .aad && !obstacles.contains(.envUnknownHost)
      && !obstacles.contains(.authorityMalformed)
  }

  /// The guest markers of the row, as evidence codes.
  var guestEvidence: [String] {
    guestMarkers.map(\.rawValue)
  }

  /// The guest markers of the row.
  var guestMarkers: [GuestMarker] {
    isKeptWithoutIDToken ? keptGuestMarkers : claims.map { GuestMarker.all(in: $0) } ?? []
  }

  /// What the row derives by itself.
  var derivation: Derivation {
    if isKeptWithoutIDToken { return keptDerivation }
    guard let claims else { return .open(reasonsWithoutClaims, nameOnly) }
    guard let authority else { return .open([.authorityMalformed], nameOnly) }
    guard let tid = claims.tid.nonBlank?.lowercasedLikeNSString, tid.isGUID else {
      return .open([.homeNoOID, .idTokenNoTID], nameOnly)
    }
    guard let oid = claims.oid.nonBlank?.lowercasedLikeNSString, oid.isGUID else {
      return .open([.homeNoOID], nameOnly)
    }
    let id = HomeAccountID(uid: oid, utid: tid)
    if tid == GuestMarker.consumerTenant {
      return personalAccount(id)
    }
    let markers = GuestMarker.all(in: claims)
    if markers.contains(.personal) { return .open([.homeMSAGuest], nameOnly) }
    if !markers.isEmpty { return .open([.homeGuestUnresolved], nameOnly) }
    switch authority.tenant {
    case .common:
      return .id(id, .homeAuthority, evidence: ["idtoken.oid+tid", "authority.common"])
    case .organizations:
      return .id(id, .homeAuthority, evidence: ["idtoken.oid+tid", "authority.organizations"])
    case .consumers:
      return .open([.homeMSAUnknown], nameOnly)
    case .id(let tenant) where tenant != tid:
      return .open([.tenantMismatch], nameOnly)
    case .id:
      return member(id, claims, evidence: "authority.tenant-id")
    case .domain:
      return member(id, claims, evidence: "authority.tenant-domain")
    }
  }

  var nameOnly: Report.Confidence { userName == nil ? .none : .usernameOnly }

  private func member(_ id: HomeAccountID, _ claims: IDTokenClaims, evidence: String) -> Derivation
  {
    guard claims.upn.nonBlank != nil else { return .open([.homeGuestUnresolved], nameOnly) }
    return .id(id, .tenantMember, evidence: ["idtoken.oid+tid", "idtoken.upn", evidence])
  }

  /// A personal account's uid is its CID padded to a GUID; any other `oid` is not its own.
  private func personalAccount(_ id: HomeAccountID) -> Derivation {
    guard id.uid.hasPrefix("00000000-0000-0000-") else { return .open([.homeMSAUnknown], nameOnly) }
    return .id(id, .homeAuthority, evidence: ["idtoken.oid+tid", "idtoken.microsoft-account"])
  }

  var reasonsWithoutClaims: [Reason] {
    var reasons: [Reason] = []
    if token.rawIDToken.map({ !$0.isEmpty }) ?? false {
      reasons = [.homeNoIDToken, .idTokenMalformed]
    } else {
      reasons = [userName == nil ? .homeEmptyUser : .homeUsernameOnly]
    }
    switch authority?.tenant {
    case .domain: reasons.append(.tenantDomainUnresolved)
    case .common, .organizations: reasons.append(.tenantCommonNoIDToken)
    case .consumers, .id, nil: break
    }
    return reasons
  }
}
