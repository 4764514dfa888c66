// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The plan for one account: which of its rows become which entries.
///
/// Refresh tokens come first, since without one MSAL does not list the account and nothing else is
/// written (D24); then what a client with a refresh token needs beside it.
struct PersonPlan: Sendable {
  private(set) var person: Person
  private(set) var decisions = DecisionLog()

  /// - Parameter cache: where entries go.
  init(_ person: Person, _ context: PlanContext, in cache: inout MSALIndex) {
    let mark = cache.mark
    self.person = person
    let rows = withoutSignedOut(context)
    let excluded = context.exclusions.part(of: person)
    if excluded == .everything {
      for row in rows { decisions.note(.checkNotFound, row: row.number) }
      return
    }
    if Self.hasSeveralTargets(person, rows, context) {
      for row in rows { decisions.note(.conflictTargetMultiple, row: row.number) }
      return
    }
    let tokens = RefreshTokenPlan(person, rows, context, in: &cache)
    decisions.merge(tokens.decisions)
    let families = FamilyPlan(person, rows, context, in: &cache)
    decisions.merge(families.decisions)
    cover(rows, by: tokens.clients, families.families, context)

    let covered = rows.filter { isCovered($0.row) }
    for row in rows where !isCovered(row.row) && row.row.token.refresh == nil {
      decisions.note(.rtMissing, row: row.number)
    }
    guard !covered.isEmpty else { return }
    let tenants = TenantPlan(self.person, covered, context, in: &cache)
    decisions.merge(tenants.decisions)
    if !tenants.hasAccount {
      cache.release(backTo: mark)
      withdraw(covered)
    }
    let accessTokens = AccessTokenPlan(
      self.person, covered, tenants, context, isExcluded: excluded == .accessTokens, in: &cache)
    decisions.merge(accessTokens.decisions)
  }

  /// The rows whose client the user is not signed out of (D13).
  private mutating func withoutSignedOut(_ context: PlanContext) -> [ResolvedRow] {
    person.rows.filter { row in
      guard context.isSignedOut(person, of: row.row.client.text) else { return true }
      decisions.note(.accountSignedOut, row: row.number)
      return false
    }
  }

  /// Whether the target holds several refresh tokens where MSAL expects one and gives up.
  private static func hasSeveralTargets(
    _ person: Person, _ rows: [ResolvedRow], _ context: PlanContext
  ) -> Bool {
    guard context.form == .keychainItems else { return false }
    return Set(rows.map(\.row.client)).contains {
      let there = context.entries(person.key(.refreshToken, owner: $0.text))
      return Set(there.map(\.environment)).count > 1
    }
  }

  /// Notes who has a refresh token at the end. A client whose own is there in MSAL's form needs no row of
  /// ADAL's to have one, nor does a family (D24); a client without one uses its family's.
  private mutating func cover(
    _ rows: [ResolvedRow], by clients: Set<ExactText>, _ families: Set<String>,
    _ context: PlanContext
  ) {
    person.clients = clients
    person.families = families
    var members: [(client: ExactText, family: String)] = []
    for client in Set(
      rows.lazy.filter { $0.row.kind != .familyRefreshToken }.map(\.row.client))
    {
      if context.holds(person.key(.refreshToken, owner: client.text)) {
        person.clients.insert(client)
      }
      let key = ClientKey(cloud: person.account.cloud, client: client.text)
      guard let family = context.families.familySignIn(of: key) else { continue }
      members.append((client, family))
      if context.holds(person.key(.familyRefreshToken, owner: family)) {
        person.families.insert(family)
      }
    }
    for (client, family) in members where person.families.contains(family) {
      if person.clients.insert(client).inserted { person.clientsOfFamilyAlone.insert(client) }
    }
  }

  private func isCovered(_ row: LegacyRow) -> Bool {
    row.kind == .familyRefreshToken
      ? person.families.contains(row.family ?? "") : person.clients.contains(row.client)
  }

  /// Takes back everything that would be written, since the account itself cannot be.
  private mutating func withdraw(_ rows: [ResolvedRow]) {
    let hasOtherType = decisions.says(.targetTypeClash, ofAnyOf: Set(rows.map(\.number)))
    decisions = decisions.withoutAdditions()
    for row in rows {
      decisions.note(hasOtherType ? .targetTypeClash : .targetCorrupt, row: row.number)
    }
    person.clients = []
    person.families = []
  }
}
