// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// How new the refresh token of a row is (mapping-rules §4.c).
///
/// ADAL before 2.7 stored no time beside a refresh token. The access tokens that came with it tell when
/// that was. A token that lives longer than usual would tell of a time that has not come yet, which is
/// no evidence.
struct TokenAges: Sendable {
  private struct Source: Hashable {
    var user: String?
    var client: ExactText
    var authority: String?
  }

  private var byAccessToken: [Source: Double] = [:]

  init(_ rows: some Collection<LegacyRow>, now: Double) {
    // A row that says when it was changed asks no other.
    guard rows.contains(where: { $0.token.origin == .apple && $0.token.place.modified == nil })
    else { return }
    for row in rows where row.token.access != nil {
      let issued = row.token.expiresOn.map { $0 - LegacyToken.usualLifetime }
      guard let time = row.token.cachedAt ?? issued.flatMap({ $0 > now ? nil : $0 }) else {
        continue
      }
      let source = Self.source(of: row)
      byAccessToken[source] = max(byAccessToken[source] ?? time, time)
    }
  }

  private static func source(of row: LegacyRow) -> Source {
    Source(
      user: row.keyUserName, client: row.client,
      authority: row.token.authority?.normalized)
  }

  /// When the row's refresh token was stored, as far as anything says; Unix seconds.
  func age(of row: LegacyRow) -> Double? {
    if row.token.origin != .apple { return row.evidenceOfAge }
    return row.token.place.modified
      ?? [row.evidenceOfAge, byAccessToken[Self.source(of: row)]].compactMap { $0 }.max()
  }

  /// Rows of one account, the one whose refresh token is to be preferred first.
  func preferredFirst(_ rows: [ResolvedRow], home: HomeAccountID) -> [ResolvedRow] {
    guard rows.count > 1 else { return rows }
    var tie = TieBreak { $0.row.token.refresh }
    return rows.map { Rank(row: $0, age: age(of: $0.row), home: home) }
      .ordered { $0.precedes($1, &tie) }
      .map(\.row)
  }

  /// What a row has to show for its refresh token.
  private struct Rank {
    let row: ResolvedRow
    private let mayBeOfHome: Bool
    private let isSingle: Bool
    private let age: Double
    private let isOfHomeAuthority: Bool

    init(row: ResolvedRow, age: Double?, home: HomeAccountID) {
      self.row = row
      self.age = age ?? -.infinity
      mayBeOfHome = row.row.mayBeOfHome(home)
      isSingle = row.row.kind == .singleResourceToken
      isOfHomeAuthority = row.row.isOfHomeAuthority(home)
    }

    func precedes(_ other: Rank, _ tie: inout TieBreak) -> Bool {
      if mayBeOfHome != other.mayBeOfHome { return mayBeOfHome }
      if isSingle != other.isSingle { return other.isSingle }
      if age != other.age { return age > other.age }
      if isOfHomeAuthority != other.isOfHomeAuthority { return isOfHomeAuthority }
      return tie.precedes(row, other.row)
    }
  }
}

extension LegacyRow {
  /// Whether nothing says that the refresh token is a guest's: other ADALs keep one for each tenant, or
  /// write one over all of them (other-adals §8.3).
  fileprivate func mayBeOfHome(_ home: HomeAccountID) -> Bool {
    token.origin == .apple || realm.map(home.utid.isExactly) ?? true
  }

  /// Whether the authority is `common` or the user's home tenant, rather than one that was visited.
  fileprivate func isOfHomeAuthority(_ home: HomeAccountID) -> Bool {
    switch authority?.tenant {
    case .common, .organizations: true
    case .id(let tenant): tenant.isExactly(home.utid)
    case .domain: realm.map(home.utid.isExactly) ?? false
    case .consumers: home.utid == HomeAccountID.consumerTenant
    case nil: false
    }
  }
}
