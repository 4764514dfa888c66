// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

extension Lookup {
  /// The reasons why the entries of a cache do not match a query: for each entry of the requested kind, the first
  /// predicate that it fails. Matching entries are not included.
  ///
  /// The time grows with the size of the cache. The time of a look-up itself grows only with its result.
  package func candidates(_ query: LookupQuery) -> [LookupCandidate] {
    switch query.operation {
    case .accessToken: return candidates(accessTokenQuery(query))
    case .idToken: return candidates(idTokenQuery(query))
    case .refreshToken: return refreshTokenCandidates(query)
    case .account: return candidates(accountQuery(query))
    case .accounts: return candidates(Listing(self, query, usesMetadata: false))
    case .listedAccounts, .listedAccount:
      let listing = listing(query)
      // The accounts listed for the client may differ from the result of the query.
      return candidates(listing) + list(listing).compactMap { whyFiltered($0, query) }
    case .appMetadata: return []
    case .allTokens:
      return index.tokens.filter { $0.isTombstone || !$0.isToken(of: $0.entry.kind) }.map {
        LookupCandidate($0.place, .usable, "is not a token that MSAL can use")
      } + unreadable(types: ItemType.credentials)
    }
  }

  func candidates(_ query: EntryQuery) -> [LookupCandidate] {
    let type = query.kind.typeNumber
    let isAccount = query.kind == .account
    let rows =
      isAccount
      ? index.accounts : index.tokens.filter { $0.type == type || $0.entry.kind == query.kind }
    return rows.compactMap { query.firstFailure($0, at: $0.place) }
      + unreadable(types: isAccount ? ItemType.accounts : type...type)
  }

  private func unreadable(types: ClosedRange<Int>) -> [LookupCandidate] {
    index.unreadable.filter { types.contains($0.type) }.map {
      LookupCandidate(.item(index: $0.index, key: $0.item), $0.failed, $0.why)
    }
  }

  private func refreshTokenCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    let queries = refreshTokenQueries(query)
    var found = queries.flatMap(candidates)
    if queries.isEmpty || query.homeAccountID == nil, let name = query.username, !name.isBlank {
      found += candidates(
        EntryQuery(kind: .account, environments: environments(query), username: name))
    }
    if query.withLegacy { found += fallbackCandidates(query) }
    var seen: Set<LookupCandidate.EntryPlace> = []
    return found.filter { seen.insert($0.place).inserted }
  }

  private func candidates(_ listing: Listing) -> [LookupCandidate] {
    let accounts = index.accounts.compactMap { row in
      listing.accountQuery.firstFailure(row, at: row.place) ?? listing.candidate(row)
    }
    let found = accounts + unreadable(types: ItemType.accounts)
    guard listing.query.withLegacy else { return found }
    let listed = Set(list(listing).map(\.place))
    let user = FallbackIndex.user(named: listing.query.username)
    return found
      + fallback.rows.compactMap { row in
        let place = LookupCandidate.EntryPlace.fallbackRow(row.place)
        if listed.contains(place) { return nil }
        guard row.isStored(for: user) else {
          return LookupCandidate(place, .username, ADALFallbackRow.isOfAnotherUser)
        }
        return listing.rowQuery.firstFailure(row.token, at: place)
          ?? LookupCandidate(
            place, .account, "an account of the same name or identifier replaces or hides it")
      }
  }
}
