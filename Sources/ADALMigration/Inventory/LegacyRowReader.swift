// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// An ID token, read once for all rows that hold it.
final class IDToken: Sendable {
  let claims: IDTokenClaims
  /// What ADAL and MSAL call the user id.
  let userID: String?
  /// The tenant that issued it, lower-case.
  let realm: String?
  /// The user as that tenant knows it.
  let object: ObjectID?
  let issuedAt: Double?
  /// The home account id of a member of that tenant; nil unless both of its parts are GUIDs.
  let member: HomeAccountID?
  /// The signs that the user is a guest there.
  let guestMarkers: [GuestMarker]

  /// Reads a token as IdentityCore does.
  convenience init?(_ token: Secret) {
    guard let claims = IDTokenClaims(token) else { return nil }
    self.init(claims)
  }

  /// Reads a token as other libraries do.
  convenience init?(payloadOf token: Secret) {
    guard let claims = IDTokenClaims.ofPayload(token) else { return nil }
    self.init(claims)
  }

  private init(_ claims: IDTokenClaims) {
    self.claims = claims
    userID = claims.userID
    realm = claims.tid.nonBlank?.lowercasedLikeNSString
    object = ObjectID(tid: claims.tid, oid: claims.oid)
    member = object.map { HomeAccountID(uid: $0.oid, utid: $0.tid) }.flatMap {
      $0.isGUIDs ? $0 : nil
    }
    issuedAt = claims.issuedAt
    guestMarkers = GuestMarker.all(in: claims)
  }
}

/// Makes rows of tokens. What many rows have in common, their authority and their ID token, is read once
/// (D38).
struct LegacyRowReader {
  private let policy: Policy
  private var authorities: [String: Authority?] = [:]
  private var idTokens: [Secret: IDToken?] = [:]
  /// Those of ADAL for .NET, which are read by other rules.
  private var otherIDTokens: [Secret: IDToken?] = [:]

  init(policy: Policy) { self.policy = policy }

  /// - Parameters:
  ///   - number: the number of the row in the inventory.
  ///   - group: the access group that the row is planned for.
  ///   - others: what other rows say of it.
  mutating func row(
    _ token: LegacyToken, number: Int, group: String, others: OtherRows
  ) -> LegacyRow {
    LegacyRow(
      number: number, group: group, token: token, authority: authority(of: token),
      idToken: idToken(of: token), others: others, policy: policy)
  }

  /// What rows say of each other.
  mutating func others(_ tokens: [LegacyToken]) -> OtherRows {
    guard tokens.contains(where: { $0.origin != .apple }) else { return OtherRows() }
    return OtherRows(tokens.map { ($0, authority(of: $0), idToken(of: $0)) })
  }

  private mutating func authority(of token: LegacyToken) -> Authority? {
    guard let text = token.authority else { return nil }
    if let known = authorities[text] { return known }
    let authority = Authority(text)
    authorities[text] = .some(authority)
    return authority
  }

  private mutating func idToken(of token: LegacyToken) -> IDToken? {
    guard let raw = token.rawIDToken else { return nil }
    guard token.origin == .apple else {
      if let known = otherIDTokens[raw] { return known }
      let idToken = IDToken(payloadOf: raw)
      otherIDTokens[raw] = .some(idToken)
      return idToken
    }
    if let known = idTokens[raw] { return known }
    let idToken = IDToken(raw)
    idTokens[raw] = .some(idToken)
    return idToken
  }
}
