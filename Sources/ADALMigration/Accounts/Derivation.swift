// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// The home account ID that a row's own ID token and authority give (mapping-rules §2.4).
enum Derivation: Sendable {
  /// `oid.tid`, if there is no sign that the user is a guest of the tenant.
  case id(HomeAccountID, Confidence, evidence: [String])
  /// No certain ID, with the reasons.
  case open([Reason], Confidence)
}

extension Derivation {
  /// The input of a derivation. Rows with equal input derive the same.
  struct Basis: Hashable {
    /// By number.
    let authority: Int?
    /// By number.
    let idToken: Int?
    let hasName: Bool
    /// Whether there is an ID token, readable or not.
    let hasToken: Bool
  }
}

extension Derivation {
  /// Derives the home account ID from one token.
  ///
  /// - Parameters:
  ///   - hasName: whether the ID token or the key names the user.
  ///   - storedObject: the object of a row that keeps its user without an ID token.
  ///   - storedTenant: the tenant of a row that keeps its user without an ID token.
  ///   - isOfTwoTenants: whether rows of several tenants have its object.
  init(
    _ token: borrowing LegacyToken, authority: Authority?, idToken: RowIDToken?, hasName: Bool,
    storedObject: String?, storedTenant: String?, isOfTwoTenants: Bool
  ) {
    do throws(Unresolved) {
      if token.isStoredWithoutIDToken {
        self = try Self.stored(
          token, authority, hasName, storedObject, storedTenant, isOfTwoTenants)
      } else if let idToken {
        self = try Self.member(idToken, authority)
      } else {
        throw Unresolved(Self.reasonsWithoutClaims(token, authority, hasName))
      }
    } catch {
      self = .open(error.reasons, hasName ? .usernameOnly : .none)
    }
  }

  /// The reasons why the ID is not certain.
  private struct Unresolved: Error {
    let reasons: [Reason]

    init(_ reasons: Reason...) { self.reasons = reasons }
    init(_ reasons: [Reason]) { self.reasons = reasons }
  }

  /// The proof in the fields of a member that ADAL stored without an ID token (other-adals §8.2, E4).
  private static func stored(
    _ token: LegacyToken, _ authority: Authority?, _ hasName: Bool, _ object: String?,
    _ tenant: String?, _ isOfTwoTenants: Bool
  ) throws(Unresolved) -> Derivation {
    guard let authority else { throw Unresolved(.authorityMalformed) }
    guard token.storedName != nil else { throw Unresolved(.homeEmptyUser) }
    let markers = token.storedGuestMarkers(in: tenant)
    if markers.contains(.personal) { throw Unresolved(.homeMSAGuest) }
    if !markers.isEmpty { throw Unresolved(.homeGuestUnresolved) }
    if isOfTwoTenants { throw Unresolved(.conflictHomeID) }
    guard let object, let tenant, token.isVouchedFor else {
      throw Unresolved(reasonsWithoutClaims(token, authority, hasName))
    }
    if tenant == HomeAccountID.consumerTenant || authority.tenant == .consumers {
      throw Unresolved(.homeMSAUnknown)
    }
    if let asked = authority.tenant.id, asked != tenant { throw Unresolved(.tenantMismatch) }
    return .id(
      HomeAccountID(uid: object, utid: tenant), .joined,
      evidence: [
        "fields.oid+tenant",
        token.storedProvider == nil
          ? "fields.no-identity-provider" : "fields.identity-provider",
      ])
  }

  private static func member(
    _ idToken: RowIDToken, _ authority: Authority?
  ) throws(Unresolved) -> Derivation {
    guard let authority else { throw Unresolved(.authorityMalformed) }
    let (oid, tid) = (idToken.claims.oid.nonBlank, idToken.claims.tid.nonBlank)
    let id = HomeAccountID(uid: oid ?? "", utid: tid ?? "")
    guard id.utid.isGUID else { throw Unresolved(.homeNoOID, .idTokenNoTID) }
    guard id.uid.isGUID else { throw Unresolved(.homeNoOID) }
    if id.utid == HomeAccountID.consumerTenant { return try personalAccount(id) }
    let markers = idToken.guestMarkers
    if markers.contains(.personal) { throw Unresolved(.homeMSAGuest) }
    if !markers.isEmpty { throw Unresolved(.homeGuestUnresolved) }
    switch authority.tenant {
    case .common: return .id(id, .homeAuthority, evidence: ofCommon)
    case .organizations: return .id(id, .homeAuthority, evidence: ofOrganizations)
    case .consumers: throw Unresolved(.homeMSAUnknown)
    case .id(let tenant) where !tenant.isExactly(id.utid): throw Unresolved(.tenantMismatch)
    case .id: return try ofTenant(id, idToken, evidence: "authority.tenant-id")
    case .domain: return try ofTenant(id, idToken, evidence: "authority.tenant-domain")
    }
  }

  private static let ofCommon = ["idtoken.oid+tid", "authority.common"]
  private static let ofOrganizations = ["idtoken.oid+tid", "authority.organizations"]

  private static func ofTenant(
    _ id: HomeAccountID, _ idToken: RowIDToken, evidence: String
  ) throws(Unresolved) -> Derivation {
    guard idToken.claims.upn.nonBlank != nil else { throw Unresolved(.homeGuestUnresolved) }
    return .id(id, .tenantMember, evidence: ["idtoken.oid+tid", "idtoken.upn", evidence])
  }

  /// A personal account's uid is its CID padded to a GUID; any other `oid` is not its own.
  private static func personalAccount(_ id: HomeAccountID) throws(Unresolved) -> Derivation {
    guard id.uid.hasPrefix("00000000-0000-0000-") else { throw Unresolved(.homeMSAUnknown) }
    return .id(
      id, .homeAuthority, evidence: ["idtoken.oid+tid", "idtoken.microsoft-account"])
  }

  private static func reasonsWithoutClaims(
    _ token: LegacyToken, _ authority: Authority?, _ hasName: Bool
  ) -> [Reason] {
    var reasons: [Reason] = []
    if token.rawIDToken.map({ !$0.isEmpty }) ?? false {
      reasons = [.homeNoIDToken, .idTokenMalformed]
    } else {
      reasons = [hasName ? .homeUsernameOnly : .homeEmptyUser]
    }
    switch authority?.tenant {
    case .domain: reasons.append(.tenantDomainUnresolved)
    case .common, .organizations: reasons.append(.tenantCommonNoIDToken)
    case .consumers, .id, nil: break
    }
    return reasons
  }
}
