// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import MSALCache

/// The age of a row's refresh token (mapping-rules §4.c).
///
/// ADAL before 2.7 stored no time beside a refresh token. The access tokens that arrived with it tell that time. An
/// access token with an unusually long lifetime would give a time in the future, which is not evidence.
struct TokenAges: Sendable {
  private struct Source: Hashable {
    var user: Symbol
    var client: Symbol
    var authority: Symbol

    init(_ row: ADALRow) {
      user = row.nameOfKey
      client = row.client
      authority = row.normalizedAuthority
    }
  }

  private var byAccessToken: [Source: Double] = [:]

  init(_ rows: [ADALRow], now: Double) {
    // A row that says when it was changed asks no other.
    guard rows.contains(where: { $0.isOfApple && $0.modified == nil }) else { return }
    for row in rows {
      let source = Source(row)
      let issued = row.expiresOn.map { $0 - LegacyToken.usualLifetime }
      guard row.hasAccessToken,
        let time = row.cachedAt ?? issued.flatMap({ $0 > now ? nil : $0 })
      else { continue }
      byAccessToken[source] = max(byAccessToken[source] ?? time, time)
    }
  }

  /// The time when the row's refresh token was stored, as far as there is evidence; Unix seconds.
  func age(of row: ADALRow) -> Double? {
    if !row.isOfApple || row.modified != nil { return row.evidenceOfAge }
    return latest(row.evidenceOfAge, byAccessToken[Source(row)])
  }

  /// The row with the preferred refresh token among rows of one account; nil for no rows.
  func preferred(_ rows: [ADALRow], home: HomeAccountID, _ table: RowTable) -> ADALRow? {
    guard rows.count > 1 else { return rows.first }
    var tie = TieBreak { [tokens = table.tokens] in tokens[$0.index].token.refresh }
    return rows.lazy.map { Rank(row: $0, age: age(of: $0), home: home, table) }
      .min { $0.precedes($1, &tie) }?.row
  }

  /// The rank of a row's refresh token.
  private struct Rank {
    let row: ADALRow
    /// Whether there is no sign that the refresh token is a guest's.
    private let mayBeOfHome: Bool
    private let isSingle: Bool
    private let age: Double
    /// Whether the authority is `common` or the user's home tenant, rather than one that was visited.
    private let isOfHomeAuthority: Bool

    init(row: ADALRow, age: Double?, home: HomeAccountID, _ table: RowTable) {
      self.row = row
      self.age = age ?? -.infinity
      let isOfHome = home.utid.isExactly(table.symbols[row.realm])
      // Other ADALs keep one for each tenant, or write one over all of them (other-adals §8.3).
      mayBeOfHome = row.isOfApple || row.realm == .none || isOfHome
      isSingle = row.kind == .singleResourceToken
      isOfHomeAuthority =
        switch table.url(of: row)?.tenant {
        case .common, .organizations: true
        case .id(let tenant): tenant.isExactly(home.utid)
        case .domain: isOfHome
        case .consumers: home.utid == HomeAccountID.consumerTenant
        case nil: false
        }
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
