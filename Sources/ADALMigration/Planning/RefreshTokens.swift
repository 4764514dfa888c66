// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// The refresh tokens of one account's clients: of each the best, unless MSAL has one.
extension CachePlan {
  /// - Returns: the clients that have, or will have, a refresh token of their own.
  mutating func planRefreshTokens(of account: PlannedAccount, _ rows: [ADALRow]) -> Set<Symbol> {
    var clients: Set<Symbol> = []
    for (client, candidates) in rows.filter({ $0.refreshToken != nil }).groups(
      by: \.client, table.symbols)
    where candidates.first?.kind != .familyRefreshToken {
      if planRefreshToken(of: account, client, candidates) { clients.insert(client) }
    }
    return clients
  }

  /// - Returns: whether the client has, or will have, a refresh token.
  private mutating func planRefreshToken(
    of account: PlannedAccount, _ client: Symbol, _ candidates: [ADALRow]
  ) -> Bool {
    let key = account.entryKey(.refreshToken, owner: client)
    if let there = entries(key).first {
      keep(there, for: candidates)
      return true
    }
    guard let winner = ages.preferred(candidates, home: account.home, table),
      let addition = add(
        .refreshToken, of: winner, key, for: account, client: written(winner),
        telling: candidates.lazy.map(\.number))
    else { return false }
    for row in candidates { settle(row, winner: winner, addition) }
    return true
  }

  private mutating func settle(_ row: ADALRow, winner: ADALRow, _ addition: Int) {
    let isWinner = row.number == winner.number
    let isSingle = row.kind == .singleResourceToken
    let isSame = row.refreshToken == winner.refreshToken
    // Other ADALs repeat a refresh token in every row of the account.
    let isCopy = !row.isOfApple && isSame
    if !isWinner && !isCopy {
      let isSuperseded = isSingle && winner.kind != .singleResourceToken
      decisions.note(isSuperseded ? .rtSingleSuperseded : .rtDuplicate, row: row.number)
    }
    guard isSame else { return }
    decisions.settle(.converted, row: row.number)
    decisions.tie(row: row.number, to: addition)
    if winner.kind == .singleResourceToken {
      decisions.note(.rtSingleResource, row: row.number)
    } else if isWinner || isCopy {
      decisions.note(.okMRRT, row: row.number)
    }
    if isStale(row) { decisions.note(.rtPossiblyStale, row: row.number) }
  }

  /// MSAL's existing token stays, and the rows count as already there, whatever their secret is (D17, D23).
  mutating func keep(_ there: MSALEntry, for rows: [ADALRow]) {
    for row in rows {
      decisions.settle(.alreadyThere, row: row.number)
      if table.tokens[row.index].token.refresh == there.secret {
        decisions.note(.keepIdentical, row: row.number)
      } else {
        let isNewer = isProvablyNewer(row, than: there)
        decisions.note(isNewer ? .keepTargetOlder : .keepTargetNewer, row: row.number)
      }
    }
  }

  /// The lifetime of an unused refresh token at the service, by default.
  private static let refreshTokenLifetime = 90.0 * 86_400

  /// Whether a row has a newer refresh token than the target, as far as anything says.
  private func isProvablyNewer(_ row: ADALRow, than token: MSALEntry) -> Bool {
    guard let mine = ages.age(of: row), let theirs = token.storedAt else { return false }
    return mine > theirs
  }

  /// Whether the service has given up on the row's refresh token, unless it was used elsewhere.
  func isStale(_ row: ADALRow) -> Bool {
    ages.age(of: row).map { now - $0 > Self.refreshTokenLifetime } ?? false
  }
}
