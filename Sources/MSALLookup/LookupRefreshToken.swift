// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension Lookup {
  /// Why a look-up fails instead of finding nothing.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as one sentence.
    package let description: String

    static let severalUsers = Failure(
      description: "rows of several users match, and MSAL returns an error")
  }

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

  /// What ``refreshToken(_:)`` finds first, and what it may find in its place: another token of the same
  /// query, or that of another account with the user name (D45).
  func refreshTokens(_ query: LookupQuery) -> [Answer] {
    let environments = environments(query.authority.flatMap { RequestAuthority($0) })
    let homes = accounts(ofUsername: query.username, environments: environments).map(homeAccountID)
    let named: [String?] = homes.isEmpty ? [nil] : homes
    return named.flatMap { home -> [Answer] in
      for attempt in refreshTokenQueries(query, named: home, environments: environments) {
        let rows = find(attempt)
        if !rows.isEmpty { return rows.map { .refreshToken(token($0)) } }
      }
      do throws(Failure) {
        return [.refreshToken(try fallbackToken(query))]
      } catch {
        return [.failure(error)]
      }
    }
  }

  private func fallbackToken(_ query: LookupQuery) throws(Failure) -> Token? {
    guard query.withLegacy, let row = try fallbackRow(query) else { return nil }
    return Token(
      kind: .refreshToken, secret: row.refreshToken ?? TokenSecret(""), clientID: row.clientID,
      familyID: row.familyID, isExpired: false, isLegacy: true, place: .fallbackRow(row.place))
  }

  /// The queries that are tried one after the other, each kind first by home account id and then by
  /// that of the first account with the user name.
  func refreshTokenQueries(_ query: LookupQuery) -> [EntryQuery] {
    let environments = environments(query.authority.flatMap { RequestAuthority($0) })
    let account = accounts(ofUsername: query.username, environments: environments).first
    return refreshTokenQueries(
      query, named: account.flatMap(homeAccountID), environments: environments)
  }

  /// - Parameter home: that of the account that the user name leads to; nil when it leads to none.
  func refreshTokenQueries(
    _ query: LookupQuery, named home: String?, environments: [String]
  ) -> [EntryQuery] {
    var homeAccountIDs: [String] = []
    if let id = query.homeAccountID, !id.isBlank { homeAccountIDs.append(id) }
    if let home { homeAccountIDs.append(home) }
    let kinds: [MSALEntry.Kind] =
      index.usesSingleFamilyToken ? [.familyRefreshToken, .refreshToken] : [.refreshToken]
    return kinds.flatMap { kind in
      homeAccountIDs.map { id in
        EntryQuery(
          kind: kind, homeAccountID: id, environments: environments,
          clientID: query.familyID == nil ? query.clientID : nil, familyID: query.familyID)
      }
    }
  }

  /// The accounts with this user name, of which MSAL takes the first.
  private func accounts(ofUsername username: String?, environments: [String]) -> [LookupRow] {
    guard let username, !username.isBlank else { return [] }
    return find(EntryQuery(kind: .account, environments: environments, username: username))
  }

  /// The home account id of an account; nil for an account that has none.
  private func homeAccountID(_ account: LookupRow) -> String? {
    account.entry.homeAccountID.flatMap { $0.isBlank ? nil : $0 }
  }

  private func fallbackRow(_ query: LookupQuery) throws(Failure) -> ADALFallbackRow? {
    for authority in fallbackAuthorities(query) {
      let checks = fallbackKeyChecks(query, authorities: [authority])
      let rows = fallback.rows(authority: authority, client: fallbackClient(query)).filter(
        checks.holds)
      if rows.count > 1 { throw .severalUsers }
      // The first authority that has a row decides, even if the row is no refresh token.
      if let row = rows.first { return row.isRefreshToken ? row : nil }
    }
    return nil
  }

  private func fallbackAuthorities(_ query: LookupQuery) -> [String] {
    query.authority.flatMap { RequestAuthority($0) }?.fallbackAuthorities(knowsClouds: knowsClouds)
      ?? []
  }

  private func fallbackClient(_ query: LookupQuery) -> String {
    query.familyID.map(FamilyClient.id) ?? query.clientID?.normalized ?? ""
  }

  /// What is asked of a row of ADAL's.
  func fallbackRefreshTokenChecks(_ query: LookupQuery) -> Checks<ADALFallbackRow> {
    let checks = fallbackKeyChecks(query, authorities: fallbackAuthorities(query))
    return Checks(
      checks.list + [
        Check(.usable) {
          $0.isRefreshToken
        } why: { _ in
          "has no refresh token, or an access token beside it"
        }
      ])
  }

  private func fallbackKeyChecks(_ query: LookupQuery, authorities: [String]) -> Checks<
    ADALFallbackRow
  > {
    let client = fallbackClient(query)
    let user = FallbackIndex.User(query.username)
    return Checks([
      Check(.username) {
        user.owns($0)
      } why: { _ in
        "is stored under another user name"
      },
      Check(.clientID) {
        $0.key.client.isExactly(client)
      } why: {
        "asked for the client \(said(client)), is stored under \(said($0.key.client))"
      },
      Check(.authority) { row in
        authorities.contains { $0.isExactly(row.key.authority) }
      } why: {
        "asked under \(authorities.joined(separator: ", ")), is stored under \($0.key.authority)"
      },
      Check(.resource) {
        $0.key.resource == nil && $0.key.application == nil
      } why: { _ in
        "is a token of one resource"
      },
    ])
  }
}

/// ADAL's rows, found again by what MSAL queries for.
struct FallbackIndex: Sendable {
  /// Whom a query is for.
  enum User {
    /// Any user: no user name, or a blank one.
    case any
    /// The rows stored under this user id; an empty name asks for those without a user.
    case id(String)

    init(_ username: String?) {
      guard let username else {
        self = .any
        return
      }
      let id = username.normalized
      self = id.isEmpty && !username.isEmpty ? .any : .id(id)
    }

    func owns(_ row: ADALFallbackRow) -> Bool {
      switch self {
      case .any: true
      case .id(let id): row.key.userID?.isExactly(id) ?? false
      }
    }
  }

  let rows: [ADALFallbackRow]
  private var positionsByUser: [ExactText: [Int]] = [:]
  private var positionsByKey: [[ExactText]: [Int]] = [:]

  init(_ rows: [ADALFallbackRow]) {
    self.rows = rows.filter { $0.refreshToken != .tombstone }
    for (position, row) in self.rows.enumerated() {
      if let user = row.key.userID {
        positionsByUser[ExactText(user), default: []].append(position)
      }
      guard row.key.resource == nil, row.key.application == nil else { continue }
      let key = [ExactText(row.key.authority), ExactText(row.key.client)]
      positionsByKey[key, default: []].append(position)
    }
  }

  /// The rows of this user.
  func rows(of user: User) -> [ADALFallbackRow] {
    switch user {
    case .any: rows
    case .id(let id): (positionsByUser[ExactText(id)] ?? []).map { rows[$0] }
    }
  }

  /// The rows without a resource under this authority and client.
  func rows(authority: String, client: String) -> [ADALFallbackRow] {
    (positionsByKey[[ExactText(authority), ExactText(client)]] ?? []).map { rows[$0] }
  }
}
