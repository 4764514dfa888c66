// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

/// What MSAL's lists have of ADAL's rows that stay in the target, as its look-ups answer (D43).
struct KeptRows: Sendable {
  private var listings: [String: KeptRowListing]
  /// The clients of each user name that has a row of a family, as rows spell them.
  private var clients: [InGroup<String>: Set<String>] = [:]
  /// Whether a client may list a row's account without its identifier, and the row's own client, which was not
  /// asked.
  private var answers:
    [InGroup<KeptRowListing.FamilyRow>: (isNameless: Bool, leftOut: ExactText?)] = [:]

  /// - Parameters:
  ///   - kept: the numbers of the rows that stay in the target.
  ///   - lookups: by access group; of others nothing is asked.
  init(_ rows: [ResolvedRow], kept: Set<Int>, _ lookups: [String: Lookup]) {
    var identifying: [String: [LazyRow]] = [:]
    for row in rows where kept.contains(row.number) && row.row.token.homeAccountID != nil {
      if let lazy = LazyRow(row.row) { identifying[row.row.group, default: []].append(lazy) }
    }
    var listings: [String: KeptRowListing] = [:]
    for (group, lookup) in lookups {
      listings[group] = KeptRowListing(lookup, beside: identifying[group] ?? [])
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
  mutating func outcome(of row: LegacyRow) -> KeptRowListing.Outcome {
    guard let lazy = LazyRow(row), let reader = row.reader else { return .notListed }
    return outcome(lazy, for: reader, row.group)
  }

  /// Whether a client that is given the row may list the user's account without its identifier.
  mutating func isNameless(_ row: LegacyRow) -> Bool {
    guard let lazy = LazyRow(row), let reader = row.reader else { return false }
    if outcome(lazy, for: reader, row.group) == .nameless { return true }
    guard let family = row.family else { return false }
    if outcome(lazy, for: .family(family), row.group) == .nameless { return true }
    return isNamelessToOthers(row, lazy)
  }

  /// The same of the clients without app metadata: they are given the rows of the family, too, whichever client the
  /// rows are of. Rows that differ by their client alone are answered once.
  private mutating func isNamelessToOthers(_ row: LegacyRow, _ lazy: LazyRow) -> Bool {
    let alike = InGroup(group: row.group, key: KeptRowListing.FamilyRow(lazy))
    let own = lazy.clientID.map { ExactText($0) }
    if let known = answers[alike] {
      guard !known.isNameless, let other = known.leftOut, other != own else {
        return known.isNameless
      }
      return outcome(lazy, for: .client(other.text), row.group) == .nameless
    }
    var clients = Self.key(row).flatMap { self.clients[$0] } ?? []
    clients.formUnion(listings[row.group]?.clients(named: row.idToken?.userID) ?? [])
    var isNameless = false
    for client in clients where ExactText(client) != own && !isNameless {
      isNameless = outcome(lazy, for: .client(client), row.group) == .nameless
    }
    answers[alike] = (isNameless, own)
    return isNameless
  }

  private mutating func outcome(
    _ row: LazyRow, for reader: KeptRowListing.Reader, _ group: String
  ) -> KeptRowListing.Outcome {
    listings[group]?.outcome(of: row, for: reader) ?? .notListed
  }
}

extension LegacyRow {
  fileprivate var reader: KeptRowListing.Reader? {
    kind == .familyRefreshToken
      ? family.map { .family($0) } : token.clientID.map { .client($0) }
  }
}
