// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The accounts that MSAL lists from ADAL's rows, which stay in the target beside MSAL's entries (D43).
struct FallbackAccounts: Sendable {
  private var listings: [String: FallbackListing] = [:]
  /// What the reader of each row has of it, by row number.
  private var outcomes: [Int: FallbackListing.Outcome] = [:]

  /// - Parameters:
  ///   - staying: the numbers of the rows that stay in the target.
  ///   - lookups: by access group; of others nothing is asked.
  init(_ rows: [ResolvedRow], staying: Set<Int>, _ lookups: [String: Lookup]) {
    var identifying: [String: [ADALFallbackRow]] = [:]
    for row in rows where staying.contains(row.number) && row.row.token.fallbackIdentifier != nil {
      if let legacy = ADALFallbackRow(row.row) {
        identifying[row.row.group, default: []].append(legacy)
      }
    }
    for (group, lookup) in lookups {
      listings[group] = FallbackListing(lookup, beside: identifying[group] ?? [])
    }
    // Only of a row that stays anything is asked.
    guard !lookups.isEmpty, !staying.isEmpty, rows.contains(where: { $0.row.family != nil }) else {
      return
    }
    for row in rows.lazy.map(\.row) where row.kind != .familyRefreshToken {
      guard let client = row.token.clientID else { continue }
      // Rows without a user name are alike to MSAL, too.
      listings[row.group]?.add(client: client, named: row.idToken?.userID)
    }
  }

  /// What the row's own client, or its family, has of it in a list.
  mutating func outcome(of row: LegacyRow) -> FallbackListing.Outcome {
    if let known = outcomes[row.number] { return known }
    var outcome = FallbackListing.Outcome.notListed
    if let reader = row.reader, let legacy = ADALFallbackRow(row) {
      outcome = listings[row.group]?.outcome(of: legacy, for: reader) ?? .notListed
    }
    outcomes[row.number] = outcome
    return outcome
  }

  /// Whether one of these clients lists the account of a family's row; true where none are named, since any client
  /// of the family may.
  mutating func lists(_ row: LegacyRow, forAnyOf clients: [String]?) -> Bool {
    guard let clients, let legacy = ADALFallbackRow(row) else { return true }
    return clients.contains { client in
      switch listings[row.group]?.outcome(of: legacy, for: .client(ExactText(client))) {
      case .alone, .same, .nameless, .byIdentifier: true
      case .hidden, .notListed, nil: false
      }
    }
  }

  /// Whether a client that is given the row may list the user's account without its identifier.
  mutating func isNameless(_ row: LegacyRow) -> Bool {
    if outcome(of: row) == .nameless { return true }
    guard let family = row.family, row.reader != nil, let legacy = ADALFallbackRow(row) else {
      return false
    }
    let ofFamily = listings[row.group]?.outcome(of: legacy, for: .family(ExactText(family)))
    return ofFamily == .nameless || listings[row.group]?.isNamelessToOthers(legacy) ?? false
  }
}

extension LegacyRow {
  fileprivate var reader: FallbackListing.Reader? {
    kind == .familyRefreshToken
      ? family.map { .family(ExactText($0)) } : token.clientID.map { .client(ExactText($0)) }
  }
}
