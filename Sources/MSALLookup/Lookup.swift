// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// MSAL's own read paths over the keychain items of one access group, with the results of MSAL for iOS and macOS and
/// the reasons for misses.
///
/// The rules come from IdentityCore 1.26.0 (cache/accessor/MSIDDefaultTokenCacheAccessor.m and the files that it uses)
/// and MSAL 2.14.0 (instance/MSALAccountsProvider.m). Tests compare them with answers recorded from these versions.
/// Where the order of a set decides in MSAL, the order of the items decides here. A look-up deletes and saves nothing.
/// This is a class without variables, because each search would copy the index of a struct.
package final class Lookup: Sendable {
  package let index: MSALIndex
  /// ADAL's rows of the same group, for queries that include them.
  package let fallback: FallbackIndex
  /// The reader's clock, in Unix seconds.
  package let now: Double
  private let knowsClouds: Bool

  /// A look-up in an index.
  ///
  /// - Parameters:
  ///   - fallbackRows: ADAL's rows of the same group, for queries that include them.
  ///   - now: the reader's clock, in Unix seconds.
  ///   - knowsClouds: whether the reader has instance metadata; without it a host has no alias.
  package init(
    _ index: MSALIndex, fallbackRows: [ADALFallbackRow] = [], now: Double, knowsClouds: Bool = true
  ) {
    self.index = index
    fallback = FallbackIndex(fallbackRows)
    self.now = now
    self.knowsClouds = knowsClouds
  }

  /// The authority that a query names, as far as there is one.
  package func authority(_ query: LookupQuery) -> RequestAuthority? {
    query.authority.flatMap { RequestAuthority($0, knowsClouds: knowsClouds) }
  }

  /// The hosts whose entries match a query; empty for any host.
  package func environments(_ query: LookupQuery) -> [String] { authority(query)?.aliases ?? [] }

  /// The rows that answer a query, in the order in which they came. No row is looked at before it is its turn.
  package func find(
    _ query: EntryQuery
  ) -> LazyFilterSequence<LazyMapSequence<[Int], LookupRow>> {
    index.rows(for: query).filter { query.isAnswered(by: $0) }
  }

  /// The query for tokens of a kind.
  package func tokenQuery(
    _ kind: MSALEntry.Kind, _ query: LookupQuery, _ authority: RequestAuthority?
  ) -> EntryQuery {
    EntryQuery(
      kind: kind, homeAccountID: query.homeAccountID, environments: authority?.aliases ?? [],
      clientID: query.clientID, realm: authority?.realm,
      target: kind == .accessToken ? query.scopes : nil)
  }

  /// A client's entries of app metadata, in the cloud of the authority where one is given.
  package func appMetadata(_ query: LookupQuery) -> [MSALEntry] {
    let environments = environments(query)
    let service = query.clientID.map(MSALEntry.metadataService)
    return index.appMetadata(service: service).map(\.entry).filter { entry in
      query.clientID.map { entry.clientID?.isExactly($0) ?? false } ?? true
        && (environments.isEmpty || environments.hasInAnyCase(entry.environment))
    }
  }

  /// The queries that make a list of accounts.
  package func listing(_ query: LookupQuery) -> Listing {
    var inner = LookupQuery(
      .accounts, signedInOnly: query.signedInOnly, withLegacy: query.withLegacy)
    if query.signedInOnly {
      inner.clientID = query.clientID
      let metadata = appMetadata(LookupQuery(.appMetadata, clientID: query.clientID)).first
      // Without app metadata the client may be of the family that there is.
      inner.familyID = metadata.map(\.familyID) ?? "1"
    }
    if !(query.identifier?.isBlank ?? true) || !(query.username?.isBlank ?? true) {
      inner.homeAccountID = query.identifier
      inner.username = query.username
    }
    return Listing(self, inner, usesMetadata: true)
  }

  /// The queries for a refresh token, in order: each kind first by home account ID.
  ///
  /// - Parameter home: that of the account that the user name leads to; nil when it leads to none.
  package func refreshTokenQueries(
    _ query: LookupQuery, named home: String?, environments: [String]
  ) -> [EntryQuery] {
    let given = query.homeAccountID.flatMap { $0.isBlank ? nil : $0 }
    let kinds: [MSALEntry.Kind] =
      index.usesSingleFamilyToken ? [.familyRefreshToken, .refreshToken] : [.refreshToken]
    return kinds.flatMap { kind in
      [given, home].compactMap { $0 }.map { id in
        EntryQuery(
          kind: kind, homeAccountID: id, environments: environments,
          clientID: query.familyID == nil ? query.clientID : nil, familyID: query.familyID)
      }
    }
  }

  /// A user name as names are compared where accounts are merged.
  package static func comparable(_ username: String?) -> ExactText? {
    username.map { ExactText($0.lowercasedLikeNSString) }
  }
}
