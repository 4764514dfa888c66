// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// The plan for one account's access tokens: which of them MSAL can still use, and under which scope (D2).
struct AccessTokenPlan: Sendable {
  private(set) var decisions = DecisionLog()
  private let person: Person
  private let context: PlanContext
  private let tenants: TenantPlan

  /// - Parameters:
  ///   - covered: the rows whose client has a refresh token.
  ///   - tenants: the accounts and ID tokens beside them, without which MSAL serves none.
  ///   - isExcluded: whether they are left out because the check did not find them.
  ///   - cache: where entries go.
  init(
    _ person: Person, _ covered: [ResolvedRow], _ tenants: TenantPlan, _ context: PlanContext,
    isExcluded: Bool, in cache: inout MSALIndex
  ) {
    self.person = person
    self.tenants = tenants
    self.context = context
    let candidates = covered.filter { $0.row.token.access != nil }
    if isExcluded {
      for row in candidates { decisions.note(.checkNotFound, row: row.number) }
      return
    }
    for (client, rows) in candidates.groups(by: \.row.client) {
      plan(client.text, rows, &cache)
    }
  }

  /// Plans the access tokens of one client.
  private mutating func plan(
    _ client: String, _ candidates: [ResolvedRow], _ cache: inout MSALIndex
  ) {
    var usable: [Candidate] = []
    for (realm, rows) in candidates.groups(by: { ExactText($0.row.realm ?? "") }) {
      let common =
        realm.text.isEmpty ? .atNoIDToken : blockingReason(for: client, in: realm.text)
      for row in rows {
        let own = note(row.row.token.resource.nonBlank, of: row.row)
        if let reason = blockingReason(for: row.row) ?? own ?? common {
          decisions.note(reason, row: row.number)
        } else if let candidate = candidate(row) {
          usable.append(candidate)
        }
      }
    }
    for (key, candidates) in usable.groups(by: \.key) {
      var tie = TieBreak { $0.row.token.access }
      plan(
        key,
        candidates.count > 1
          ? candidates.sorted { Self.outlasts($0.row, $1.row, &tie) } : candidates, &cache)
    }
  }

  /// A row and its access token in MSAL's form. A class without a variable, since grouping and sorting copy
  /// values.
  private final class Candidate {
    let row: ResolvedRow
    let key: MSALEntry.Key
    let entry: MSALEntry

    init(_ row: ResolvedRow, _ key: MSALEntry.Key, _ entry: MSALEntry) {
      self.row = row
      self.key = key
      self.entry = entry
    }
  }

  private func candidate(_ row: ResolvedRow) -> Candidate? {
    guard let scope = row.row.scope, let entry = entry(row.row) else { return nil }
    return Candidate(row, entry.key(of: person.account, scope: scope), entry)
  }

  private mutating func plan(
    _ key: MSALEntry.Key, _ candidates: [Candidate], _ cache: inout MSALIndex
  ) {
    let rows = candidates.map(\.row)
    if context.holds(key) {
      for row in rows {
        decisions.settle(.alreadyThere, row: row.number)
        decisions.note(.keepAT, row: row.number)
      }
      return
    }
    guard let winner = candidates.first,
      let id = decisions.add(winner.entry, key, for: rows.lazy.map(\.number), context, in: &cache)
    else { return }
    for row in rows {
      if row.row.token.access == winner.row.row.token.access {
        decisions.settle(.converted, row: row.number)
        decisions.tie(row: row.number, to: id)
        decisions.note(.okAT, row: row.number)
      } else {
        decisions.note(.atSuperseded, row: row.number)
      }
    }
  }

  /// Why an access token is of no use to MSAL, in the order that a reader would ask.
  private func blockingReason(for row: LegacyRow) -> Reason? {
    guard context.policy.accessTokens else { return .atNotCarried }
    guard MSALEntry.isBearer(row.token.accessTokenType) else { return .atForeignType }
    guard let expiresOn = row.token.expiresOn, expiresOn >= context.now + MSALEntry.expiryBuffer
    else { return .atExpired }
    guard let resource = row.token.resource.nonBlank,
      resource.isOneWord || !resource.contains(where: \.isWhitespace)
    else { return .atScopeShape }
    return nil
  }

  /// Why all access tokens of a client and tenant are of no use to MSAL.
  private func blockingReason(for client: String, in realm: String) -> Reason? {
    guard hasUsableIDToken(client, realm) else { return .atNoIDToken }
    let account = person.key(.account, realm: realm)
    return tenants.accounts.contains(account) || context.holds(account)
      ? nil : .targetTypeClash
  }

  /// Whether MSAL finds an ID token of a client and tenant and can read it, without which it serves no
  /// access token.
  private func hasUsableIDToken(_ client: String, _ realm: String) -> Bool {
    let key = person.key(.idToken, owner: client, realm: realm)
    return context.holds(key) || tenants.idTokens.contains(key)
  }

  /// The token as the target's form has it. The application that it is bound to is part of MSAL's key for it in a
  /// keychain (D28).
  private func entry(_ row: LegacyRow) -> MSALEntry? {
    guard let secret = row.token.access, let scope = row.scope, let realm = row.realm,
      let expiresOn = row.token.expiresOn
    else { return nil }
    let entry = MSALEntry(
      kind: .accessToken, homeAccountID: person.spelling.homeAccountID,
      environment: person.spelling.environment, clientID: context.clientID(of: row), secret: secret,
      realm: person.spelling.realm(realm), target: scope, expiresOn: Self.seconds(expiresOn),
      extendedExpiresOn: row.token.extendedExpiresOn.flatMap(Self.seconds),
      cachedAt: cachedAt(row).flatMap(Self.seconds), enrollmentID: row.token.enrollmentID.nonBlank,
      applicationIdentifier: row.token.applicationIdentifier.nonBlank)
    return context.form == .document ? entry.portable(at: context.now) : entry
  }

  /// When the token was stored, never in the future: MSAL takes such a token for expired (D15).
  private func cachedAt(_ row: LegacyRow) -> Double? {
    let known = row.token.cachedAt ?? row.idToken?.issuedAt ?? row.token.place.modified
    return known.map { min($0, context.now) } ?? (context.form == .document ? context.now : nil)
  }

  private static func seconds(_ time: Double) -> String? {
    Int64(exactly: time.rounded(.down)).map { String(max($0, 0)) }
  }

  /// Whether `a` is the one to keep of two tokens for the same scope.
  private static func outlasts(
    _ a: ResolvedRow, _ b: ResolvedRow, _ tie: inout TieBreak
  ) -> Bool {
    let ends = (a.row.token.expiresOn ?? 0, b.row.token.expiresOn ?? 0)
    if ends.0 != ends.1 { return ends.0 > ends.1 }
    let ages = (a.row.evidenceOfAge ?? -.infinity, b.row.evidenceOfAge ?? -.infinity)
    if ages.0 != ages.1 { return ages.0 > ages.1 }
    return tie.precedes(a, b)
  }

  /// Says what there is to be said about a row's resource, and whether its access token is left for that.
  private mutating func note(_ resource: String?, of row: LegacyRow) -> Reason? {
    guard let resource else { return nil }
    let advice = ResourceAdvice(resource, client: row.client.text)
    for reason in advice.reasons { decisions.note(reason, row: row.number) }
    return advice.isNeverCarried ? .atNotCarried : nil
  }
}
