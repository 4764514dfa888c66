// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

// The access tokens of one account: which of them MSAL can still use, and under which scope (D2).
extension CachePlan {
  /// - Parameters:
  ///   - covered: the rows whose client has a refresh token.
  ///   - tenants: the accounts and ID tokens in the plan. MSAL returns no access token without them.
  ///   - isExcluded: whether they are left out because the check did not find them.
  mutating func planAccessTokens(
    of account: PlannedAccount, _ covered: [ADALRow], _ tenants: TenantEntries,
    isExcluded: Bool
  ) {
    let candidates = covered.filter(\.hasAccessToken)
    if isExcluded { return decisions.note(.checkNotFound, rows: candidates) }
    for (client, rows) in candidates.groups(by: \.client, table.symbols) {
      for (realm, rows) in rows.groups(by: \.realm, table.symbols) {
        let common =
          realm == .none
          ? .atNoIDToken : blockingReason(for: client, in: realm, account, tenants)
        var usable: [ADALRow] = []
        for row in rows {
          let own = noteResource(of: row)
          if let reason = blockingReason(for: row) ?? own ?? common {
            decisions.note(reason, row: row.number)
          } else if !isOfKnownTenant(row) {
            decisions.note(.atNotCarried, row: row.number)
          } else if form == .keychainItems || row.expiresOn.flatMap(RowTable.seconds) != nil {
            usable.append(row)
          }
        }
        let resources = table.resources
        let byScope = usable.groups(
          by: { row in row.resource.map { resources[$0].comparedScope } ?? .none }, table.symbols)
        for (scope, rows) in byScope {
          // The application that a token is bound to is part of MSAL's key for it in a keychain (D28).
          let parts =
            form == .keychainItems
            ? rows.groups(by: \.application, table.symbols) : [(.none, rows)]
          for (application, rows) in parts {
            planAccessToken(scope, application, of: account, rows)
          }
        }
      }
    }
  }

  /// - Parameter rows: those with a token for one scope.
  private mutating func planAccessToken(
    _ scope: Symbol, _ application: Symbol, of account: PlannedAccount, _ rows: [ADALRow]
  ) {
    guard let winner = longest(rows), let resource = winner.resource else { return }
    var key = account.entryKey(.accessToken, owner: winner.client, realm: winner.realm)
    key.target = scope
    key.application = application
    if holds(key) {
      for row in rows {
        decisions.settle(.alreadyThere, row: row.number)
        decisions.note(.keepAT, row: row.number)
      }
      return
    }
    guard
      let addition = add(
        .accessToken, of: winner, key, for: account, client: written(winner),
        target: table.resources[resource].scope, telling: rows.lazy.map(\.number))
    else { return }
    let token = table.tokens[winner.index].token.access
    for row in rows {
      guard table.tokens[row.index].token.access == token else {
        decisions.note(.atSuperseded, row: row.number)
        continue
      }
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: addition)
      decisions.note(.okAT, row: row.number)
    }
  }

  /// The reason why an access token is useless to MSAL, in the order of a reader's questions.
  private func blockingReason(for row: ADALRow) -> Reason? {
    guard policy.accessTokens else { return .atNotCarried }
    guard MSALEntry.isBearer(table.tokens[row.index].token.accessTokenType) else {
      return .atForeignType
    }
    guard let expiresOn = row.expiresOn, expiresOn >= now + MSALEntry.expiryBuffer
    else { return .atExpired }
    guard let resource = row.resource.map({ table.resources[$0] }), resource.scope != .none,
      !resource.isSeveralWords
    else { return .atScopeShape }
    return nil
  }

  /// Whether the row's access token is of the row's tenant. Where an answer has no ID token, other ADALs copy that of the
  /// row that they refresh, which may be of another tenant, or its fields. There the access token's own `tid` decides,
  /// else the authority must name the tenant.
  private func isOfKnownTenant(_ row: ADALRow) -> Bool {
    let asked = table.tenantAsked(of: row)
    guard asked == row.realm || asked == .none else { return false }
    if row.isOfApple { return true }
    guard let tenant = table.tokens[row.index].token.accessClaims?.tid.nonBlank else {
      return asked == row.realm
    }
    return tenant.identifier == table.symbols[row.realm]
  }

  /// The reason why all access tokens of a client and tenant are useless to MSAL, which must find and read an ID token
  /// and an account there.
  private func blockingReason(
    for client: Symbol, in realm: Symbol, _ account: PlannedAccount, _ tenants: TenantEntries
  ) -> Reason? {
    guard
      tenants.idTokens.contains(ClientTenant(client: client, realm: realm))
        || holds(account.entryKey(.idToken, owner: client, realm: realm))
    else { return .atNoIDToken }
    return tenants.accounts[realm] != nil || holds(account.entryKey(.account, realm: realm))
      ? nil : .targetTypeClash
  }

  /// The row to keep among rows with tokens for the same scope.
  private func longest(_ rows: [ADALRow]) -> ADALRow? {
    guard rows.count > 1 else { return rows.first }
    var tie = TieBreak { [tokens = table.tokens] in tokens[$0.index].token.access }
    return rows.min { Self.outlasts($0, $1, &tie) }
  }

  /// Whether `a` is the one to keep of two tokens for the same scope.
  private static func outlasts(_ a: ADALRow, _ b: ADALRow, _ tie: inout TieBreak) -> Bool {
    let ends = (a.expiresOn ?? 0, b.expiresOn ?? 0)
    if ends.0 != ends.1 { return ends.0 > ends.1 }
    let ages = (a.evidenceOfAge ?? -.infinity, b.evidenceOfAge ?? -.infinity)
    if ages.0 != ages.1 { return ages.0 > ages.1 }
    return tie.precedes(a, b)
  }

  /// Notes the advice about a row's resource.
  ///
  /// - Returns: why its access token is left for that.
  private mutating func noteResource(of row: ADALRow) -> Reason? {
    guard let resource = row.resource.map({ table.resources[$0] }), resource.scope != .none else {
      return nil
    }
    let isClient = resource.lowerCase == row.client
    decisions.note(resource.advice.reasons(isClient: isClient), row: row.number)
    return resource.advice.isNeverCarried(isClient: isClient) ? .atNotCarried : nil
  }
}
