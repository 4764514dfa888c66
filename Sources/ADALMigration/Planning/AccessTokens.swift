// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// A row and its access token in MSAL's form. A class without a variable, since grouping and sorting copy
/// values.
private final class AccessTokenCandidate {
  let row: ResolvedRow
  let key: MSALEntry.Key
  let entry: MSALEntry

  init(_ row: ResolvedRow, _ key: MSALEntry.Key, _ entry: MSALEntry) {
    self.row = row
    self.key = key
    self.entry = entry
  }
}

// The access tokens of one account: which of them MSAL can still use, and under which scope (D2).
extension CachePlan {
  /// - Parameters:
  ///   - covered: the rows whose client has a refresh token.
  ///   - tenants: the accounts and ID tokens beside them, without which MSAL serves none.
  ///   - isExcluded: whether they are left out because the check did not find them.
  mutating func planAccessTokens(
    of account: PlannedAccount, _ covered: [ResolvedRow], _ tenants: TenantEntries,
    isExcluded: Bool
  ) {
    let candidates = covered.filter { $0.row.token.access != nil }
    if isExcluded { return decisions.note(.checkNotFound, rows: candidates) }
    for (client, rows) in candidates.groups(by: \.row.client) {
      var usable: [AccessTokenCandidate] = []
      for (realm, rows) in rows.groups(by: { ExactText($0.row.realm ?? "") }) {
        let common =
          realm.text.isEmpty
          ? .atNoIDToken : blockingReason(for: client.text, in: realm.text, account, tenants)
        for row in rows {
          let own = noteResource(of: row.row)
          if let reason = blockingReason(for: row.row) ?? own ?? common {
            decisions.note(reason, row: row.number)
          } else if let scope = row.row.scope, let entry = entry(of: account, row.row) {
            usable.append(
              AccessTokenCandidate(row, entry.key(of: account.key, scope: scope), entry))
          }
        }
      }
      for (key, candidates) in usable.groups(by: \.key) {
        var tie = TieBreak { $0.row.token.access }
        planAccessToken(
          key,
          candidates.count > 1
            ? candidates.ordered { Self.outlasts($0.row, $1.row, &tie) } : candidates)
      }
    }
  }

  /// - Parameter candidates: tokens for one scope, the one to keep first.
  private mutating func planAccessToken(
    _ key: MSALEntry.Key, _ candidates: [AccessTokenCandidate]
  ) {
    let rows = candidates.map(\.row)
    if cache.holds(key) {
      for row in rows {
        decisions.settle(.alreadyThere, row: row.number)
        decisions.note(.keepAT, row: row.number)
      }
      return
    }
    guard let winner = candidates.first,
      let addition = add(winner.entry, key, for: rows.lazy.map(\.number))
    else { return }
    for row in rows {
      guard row.row.token.access == winner.row.row.token.access else {
        decisions.note(.atSuperseded, row: row.number)
        continue
      }
      decisions.settle(.converted, row: row.number)
      decisions.tie(row: row.number, to: addition)
      decisions.note(.okAT, row: row.number)
    }
  }

  /// Why an access token is of no use to MSAL, in the order that a reader would ask.
  private func blockingReason(for row: LegacyRow) -> Reason? {
    guard policy.accessTokens else { return .atNotCarried }
    guard MSALEntry.isBearer(row.token.accessTokenType) else { return .atForeignType }
    guard let expiresOn = row.token.expiresOn, expiresOn >= now + MSALEntry.expiryBuffer
    else { return .atExpired }
    guard let resource = row.token.resource.nonBlank,
      resource.isOneWord || !resource.contains(where: \.isWhitespace)
    else { return .atScopeShape }
    return nil
  }

  /// Why all access tokens of a client and tenant are of no use to MSAL, which must find and read an ID token and an
  /// account there.
  private func blockingReason(
    for client: String, in realm: String, _ account: PlannedAccount, _ tenants: TenantEntries
  ) -> Reason? {
    let idToken = account.entryKey(.idToken, owner: client, realm: realm)
    guard cache.holds(idToken) || tenants.idTokens.contains(idToken) else { return .atNoIDToken }
    let entry = account.entryKey(.account, realm: realm)
    return tenants.accounts.contains(entry) || cache.holds(entry) ? nil : .targetTypeClash
  }

  /// The token as the target's form has it. The application that it is bound to is part of MSAL's key for it in a
  /// keychain (D28).
  private func entry(of account: PlannedAccount, _ row: LegacyRow) -> MSALEntry? {
    guard let secret = row.token.access, let scope = row.scope, let realm = row.realm,
      let expiresOn = row.token.expiresOn
    else { return nil }
    let entry = MSALEntry(
      kind: .accessToken, homeAccountID: account.spelling.homeAccountID,
      environment: account.spelling.environment, clientID: clientID(of: row), secret: secret,
      realm: account.spelling.realm(realm), target: scope, expiresOn: Self.seconds(expiresOn),
      extendedExpiresOn: row.token.extendedExpiresOn.flatMap(Self.seconds),
      cachedAt: cachedAt(row).flatMap(Self.seconds), enrollmentID: row.token.enrollmentID.nonBlank,
      applicationIdentifier: row.token.applicationIdentifier.nonBlank)
    return form == .document ? entry.portable(at: now) : entry
  }

  /// When the token was stored, never in the future: MSAL takes such a token for expired (D15).
  private func cachedAt(_ row: LegacyRow) -> Double? {
    let known = row.token.cachedAt ?? row.idToken?.issuedAt ?? row.token.place.modified
    return known.map { min($0, now) } ?? (form == .document ? now : nil)
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

  /// Says what there is to be said about a row's resource.
  ///
  /// - Returns: why its access token is left for that.
  private mutating func noteResource(of row: LegacyRow) -> Reason? {
    guard let resource = row.token.resource.nonBlank else { return nil }
    let advice = ResourceAdvice(resource, client: row.client.text)
    for reason in advice.reasons { decisions.note(reason, row: row.number) }
    return advice.isNeverCarried ? .atNotCarried : nil
  }
}
