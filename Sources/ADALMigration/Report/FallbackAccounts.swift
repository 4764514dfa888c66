// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The accounts that MSAL lists from ADAL's rows, which stay in the target beside MSAL's entries (D43).
struct FallbackAccounts: Sendable {
  private var listings: [String: FallbackListing] = [:]

  /// - Parameters:
  ///   - staying: the numbers of the rows that stay in the target.
  ///   - lookups: by access group; of others nothing is asked.
  init(_ rows: [ResolvedRow], staying: Set<Int>, _ lookups: [String: Lookup]) {
    var identifying: [String: [LazyRow]] = [:]
    for row in rows where staying.contains(row.number) && row.row.token.homeAccountID != nil {
      if let legacy = LazyRow(row.row) {
        identifying[row.row.group, default: []].append(legacy)
      }
    }
    for (group, lookup) in lookups {
      listings[group] = FallbackListing(lookup, beside: identifying[group] ?? [])
    }
    guard !lookups.isEmpty, rows.contains(where: { $0.row.family != nil }) else { return }
    for row in rows.lazy.map(\.row) where row.kind != .familyRefreshToken {
      guard let name = row.idToken?.userID, let client = row.token.clientID else { continue }
      listings[row.group]?.add(client: client, named: name)
    }
  }

  /// What the row's own client, or its family, has of it in a list.
  mutating func outcome(of row: LegacyRow) -> FallbackListing.Outcome {
    guard let legacy = LazyRow(row), let reader = row.reader else { return .notListed }
    return outcome(legacy, for: reader, row.group)
  }

  /// Whether a client that is given the row may list the user's account without its identifier.
  mutating func isNameless(_ row: LegacyRow) -> Bool {
    guard let legacy = LazyRow(row), let reader = row.reader else { return false }
    if outcome(legacy, for: reader, row.group) == .nameless { return true }
    guard let family = row.family else { return false }
    return outcome(legacy, for: .family(ExactText(family)), row.group) == .nameless
      || listings[row.group]?.isNamelessToOthers(legacy) ?? false
  }

  private mutating func outcome(
    _ row: LazyRow, for reader: FallbackListing.Reader, _ group: String
  ) -> FallbackListing.Outcome {
    listings[group]?.outcome(of: row, for: reader) ?? .notListed
  }
}

extension LegacyRow {
  fileprivate var reader: FallbackListing.Reader? {
    kind == .familyRefreshToken
      ? family.map { .family(ExactText($0)) } : token.clientID.map { .client(ExactText($0)) }
  }
}
