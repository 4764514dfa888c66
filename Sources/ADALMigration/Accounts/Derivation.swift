// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// What a row's own ID token and authority say about its home account id (mapping-rules §2.4).
enum Derivation: Sendable {
  /// `oid.tid`, since nothing speaks against the user being a member of the tenant.
  case id(HomeAccountID, Report.Confidence, evidence: [String])
  /// Nothing certain, and why.
  case open([Reason], Report.Confidence)
}

extension LegacyRow {
  /// Whether the row's tokens are of an authority whose word counts for other rows.
  var isEvidence: Bool {
    authority?.kind == .aad && !obstacles.contains(.envUnknownHost)
      && !obstacles.contains(.authorityMalformed)
  }

  /// The guest markers of the row, as evidence codes.
  var guestEvidence: [String] {
    idToken?.guestMarkers.map(\.rawValue) ?? []
  }
}

extension Derivation {
  /// What a token derives by itself.
  ///
  /// - Parameter userName: the name of the user, be it the ID token's or the key's.
  init(
    _ token: LegacyToken, authority: Authority?, idToken: IDToken?, userName: String?
  ) {
    let nameOnly: Report.Confidence = userName == nil ? .none : .usernameOnly
    guard let idToken else {
      self = .open(Self.reasonsWithoutClaims(token, authority, userName), nameOnly)
      return
    }
    do {
      self = try Self.member(idToken, authority)
    } catch {
      self = .open(error.reasons, nameOnly)
    }
  }

  /// Why nothing is certain.
  private struct Doubt: Error {
    let reasons: [Reason]

    init(_ reasons: Reason...) { self.reasons = reasons }
  }

  private static func member(
    _ idToken: IDToken, _ authority: Authority?
  ) throws(Doubt) -> Derivation {
    guard let authority else { throw Doubt(.authorityMalformed) }
    guard let tid = idToken.realm, tid.isGUID else {
      throw Doubt(.homeNoOID, .idTokenNoTID)
    }
    guard let id = idToken.member else { throw Doubt(.homeNoOID) }
    if tid == GuestMarker.consumerTenant { return try personalAccount(id) }
    let markers = idToken.guestMarkers
    if markers.contains(.personal) { throw Doubt(.homeMSAGuest) }
    if !markers.isEmpty { throw Doubt(.homeGuestUnresolved) }
    switch authority.tenant {
    case .common: return .id(id, .homeAuthority, evidence: ofCommon)
    case .organizations: return .id(id, .homeAuthority, evidence: ofOrganizations)
    case .consumers: throw Doubt(.homeMSAUnknown)
    case .id(let tenant) where tenant != tid: throw Doubt(.tenantMismatch)
    case .id: return try ofTenant(id, idToken, evidence: "authority.tenant-id")
    case .domain: return try ofTenant(id, idToken, evidence: "authority.tenant-domain")
    }
  }

  private static let ofCommon = ["idtoken.oid+tid", "authority.common"]
  private static let ofOrganizations = ["idtoken.oid+tid", "authority.organizations"]

  private static func ofTenant(
    _ id: HomeAccountID, _ idToken: IDToken, evidence: String
  ) throws(Doubt) -> Derivation {
    guard idToken.claims.upn.nonBlank != nil else { throw Doubt(.homeGuestUnresolved) }
    return .id(id, .tenantMember, evidence: ["idtoken.oid+tid", "idtoken.upn", evidence])
  }

  /// A personal account's uid is its CID padded to a GUID; any other `oid` is not its own.
  private static func personalAccount(_ id: HomeAccountID) throws(Doubt) -> Derivation {
    guard id.uid.hasPrefix("00000000-0000-0000-") else { throw Doubt(.homeMSAUnknown) }
    return .id(
      id, .homeAuthority, evidence: ["idtoken.oid+tid", "idtoken.microsoft-account"])
  }

  private static func reasonsWithoutClaims(
    _ token: LegacyToken, _ authority: Authority?, _ userName: String?
  ) -> [Reason] {
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
