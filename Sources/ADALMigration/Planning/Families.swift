// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// The refresh tokens of the families that one account's clients are in: of each the best, unless MSAL has one.
extension CachePlan {
  /// - Returns: the families that have, or will have, a refresh token.
  mutating func planFamilies(of account: PlannedAccount, _ rows: [ResolvedRow]) -> Set<String> {
    let byFamily = rows.filter { $0.row.family != nil }.groups { $0.row.family ?? "" }
    guard !byFamily.isEmpty else { return [] }
    let bySecret = Dictionary(grouping: rows.filter { $0.row.token.refresh != nil }) {
      $0.row.token.refresh
    }
    var families: Set<String> = []
    for (family, own) in byFamily {
      // A row that holds the family's own token is of it, whatever it says itself.
      let secrets = Set(
        own.filter { $0.row.kind == .familyRefreshToken }.map(\.row.token.refresh))
      let sharing = secrets.flatMap { bySecret[$0] ?? [] }.filter { $0.row.family != family }
      let rows = (own + sharing).ordered { $0.number < $1.number }
      if planFamily(family, of: account, rows) { families.insert(family) }
    }
    return families
  }

  /// - Returns: whether the family has, or will have, a refresh token.
  private mutating func planFamily(
    _ family: String, of account: PlannedAccount, _ rows: [ResolvedRow]
  ) -> Bool {
    let own = ages.preferredFirst(
      rows.filter { $0.row.kind == .familyRefreshToken && $0.row.family == family },
      home: account.home)
    let ownSecrets = Set(own.compactMap(\.row.token.refresh))
    let members = rows.filter {
      $0.row.kind != .familyRefreshToken
        && ($0.row.family == family || $0.row.token.refresh.map(ownSecrets.contains) ?? false)
    }
    let holders = ages.preferredFirst(
      members.filter { $0.row.kind == .multiResourceRefreshToken }, home: account.home)
    let key = account.entryKey(.familyRefreshToken, owner: family)
    // Others are written as they are.
    if family != ClientFamilies.known { decisions.note(.familyUnknown, rows: own + holders) }
    if let there = cache.entries(key).first {
      keep(there, for: own)
      decisions.note(.okFRTMember, rows: holders)
      return true
    }
    guard let winner = own.first ?? holders.first, let secret = winner.row.token.refresh else {
      return false
    }
    guard
      let clientID = clientOfFamilyToken(secret, members) ?? declaredClient(of: family, account)
    else {
      decisions.note(whyNoClient(of: family, account), rows: own)
      return false
    }
    let token = account.token(
      .refreshToken, clientID: clientID, secret, familyID: family)
    guard let addition = add(token, key, for: (own + holders).lazy.map(\.number)) else {
      return false
    }
    for row in holders {
      decisions.note(.okFRTMember, row: row.number)
      decisions.tie(row: row.number, to: addition)
    }
    let secrets = Set(holders.compactMap(\.row.token.refresh))
    let isDiverged = !secrets.isEmpty && !secrets.contains(secret)
    for row in own {
      guard row.row.token.refresh == secret else {
        decisions.note(.rtDuplicate, row: row.number)
        continue
      }
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: addition)
      decisions.note(.okFRT, row: row.number)
      if isDiverged { decisions.note(.rtFRTDiverged, row: row.number) }
      if isStale(row.row) { decisions.note(.rtPossiblyStale, row: row.number) }
    }
    return true
  }

  /// D26: the member with the same secret, else the newest, else the one with the smallest id.
  private func clientOfFamilyToken(_ secret: TokenSecret, _ members: [ResolvedRow]) -> String? {
    let same = members.filter { $0.row.token.refresh == secret }
    let pool = same.isEmpty ? members : same
    let newest = pool.map { ages.age(of: $0.row) ?? -.infinity }.max()
    return pool.filter { (ages.age(of: $0.row) ?? -.infinity) == newest }
      .map { clientID(of: $0.row) }.min()
  }

  /// A client that the policy names, and of which the target says that it is in the family.
  private func declaredClient(of family: String, _ account: PlannedAccount) -> String? {
    declaredClients(of: family, account).filter { !isSignedOut(account, of: $0) }.min()
  }

  private func declaredClients(of family: String, _ account: PlannedAccount) -> [String] {
    (policy.clientIDs ?? []).filter {
      let client = ClientKey(cloud: account.key.cloud, client: $0)
      return families.membership(of: client) == .member(of: family)
    }
  }

  /// Why there is no client to write a family's token for: the only ones that are known are signed out
  /// (D13), or none is known.
  private func whyNoClient(of family: String, _ account: PlannedAccount) -> Reason {
    let members = account.rows.filter {
      $0.row.kind != .familyRefreshToken && $0.row.family == family
    }
    if members.contains(where: { isSignedOut(account, of: $0.row.client.text) })
      || declaredClients(of: family, account).contains(where: { isSignedOut(account, of: $0) })
    {
      return .accountSignedOut
    }
    return policy.clientIDs == nil ? .rtFRTNoClient : .rtFRTForeign
  }
}
