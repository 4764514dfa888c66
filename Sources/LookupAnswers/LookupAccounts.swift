// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

extension Lookup {
  /// An account in one tenant, as token requests see it (IdentityCore oauth2/account/MSIDAccount.m).
  package struct TenantAccount: Sendable, Equatable {
    /// The home account id in lower case; for MSAL for Python as the entry spells it.
    package let identifier: String?
    /// As the entry spells it.
    package let username: String?
    /// The environment that was asked with, else that of the entry.
    package let environment: String?
    package let realm: String?
    /// The object id in that tenant.
    package let localAccountID: String?
    /// Whether an ID token of that tenant gives it claims.
    package var hasClaims = false
    package let place: LookupCandidate.EntryPlace

    /// The environment that a row of ADAL's holds.
    var storageEnvironment: String?
    var alternativeAccountID: String?
    var accountType = ItemType.account
    /// Whether this is the account's own tenant; anything but MSSTS is always at home.
    var isHome = true
  }

  /// The account that a token request is for: of several, that of the tenant that is hinted at, else
  /// the first.
  package func account(_ query: LookupQuery) -> TenantAccount? { requestAccounts(query).first }

  /// The accounts in the order of the keychain. ``account(_:)`` takes the first.
  func requestAccounts(_ query: LookupQuery) -> [TenantAccount] {
    let found = Array(find(accountQuery(query)))
    let hinted = found.filter { row in
      query.realmHint.map { row.entry.realm?.isExactly($0) ?? false } ?? false
    }
    return (hinted.isEmpty ? found : hinted).map { tenantAccount($0) }
  }

  func accountQuery(_ query: LookupQuery) -> EntryQuery {
    let authority = authority(query)
    // With a home account id the name is not asked for: a guest may have another one.
    let needsName = query.homeAccountID?.isBlank ?? true
    return EntryQuery(
      kind: .account, homeAccountID: query.homeAccountID, environments: authority?.aliases ?? [],
      realm: authority?.realm, username: needsName ? query.username : nil)
  }

  func tenantAccount(
    _ row: LookupRow, environment: String? = nil, hasClaims: Bool = false
  ) -> TenantAccount {
    let entry = row.entry
    let accountType = row.accountType ?? 0
    return TenantAccount(
      identifier: row.normalizedHomeAccountID, username: entry.username,
      environment: environment ?? entry.environment, realm: entry.realm,
      localAccountID: entry.localAccountID, hasClaims: hasClaims, place: row.place,
      alternativeAccountID: row.alternativeAccountID, accountType: accountType,
      isHome: accountType != ItemType.account || Self.isHome(entry.realm, of: entry.homeAccountID))
  }

  static func isHome(_ realm: String?, of homeAccountID: String?) -> Bool {
    guard let realm, let home = homeAccountID?.homeTenant else { return false }
    return realm.isExactly(home)
  }

  /// The accounts for which the client or its family has a refresh token.
  package func accounts(_ query: LookupQuery) -> [TenantAccount] {
    list(Listing(self, query, usesMetadata: false))
  }

  func list(_ listing: Listing) -> [TenantAccount] { listedSets(listing).members() }

  func listedSets(_ listing: Listing) -> ListedSets {
    var sets = ListedSets(listing: listing)
    let claims = ListedClaims(listing)
    for row in find(listing.accountQuery) {
      if listing.whyNotListed(row) == nil {
        sets.own.insert(
          tenantAccount(
            row, environment: listing.authority?.environment,
            hasClaims: claims.areThere(for: row)))
      } else if let name = row.entry.username {
        sets.hiddenNames.insert(name)
      }
    }
    if listing.query.withLegacy { sets.rows = listing.fallbackAccounts() }
    return sets
  }
}

/// The sources of MSAL's list: its own accounts, and those of ADAL's rows.
struct ListedSets {
  let listing: Listing
  fileprivate var own = AccountSet()
  fileprivate var hiddenNames: Set<ExactText> = []
  /// An account for each row, in the order of the rows.
  fileprivate(set) var rows: [Lookup.TenantAccount] = []

  fileprivate init(listing: Listing) { self.listing = listing }

  /// The accessor of ADAL's rows answers with a set of its own: where two rows are the same account, the first
  /// stands for both, before any is left out.
  ///
  /// - Parameter first: the position of a row that the keychain gives before the others.
  func members(first: Int? = nil) -> [Lookup.TenantAccount] {
    guard !rows.isEmpty else { return own.members }
    var ofRows = AccountSet()
    if let first { ofRows.insert(rows[first]) }
    for row in rows { ofRows.insert(row) }
    var set = own
    for account in ofRows.members where !isLeftOut(account) { set.insert(account) }
    return set.members
  }

  private func isLeftOut(_ account: Lookup.TenantAccount) -> Bool {
    if let identifier = account.identifier, !identifier.isBlank {
      return own.contains(account) || listing.state(of: identifier) == .signedOut
    }
    return account.username.map { hiddenNames.contains($0) } ?? false
  }

  /// The positions of rows for which another row stands that comes before, and that would be listed otherwise.
  var rivals: [Int] {
    var ofRows = AccountSet()
    return rows.indices.filter { position in
      let row = rows[position]
      guard let other = ofRows.insert(row), row.differs(from: other) else { return false }
      // An account that is left out in both cases, or is MSAL's own in both cases, changes nothing.
      return [row, other].contains { !isLeftOut($0) && !own.contains($0) }
    }
  }
}

/// The members that equal accounts share, beside their identifiers (MSIDAccount's `isEqual:`).
private struct AccountMembers: Hashable {
  let username: ExactText?
  let environment: ExactText?
  let realm: ExactText?
  let alternativeAccountID: ExactText?
  let accountType: Int
}

/// Accounts without repetition, in the order in which they came.
struct AccountSet {
  private(set) var members: [Lookup.TenantAccount] = []
  private var positions: [AccountMembers: [Int]] = [:]

  /// - Returns: the member that is the same account; nil when there was none.
  @discardableResult
  mutating func insert(_ account: Lookup.TenantAccount) -> Lookup.TenantAccount? {
    if let known = position(of: account) { return members[known] }
    positions[account.members, default: []].append(members.count)
    members.append(account)
    return nil
  }

  func contains(_ account: Lookup.TenantAccount) -> Bool { position(of: account) != nil }

  private func position(of account: Lookup.TenantAccount) -> Int? {
    (positions[account.members] ?? []).first { position in
      let other = members[position]
      if let a = account.identifier, let b = other.identifier { return a.isExactly(b) }
      // Two accounts without a name are never the same then.
      return account.username != nil
    }
  }
}

extension Lookup.TenantAccount {
  fileprivate var members: AccountMembers {
    AccountMembers(
      username: username.map { ExactText($0) }, environment: environment.map { ExactText($0) },
      realm: realm.map { ExactText($0) },
      alternativeAccountID: alternativeAccountID.map { ExactText($0) }, accountType: accountType)
  }

  /// Whether an app sees a difference between two accounts that are the same to MSAL.
  fileprivate func differs(from other: Self) -> Bool {
    identifier != other.identifier || hasClaims != other.hasClaims
      || localAccountID != other.localAccountID || storageEnvironment != other.storageEnvironment
  }
}

extension Listing {
  /// The reason why an account that the query finds is not listed, as a candidate; nil if it is listed.
  func candidate(_ row: LookupRow) -> LookupCandidate? {
    whyNotListed(row).map { failed in
      let why =
        switch failed {
        case .signInState: "account metadata of this client says signed_out"
        case .homeAccountID: "has no home account id, by which refresh tokens are found"
        default:
          "the client \(said(query.clientID)) and the family \(said(query.familyID)) have no refresh "
            + "token with exactly the home account id \(said(row.entry.homeAccountID))"
        }
      return LookupCandidate(row.place, failed, why)
    }
  }

  /// The accounts of ADAL's rows: rows with a refresh token and no access token whose client or family is spelled
  /// exactly as in the query (MSIDLegacyTokenCacheAccessor.m).
  func fallbackAccounts() -> [Lookup.TenantAccount] {
    // Two rows of one account stay two, since the order of the rows decides which of them is listed.
    return lookup.fallback.rows(of: FallbackIndex.user(named: query.username), home: rowQuery.home)
      .filter { rowQuery.isAnswered(by: $0.token) }.map(account)
  }

  func account(_ row: ADALFallbackRow) -> Lookup.TenantAccount {
    let isOwn = query.clientID.map { row.clientID?.isExactly($0) ?? false } ?? true
    let realm = row.claims?.realm
    return Lookup.TenantAccount(
      identifier: row.homeAccountID?.normalized, username: row.claims?.userID,
      environment: authority?.environment ?? row.environment, realm: realm,
      localAccountID: row.claims?.localAccountID, hasClaims: isOwn && row.claims != nil,
      place: .fallbackRow(row.place), storageEnvironment: row.environment,
      isHome: Lookup.isHome(realm, of: row.homeAccountID))
  }
}

/// The accounts of a list that have claims.
struct ListedClaims {
  private let listing: Listing
  private let query: EntryQuery
  private let tokensOfTenant: [ExactText: LookupRow]?

  init(_ listing: Listing) {
    self.listing = listing
    query = listing.lookup.tokenQuery(.idToken, listing.query, listing.authority)
    // An ID token is given the environment that was asked with, so that only the tenant is compared.
    if let authority = listing.authority {
      let tokens: [(ExactText, LookupRow)] = listing.lookup.find(query).map { token in
        let key = MSALIndex.claimsKey(
          token.normalizedHomeAccountID, authority.environment, token.entry.realm)
        return (ExactText(key), token)
      }
      tokensOfTenant = Dictionary(tokens, uniquingKeysWith: { $1 })
    } else {
      tokensOfTenant = nil
    }
  }

  /// Whether an ID token of the same account, environment and tenant, as spelled, can be read.
  func areThere(for row: LookupRow) -> Bool {
    let key = MSALIndex.claimsKey(
      row.normalizedHomeAccountID, listing.authority?.environment ?? row.entry.environment,
      row.entry.realm)
    let token =
      tokensOfTenant.map { $0[key] }
      ?? listing.lookup.index.idTokens(key, clientID: listing.query.clientID)
      .last { query.isAnswered(by: $0) }
    return token?.hasClaims ?? false
  }
}
