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
      found.filter { $0.realm?.isExactly(hint) ?? false }
    }
    return (hinted.flatMap { $0.isEmpty ? nil : $0 } ?? found)
      .map { tenantAccount($0, environment: nil, hasClaims: false) }
  }

  func accountQuery(_ query: LookupQuery) -> AccountQuery {
    let authority = query.authority.flatMap { RequestAuthority($0) }
    // With a home account id the name is not asked for: a guest may have another one.
    let needsName = query.homeAccountID?.isBlank ?? true
    return AccountQuery(
      homeAccountID: query.homeAccountID, environments: environments(authority),
      realm: authority?.realm, username: needsName ? query.username : nil)
  }

  func tenantAccount(
    _ row: AccountRow, environment: String?, hasClaims: Bool
  ) -> TenantAccount {
    TenantAccount(
      identifier: row.normalizedHomeAccountID, username: row.username,
      environment: environment ?? row.environment, realm: row.realm,
      localAccountID: row.localAccountID, hasClaims: hasClaims,
      place: .item(index: row.index, key: row.item), displayableID: row.username,
      storageEnvironment: nil, alternativeAccountID: row.alternativeAccountID,
      accountType: row.accountType, utid: Self.utid(row.homeAccountID))
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

  func list(_ listing: Listing) -> [TenantAccount] { accountSet(listing).members }

  func accountSet(_ listing: Listing) -> AccountSet {
    var set = AccountSet()
    var hiddenNames: Set<ExactText> = []
    for row in find(listing.accountQuery) {
      if listing.whyNotListed(row) == nil {
        set.insert(
          tenantAccount(
            row, environment: listing.authority?.environment,
            hasClaims: listing.hasClaims(row)))
      } else if let name = row.username {
        hiddenNames.insert(ExactText(name))
      }
    }
    guard listing.query.withLegacy else { return set }
    let known = set
    for account in listing.fallbackAccounts() {
      if let identifier = account.identifier, !identifier.isBlank {
        if known.contains(account) || listing.state(of: identifier) == .signedOut { continue }
      } else if let name = account.username, hiddenNames.contains(ExactText(name)) {
        continue
      }
      set.insert(account)
    }
    return set
  }
}

/// Accounts without repetition, in the order in which they came (MSIDAccount's `isEqual:`).
struct AccountSet {
  private(set) var members: [Lookup.TenantAccount] = []
  /// Accounts of ADAL's rows that are the same as a member of another such row and say something else, by the
  /// member's position: which of them is the member depends on the order of the rows.
  private(set) var rivals: [Int: [Lookup.TenantAccount]] = [:]
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

  mutating func insert(_ account: Lookup.TenantAccount) {
    if let known = position(of: account) {
      if members[known].isOfRow, account.isOfRow, members[known].differs(from: account) {
        rivals[known, default: []].append(account)
      }
      return
    }
    positions[Members(account), default: []].append(members.count)
    members.append(account)
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
  fileprivate var isOfRow: Bool { if case .fallbackRow = place { true } else { false } }

  /// Whether an app sees a difference between two accounts that are the same to MSAL.
  fileprivate func differs(from other: Self) -> Bool {
    hasClaims != other.hasClaims || localAccountID != other.localAccountID
      || storageEnvironment != other.storageEnvironment
  }
}
