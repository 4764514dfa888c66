// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

extension Lookup {
  /// The client's refresh token, or with a family id the family's: by home account id, else by the
  /// account that the user name leads to, else from ADAL's rows.
  ///
  /// - Throws: ``Failure`` where MSAL reports an error.
  package func refreshToken(_ query: LookupQuery) throws(Failure) -> Token? {
    for attempt in refreshTokenQueries(query) {
      if let row = find(attempt).first { return token(row) }
    }
    return try fallbackToken(query)
  }

  /// The first result of ``refreshToken(_:)``, and the results that it may have instead: another token of the same
  /// query, or the token of another account with the user name (D45).
  func refreshTokens(_ query: LookupQuery) -> some Sequence<Answer> {
    let environments = environments(query)
    var seen: Set<ExactText?> = []
    var named = accounts(ofUsername: query.username, environments: environments).map(homeAccountID)
      .filter { seen.insert($0.map { ExactText($0) }).inserted }
    if named.isEmpty { named = [nil] }
    return named.lazy.flatMap {
      self.refreshTokens(query, named: $0, environments: environments)
    }
  }

  private func refreshTokens(
    _ query: LookupQuery, named home: String?, environments: [String]
  ) -> [Answer] {
    for attempt in refreshTokenQueries(query, named: home, environments: environments) {
      let answers = answers(.refreshToken, attempt)
      if !answers.isEmpty { return answers }
    }
    do throws(Failure) {
      return [.token(.refreshToken, try fallbackToken(query))]
    } catch {
      return [.failure(error)]
    }
  }

  /// The queries that are tried one after the other, each kind first by home account id and then by
  /// that of the first account with the user name.
  func refreshTokenQueries(_ query: LookupQuery) -> [EntryQuery] {
    let environments = environments(query)
    let account = accounts(ofUsername: query.username, environments: environments).first
    return refreshTokenQueries(
      query, named: account.flatMap(homeAccountID), environments: environments)
  }

  /// The accounts with this user name. MSAL takes the first.
  private func accounts(ofUsername username: String?, environments: [String]) -> [LookupRow] {
    guard let username, !username.isBlank else { return [] }
    return Array(find(EntryQuery(kind: .account, environments: environments, username: username)))
  }

  /// The home account id of an account; nil for an account that has none.
  private func homeAccountID(_ account: LookupRow) -> String? {
    account.entry.homeAccountID.flatMap { $0.isBlank ? nil : $0 }
  }

  private func fallbackToken(_ query: LookupQuery) throws(Failure) -> Token? {
    guard query.withLegacy else { return nil }
    let user = FallbackIndex.user(named: query.username)
    for authority in authority(query)?.fallbackAuthorities ?? [] {
      let rows = fallback.rows(authority: authority, client: fallbackClient(query), user: user)
      if rows.count > 1 { throw .severalUsers }
      // The first authority that has a row decides, even if the row is no refresh token.
      guard let row = rows.first else { continue }
      guard row.isRefreshToken, let secret = row.refreshToken else { return nil }
      return Token(
        kind: .refreshToken, secret: secret, clientID: row.clientID, familyID: row.familyID,
        isLegacy: true, place: .fallbackRow(row.place))
    }
    return nil
  }

  private func fallbackClient(_ query: LookupQuery) -> String {
    query.familyID.map(FamilyClient.id) ?? query.clientID?.normalized ?? ""
  }

  func fallbackCandidates(_ query: LookupQuery) -> [LookupCandidate] {
    let user = FallbackIndex.user(named: query.username)
    let client = fallbackClient(query)
    let authorities = authority(query)?.fallbackAuthorities ?? []
    return fallback.rows.compactMap { row in
      let key = row.key
      return LookupCandidate(
        .fallbackRow(row.place),
        firstOf: [
          (.username, !row.isStored(for: user), ADALFallbackRow.isOfAnotherUser),
          (
            .clientID, !key.client.isExactly(client),
            "asked for the client \(said(client)), is stored under \(said(key.client))"
          ),
          (
            .authority, !authorities.contains { $0.isExactly(key.authority) },
            "asked under \(authorities.joined(separator: ", ")), is stored under \(key.authority)"
          ),
          (
            .resource, key.resource != nil || key.application != nil, "is a token of one resource"
          ),
          (
            .usable, !row.isRefreshToken, "has no refresh token, or an access token beside it"
          ),
        ])
    }
  }
}

extension RequestAuthority {
  /// The authorities under which an ADAL row may serve this one, in the order in which they are
  /// tried, as lower-case URLs: the tenant's own, then `common`, each under every alias with the
  /// preferred host first (`legacyRefreshTokenLookupAliases`).
  var fallbackAuthorities: [String] {
    switch realm {
    case _ where !isAAD: urls(path)
    case "consumers": []
    case "common": urls(path)
    case "organizations": urls("common")
    default: urls(path) + urls("common")
    }
  }

  private func urls(_ path: String) -> [String] {
    var seen: Set<String> = []
    let hosts = [cloud?.preferredCache ?? environment, environment] + aliases
    return hosts.filter { seen.insert($0).inserted }.map { "https://\($0)/\(path)".normalized }
  }
}
