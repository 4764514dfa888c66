// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for the refresh tokens of one account's clients: of each the best, unless MSAL has one.
struct RefreshTokenPlan: Sendable {
  private(set) var decisions = DecisionLog()
  /// The clients that have, or will have, a refresh token of their own.
  private(set) var clients: Set<ExactText> = []
  private let person: Person
  private let context: PlanContext

  /// - Parameter cache: where entries go.
  init(
    _ person: Person, _ rows: [ResolvedRow], _ context: PlanContext, in cache: inout MSALIndex
  ) {
    self.person = person
    self.context = context
    for (client, candidates) in rows.filter({ $0.row.token.refresh != nil }).groups(
      by: \.row.client)
    where candidates.first?.row.kind != .familyRefreshToken {
      plan(client, candidates, &cache)
    }
  }

  private mutating func plan(
    _ client: ExactText, _ candidates: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    let key = person.key(.refreshToken, owner: client.text)
    let ordered = context.ages.preferredFirst(candidates, home: person.home)
    if let there = context.entries(key).first {
      decisions.keep(there, for: ordered, context)
      clients.insert(client)
      return
    }
    guard let winner = ordered.first, let secret = winner.row.token.refresh else { return }
    let token = MSALEntry(
      kind: .refreshToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: context.clientID(of: winner.row),
      secret: secret)
    let numbers = ordered.lazy.map(\.number)
    guard let id = decisions.add(token, key, for: numbers, context, in: &cache) else { return }
    clients.insert(client)
    for row in ordered { settle(row, winner: winner, id) }
  }

  private mutating func settle(_ row: ResolvedRow, winner: ResolvedRow, _ id: Int) {
    let isWinner = row.number == winner.number
    let isSingle = row.row.kind == .singleResourceToken
    // Other ADALs repeat a refresh token in every row of the account.
    let isCopy =
      row.row.token.origin != .apple && row.row.token.refresh == winner.row.token.refresh
    if !isWinner && !isCopy {
      let isSuperseded = isSingle && winner.row.kind != .singleResourceToken
      decisions.note(isSuperseded ? .rtSingleSuperseded : .rtDuplicate, row: row.number)
    }
    guard row.row.token.refresh == winner.row.token.refresh else { return }
    decisions.settle(.converted, row: row.number)
    decisions.tie(row: row.number, to: id)
    if winner.row.kind == .singleResourceToken {
      decisions.note(.rtSingleResource, row: row.number)
    } else if isWinner || isCopy {
      decisions.note(.okMRRT, row: row.number)
    }
    if context.isStale(row.row) { decisions.note(.rtPossiblyStale, row: row.number) }
  }
}

extension DecisionLog {
  /// What MSAL already has stays; the rows are there, whatever their secret is (D17, D23).
  mutating func keep(_ there: MSALEntry, for rows: [ResolvedRow], _ context: PlanContext) {
    for row in rows {
      settle(.alreadyThere, row: row.number)
      if row.row.token.refresh == there.secret {
        note(.keepIdentical, row: row.number)
      } else if context.isProvablyNewer(row.row, than: there) {
        note(.keepTargetOlder, row: row.number)
      } else {
        note(.keepTargetNewer, row: row.number)
      }
    }
  }
}

extension PlanContext {
  /// How long the service keeps an unused refresh token alive, by default.
  private static let refreshTokenLifetime = 90.0 * 86_400

  /// Whether a row has a newer refresh token than the target, as far as anything says.
  fileprivate func isProvablyNewer(_ row: LegacyRow, than token: MSALEntry) -> Bool {
    guard let mine = ages.age(of: row), let theirs = token.storedAt else { return false }
    return mine > theirs
  }

  /// Whether the service has given up on the row's refresh token, unless it was used elsewhere.
  func isStale(_ row: LegacyRow) -> Bool {
    ages.age(of: row).map { now - $0 > Self.refreshTokenLifetime } ?? false
  }
}
