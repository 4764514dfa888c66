// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// The accounts that MSAL lists from ADAL's rows, which stay in the target beside MSAL's entries (D43).
struct FallbackAccounts: Sendable {
  private var listings: [String: FallbackListing]
  /// The clients of each user name that has a row of a family, as rows spell them.
  private var clients: [InGroup<String>: Set<String>] = [:]
  /// Whether a client may list a row's account without its identifier, and the row's own client, which was not
  /// asked.
  private var answers:
    [InGroup<FallbackListing.FamilyRow>: (isNameless: Bool, leftOut: ExactText?)] = [:]

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
    var listings: [String: FallbackListing] = [:]
    for (group, lookup) in lookups {
      listings[group] = FallbackListing(lookup, beside: identifying[group] ?? [])
    }
    self.listings = listings
    guard !lookups.isEmpty else { return }
    let families = rows.filter { $0.row.family != nil }
    guard !families.isEmpty else { return }
    for resolved in families {
      guard let key = Self.key(resolved.row) else { continue }
      clients[key] = []
    }
    for resolved in rows where resolved.row.kind != .familyRefreshToken {
      guard let key = Self.key(resolved.row), let client = resolved.row.token.clientID else {
        continue
      }
      clients[key]?.insert(client)
    }
  }

  private static func key(_ row: LegacyRow) -> InGroup<String>? {
    row.idToken?.userID.map { InGroup(group: row.group, key: $0) }
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
    if outcome(legacy, for: .family(family), row.group) == .nameless { return true }
    return isNamelessToOthers(row, legacy)
  }

  /// The same of the clients without app metadata: they are given the rows of the family, too, whichever client the
  /// rows are of. Rows that differ by their client alone are answered once.
  private mutating func isNamelessToOthers(_ row: LegacyRow, _ legacy: LazyRow) -> Bool {
    let alike = InGroup(group: row.group, key: FallbackListing.FamilyRow(legacy))
    let own = legacy.clientID.map { ExactText($0) }
    if let known = answers[alike] {
      guard !known.isNameless, let other = known.leftOut, other != own else {
        return known.isNameless
      }
      return outcome(legacy, for: .client(other.text), row.group) == .nameless
    }
    var clients = Self.key(row).flatMap { self.clients[$0] } ?? []
    clients.formUnion(listings[row.group]?.clients(named: row.idToken?.userID) ?? [])
    var isNameless = false
    for client in clients where ExactText(client) != own && !isNameless {
      isNameless = outcome(legacy, for: .client(client), row.group) == .nameless
    }
    answers[alike] = (isNameless, own)
    return isNameless
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
      ? family.map { .family($0) } : token.clientID.map { .client($0) }
  }
}
