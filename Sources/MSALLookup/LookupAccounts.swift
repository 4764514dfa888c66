// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension Lookup {
  /// An account in one tenant, as token requests see it (IdentityCore oauth2/account/MSIDAccount.m).
  package struct TenantAccount: Sendable, Hashable {
    /// The home account id in lower case.
    package let identifier: String?
    /// As the entry spells it.
    package let username: String?
    /// The environment that was asked with, else that of the entry.
    package let environment: String?
    /// The tenant.
    package let realm: String?
    /// The object id in that tenant.
    package let localAccountID: String?
    /// Whether an ID token of that tenant gives it claims.
    package let hasClaims: Bool
    /// Where the account is.
    package let place: LookupCandidate.EntryPlace

    let displayableID: String?
    let storageEnvironment: String?
    let alternativeAccountID: String?
    let accountType: Int
    let utid: String?

    /// Whether this is the account's own tenant; anything but MSSTS is always at home.
    var isHome: Bool {
      guard accountType == 1003 else { return true }
      guard let realm, let utid else { return false }
      return realm.isExactly(utid)
    }
  }

  /// The account that a token request is for: of several, that of the tenant that is hinted at, else
  /// the first.
  package func account(_ query: LookupQuery) -> TenantAccount? { requestAccounts(query).first }

  /// The accounts of which ``account(_:)`` takes the first, in the order of the keychain.
  func requestAccounts(_ query: LookupQuery) -> [TenantAccount] {
    let found = find(accountQuery(query))
    let hinted = query.realmHint.map { hint in
      found.filter { $0.entry.realm?.isExactly(hint) ?? false }
    }
    return (hinted.flatMap { $0.isEmpty ? nil : $0 } ?? found)
      .map { tenantAccount($0, environment: nil, hasClaims: false) }
  }

  func accountQuery(_ query: LookupQuery) -> EntryQuery {
    let authority = query.authority.flatMap { RequestAuthority($0) }
    // With a home account id the name is not asked for: a guest may have another one.
    let needsName = query.homeAccountID?.isBlank ?? true
    return EntryQuery(
      kind: .account, homeAccountID: query.homeAccountID, environments: environments(authority),
      realm: authority?.realm, username: needsName ? query.username : nil)
  }

  func tenantAccount(
    _ row: LookupRow, environment: String?, hasClaims: Bool
  ) -> TenantAccount {
    TenantAccount(
      identifier: row.normalizedHomeAccountID, username: row.entry.username,
      environment: environment ?? row.entry.environment, realm: row.entry.realm,
      localAccountID: row.entry.localAccountID, hasClaims: hasClaims,
      place: row.place, displayableID: row.entry.username,
      storageEnvironment: nil, alternativeAccountID: row.alternativeAccountID,
      accountType: row.accountType ?? 0, utid: Self.utid(row.entry.homeAccountID))
  }

  /// The second of exactly two parts, in its own case.
  private static func utid(_ homeAccountID: String?) -> String? {
    let parts = homeAccountID?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    return parts.count == 2 ? String(parts[1]) : nil
  }

  /// The accounts for which the client or its family has a refresh token.
  package func accounts(_ query: LookupQuery) -> [TenantAccount] {
    list(Listing(self, query, usesMetadata: false))
  }

  func list(_ listing: Listing) -> [TenantAccount] { listedSets(listing).members() }

  func listedSets(_ listing: Listing) -> ListedSets {
    var sets = ListedSets(listing: listing)
    for row in find(listing.accountQuery) {
      if listing.whyNotListed(row) == nil {
        sets.own.insert(
          tenantAccount(
            row, environment: listing.authority?.environment,
            hasClaims: listing.hasClaims(row)))
      } else if let name = row.entry.username {
        sets.hiddenNames.insert(ExactText(name))
      }
    }
    if listing.query.withLegacy { sets.rows = listing.fallbackAccounts() }
    return sets
  }
}

/// Out of what MSAL makes a list: accounts of its own, and those of ADAL's rows.
struct ListedSets {
  let listing: Listing
  fileprivate(set) var own = AccountSet()
  fileprivate var hiddenNames: Set<ExactText> = []
  /// An account for each row, in the order of the rows.
  fileprivate(set) var rows: [Lookup.TenantAccount] = []

  init(listing: Listing) { self.listing = listing }

  /// The accounts that are listed.
  ///
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
    return account.username.map { hiddenNames.contains(ExactText($0)) } ?? false
  }

  /// The positions of rows for which another row stands that comes before, and that would be listed otherwise.
  var rivals: [Int] {
    var ofRows = AccountSet()
    return rows.indices.filter { position in
      let row = rows[position]
      guard let other = ofRows.insert(row), row.differs(from: other) else { return false }
      // What is left out either way, or is an account of MSAL's own either way, changes nothing.
      return [row, other].contains { !isLeftOut($0) && !own.contains($0) }
    }
  }
}

/// Accounts without repetition, in the order in which they came (MSIDAccount's `isEqual:`).
struct AccountSet {
  private(set) var members: [Lookup.TenantAccount] = []
  private var positions: [Members: [Int]] = [:]

  /// What two accounts have in common that are the same, beside their identifiers.
  struct Members: Hashable {
    private let texts: [ExactText?]
    private let accountType: Int

    init(_ account: Lookup.TenantAccount) {
      texts = [
        account.displayableID, account.environment, account.realm, account.alternativeAccountID,
        account.username,
      ].map { $0.map { ExactText($0) } }
      accountType = account.accountType
    }
  }

  /// - Returns: the member that is the same account; nil when there was none.
  @discardableResult
  mutating func insert(_ account: Lookup.TenantAccount) -> Lookup.TenantAccount? {
    if let known = position(of: account) { return members[known] }
    positions[Members(account), default: []].append(members.count)
    members.append(account)
    return nil
  }

  func contains(_ account: Lookup.TenantAccount) -> Bool { position(of: account) != nil }

  private func position(of account: Lookup.TenantAccount) -> Int? {
    (positions[Members(account)] ?? []).first { position in
      let other = members[position]
      if let a = account.identifier, let b = other.identifier { return a.isExactly(b) }
      // Two accounts without a name are never the same then.
      return account.displayableID != nil
    }
  }

}

extension Lookup.TenantAccount {
  /// Whether an app sees a difference between two accounts that are the same to MSAL.
  fileprivate func differs(from other: Self) -> Bool {
    identifier != other.identifier || hasClaims != other.hasClaims
      || localAccountID != other.localAccountID || storageEnvironment != other.storageEnvironment
  }
}
