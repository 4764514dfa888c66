// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension Lookup {
  /// Why the entries of a cache do not answer a query: for each entry of the kind that is asked for, the
  /// first predicate that it fails. An entry that answers is not among them.
  ///
  /// Takes as long as the cache is large, where a look-up itself takes only what it finds.
  package func candidates(_ query: LookupQuery) -> [LookupCandidate] {
    switch query.operation {
    case .accessToken: return candidates(accessTokenQuery(query))
    case .idToken: return candidates(idTokenQuery(query))
    case .refreshToken: return refreshTokenCandidates(query)
    case .account: return candidates(accountQuery(query))
    case .accounts: return candidates(Listing(self, query, usesMetadata: false))
    case .listedAccounts, .listedAccount:
      return candidates(listing(query)) + filteredAccounts(query)
    case .appMetadata: return []
    case .allTokens:
      return index.tokens.filter { $0.isTombstone || !$0.isToken(of: $0.entry.kind) }.map {
        LookupCandidate($0.place, .usable, "is not a token that MSAL can use")
      } + unreadable(types: ItemType.credentials)
    }
  }

  /// What a query asks of an entry, in order.
  package func predicates(_ query: LookupQuery) -> [LookupCandidate.Predicate] {
    switch query.operation {
    case .accessToken: accessTokenQuery(query).checks.predicates
    case .idToken: idTokenQuery(query).checks.predicates
    case .refreshToken: refreshTokenQueries(query).first?.checks.predicates ?? [.username]
    case .account: accountQuery(query).checks.predicates
    case .accounts:
      Listing(self, query, usesMetadata: false).accountQuery.checks.predicates + [.refreshToken]
    case .listedAccounts, .listedAccount:
      listing(query).accountQuery.checks.predicates + [.signInState, .refreshToken]
    case .appMetadata: [.clientID, .environment]
    case .allTokens: [.readable, .tombstone, .usable]
    }
  }

  func candidates(_ query: EntryQuery) -> [LookupCandidate] {
    let checks = query.checks
    guard query.kind != .account else {
      return index.accounts.compactMap { checks.firstFailure($0, at: $0.place) }
        + unreadable(types: ItemType.accounts)
    }
    let type = query.kind.typeNumber
    let rows = index.tokens.filter { $0.type == type || $0.entry.kind == query.kind }
    return rows.compactMap { checks.firstFailure($0, at: $0.place) }
      + unreadable(types: type...type)
  }

  private func unreadable(types: ClosedRange<Int>) -> [LookupCandidate] {
    index.unreadable.filter { types.contains($0.type) }.map {
      let predicate: LookupCandidate.Predicate =
        $0.error.code == .unknownType ? .authorityType : .readable
      return LookupCandidate(
        .item(index: $0.index, key: $0.item), predicate, $0.error.description)
    }
  }

  private func refreshTokenCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    var found: [LookupCandidate] = []
    let queries = refreshTokenQueries(query)
    for attempt in queries { found += candidates(attempt) }
    if queries.isEmpty || query.homeAccountID == nil, let name = query.username, !name.isBlank {
      let environments = environments(query.authority.flatMap { RequestAuthority($0) })
      found += candidates(
        EntryQuery(kind: .account, environments: environments, username: name))
    }
    if query.withLegacy {
      let checks = fallbackRefreshTokenChecks(query)
      found += fallback.rows.compactMap { checks.firstFailure($0, at: .fallbackRow($0.place)) }
    }
    var seen: Set<LookupCandidate.EntryPlace> = []
    return found.filter { seen.insert($0.place).inserted }
  }

  private func candidates(_ listing: Listing) -> [LookupCandidate] {
    let checks = listing.accountQuery.checks
    var found = index.accounts.compactMap { row -> LookupCandidate? in
      checks.firstFailure(row, at: row.place)
        ?? listing.whyNotListed(row).map { listing.candidate($0, row) }
    }
    found += unreadable(types: ItemType.accounts)
    guard listing.query.withLegacy else { return found }
    let listed = Set(list(listing).map(\.place))
    let user = FallbackIndex.User(listing.query.username)
    let fallbackChecks = listing.fallbackChecks
    for row in fallback.rows where !listed.contains(.fallbackRow(row.place)) {
      let place = LookupCandidate.EntryPlace.fallbackRow(row.place)
      if !user.owns(row) {
        found.append(LookupCandidate(place, .username, "is stored under another user name"))
      } else if let failure = fallbackChecks.firstFailure(row, at: place) {
        found.append(failure)
      } else {
        found.append(
          LookupCandidate(
            place, .account,
            "an account of the same name or identifier replaces or hides it"))
      }
    }
    return found
  }

  /// The accounts that are listed for the client, but not under what the query gives.
  private func filteredAccounts(_ query: LookupQuery) -> [LookupCandidate] {
    list(listing(query)).compactMap { account in
      whyFiltered(account, query).map { LookupCandidate(account.place, $0.0, $0.1) }
    }
  }
}
