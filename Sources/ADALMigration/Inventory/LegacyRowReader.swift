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

  /// The ID token as ADAL and MSAL for iOS and macOS read it.
  convenience init?(_ token: TokenSecret) {
    guard let claims = IDTokenClaims(token) else { return nil }
    self.init(claims)
  }

  /// The ID token as libraries of other platforms read it.
  convenience init?(ofPayload token: TokenSecret) {
    guard let claims = IDTokenClaims.ofPayload(token) else { return nil }
    self.init(claims)
  }

  private init(_ claims: IDTokenClaims) {
    self.claims = claims
    userID = claims.userID
    realm = claims.tid.nonBlank?.identifier
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
  private var idTokens: [HashedSecret: IDToken?] = [:]
  /// The one that was asked for last: rows of one sign-in often follow each other.
  private var last: (token: TokenSecret, content: IDToken?)?

  init(policy: Policy) { self.policy = policy }

  /// - Parameters:
  ///   - number: the number of the row in the inventory.
  ///   - group: the access group that the row is planned for.
  mutating func row(_ token: consuming LegacyToken, number: Int, group: String) -> LegacyRow {
    let (authority, idToken) = (authority(of: token), idToken(of: token))
    return LegacyRow(
      number: number, group: group, token: token, authority: authority, idToken: idToken,
      policy: policy)
  }

  /// A row of another ADAL's with what other rows say of it; the row itself where they say nothing.
  mutating func row(_ row: LegacyRow, knowing peers: PeerRows) -> LegacyRow {
    let facts = LegacyRow.PeerFacts(
      tenant: peers.tenant(of: row), isOverwritten: peers.isOverwritten(row))
    guard facts.tenant != nil || facts.isOverwritten else { return row }
    return LegacyRow(
      number: row.number, group: row.group, token: row.token, authority: row.authority,
      idToken: row.idToken, policy: policy, peers: facts)
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
    if let last, last.token == raw { return last.content }
    let idToken = knownIDToken(raw, of: token)
    last = (raw, idToken)
    return idToken
  }

  private mutating func knownIDToken(_ raw: TokenSecret, of token: LegacyToken) -> IDToken? {
    let key = HashedSecret(raw)
    if let known = idTokens[key] { return known }
    let idToken = token.origin == .apple ? IDToken(raw) : IDToken(ofPayload: raw)
    idTokens[key] = .some(idToken)
    return idToken
  }
}
