// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

// The refresh tokens of the families that one account's clients are in: of each the best, unless MSAL has one.
extension CachePlan {
  /// - Returns: the families that have, or will have, a refresh token.
  mutating func planFamilies(of account: PlannedAccount, _ rows: [ADALRow]) -> Set<Symbol> {
    let byFamily = rows.filter { $0.family != .none }.groups(by: \.family, table.symbols)
    guard !byFamily.isEmpty else { return [] }
    var byToken: [Int: [ADALRow]] = [:]
    for row in rows where row.kind != .familyRefreshToken {
      if let token = row.refreshToken { byToken[token, default: []].append(row) }
    }
    var families: Set<Symbol> = []
    for (family, own) in byFamily {
      // A row with the family's own token belongs to the family, even if the row names another one.
      let ofFamily = own.lazy.filter { $0.kind == .familyRefreshToken }
      let tokens = Set(ofFamily.compactMap(\.refreshToken))
      var sharing: [ADALRow] = []
      for token in tokens {
        guard let rows = byToken[token] else { continue }
        sharing += rows.filter { $0.family != family }
        // If it is another family's, too, the client that it is written for is enough.
        if rows.count > 1 { byToken[token] = newest(rows).map { [$0] } }
      }
      let rows = (own + sharing).ordered { $0.number < $1.number }
      if planFamily(family, of: account, rows) { families.insert(family) }
    }
    return families
  }

  /// - Returns: whether the family has, or will have, a refresh token.
  private mutating func planFamily(
    _ family: Symbol, of account: PlannedAccount, _ rows: [ADALRow]
  ) -> Bool {
    let own = rows.filter { $0.kind == .familyRefreshToken && $0.family == family }
    let ownTokens = Set(own.lazy.compactMap(\.refreshToken))
    let members = rows.filter {
      $0.kind != .familyRefreshToken
        && ($0.family == family || $0.refreshToken.map(ownTokens.contains) ?? false)
    }
    let holders = members.filter { $0.kind == .multiResourceRefreshToken }
    let key = account.entryKey(.familyRefreshToken, owner: family)
    // Others are written as they are.
    if table.symbols[family] != ClientFamilies.known {
      decisions.note(.familyUnknown, rows: own + holders)
    }
    if let there = entries(key).first {
      keep(there, for: own)
      decisions.note(.okFRTMember, rows: holders)
      return true
    }
    guard
      let winner = ages.preferred(own.isEmpty ? holders : own, home: account.home, table)
    else { return false }
    guard
      let client = clientOfFamilyToken(winner, members)
        ?? declaredClients(of: family, account).min()
    else {
      decisions.note(whyNoClient(of: family, account), rows: own)
      return false
    }
    guard
      let addition = add(
        .refreshToken, of: winner, key, for: account, client: table.symbols.symbol(of: client),
        family: family, telling: (own + holders).lazy.map(\.number))
    else { return false }
    for row in holders {
      decisions.note(.okFRTMember, row: row.number)
      decisions.tie(row: row.number, to: addition)
    }
    let isDiverged =
      !holders.isEmpty && !holders.contains { $0.refreshToken == winner.refreshToken }
    for row in own {
      guard row.refreshToken == winner.refreshToken else {
        decisions.note(.rtDuplicate, row: row.number)
        continue
      }
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: addition)
      decisions.note(.okFRT, row: row.number)
      if isDiverged { decisions.note(.rtFRTDiverged, row: row.number) }
      if isStale(row) { decisions.note(.rtPossiblyStale, row: row.number) }
    }
    return true
  }

  /// D26: the member with the same token, else the newest, else the one with the smallest id.
  private func clientOfFamilyToken(_ winner: ADALRow, _ members: [ADALRow]) -> String? {
    let same = members.filter { $0.refreshToken == winner.refreshToken }
    let pool = same.isEmpty ? members : same
    return newest(pool).map { table.symbols[written($0)] }
  }

  /// The row with the newest token; of several, the one with the smallest client id.
  private func newest(_ rows: [ADALRow]) -> ADALRow? {
    rows.min { a, b in
      let (own, other) = (ages.age(of: a) ?? -.infinity, ages.age(of: b) ?? -.infinity)
      return own != other ? own > other : table.symbols.order(written(a), written(b)) < 0
    }
  }

  /// The clients that the policy names, that the target says to be in the family, and that the user is not signed
  /// out of.
  mutating func declaredClients(of family: Symbol, _ account: PlannedAccount) -> [String] {
    let cloud = account.symbols.cloud
    if cloudsOfMembers.insert(cloud).inserted { noteMembers(in: cloud) }
    let members = declaredMembers[CloudSymbol(cloud: cloud, id: family)] ?? []
    return members.map { table.symbols[$0] }.filter { !isSignedOut(account, of: $0) }
  }

  /// Notes which of the clients that the policy names are in a family.
  private mutating func noteMembers(in cloud: Symbol) {
    for id in policy.clientIDs ?? [] {
      let client = ClientKey(cloud: table.symbols[cloud], client: id)
      if case .member(let name) = families.membership(of: client, table.symbols) {
        let family = CloudSymbol(cloud: cloud, id: table.symbols.symbol(of: name))
        declaredMembers[family, default: []].insert(table.symbols.symbol(of: id))
      }
    }
  }

  private func isMember(_ client: String, of family: Symbol, _ account: PlannedAccount) -> Bool {
    let client = ClientKey(cloud: account.key.cloud, client: client)
    return families.membership(of: client, table.symbols) == .member(of: table.symbols[family])
  }

  /// The reason if there is no client for a family's token: the user has signed out of the only known clients (D13), or
  /// no client is known.
  private func whyNoClient(of family: Symbol, _ account: PlannedAccount) -> Reason {
    let signedOut = cache.clientsSignedOut(home: account.key.home)
    if signedOut.contains(where: { isMember($0.text, of: family, account) }) {
      return .accountSignedOut
    }
    return policy.clientIDs == nil ? .rtFRTNoClient : .rtFRTForeign
  }
}
