// SPDX-License-Identifier: MIT
import MSALCache
import MSALLookup

extension Lookup {
  /// An account as apps see it: one for every home account id, with a profile for each tenant
  /// (MSAL MSALAccount.m, MSALTenantProfile.m).
  package struct ListedAccount: Sendable, Hashable {
    /// A tenant that the account is known in.
    package struct TenantProfile: Sendable, Hashable {
      package let tenantID: String
      /// The local account id.
      package let identifier: String?
      /// Whether it is the account's own tenant.
      package let isHome: Bool
      /// Whether the ID token of that tenant was found.
      package let hasClaims: Bool
    }

    /// The home account id, unless only a row of ADAL's that has none stands behind it.
    package let identifier: String?
    /// That of the home tenant where its claims are known.
    package fileprivate(set) var username: String?
    /// The host under which the account was found.
    package let environment: String?
    /// Whether the claims of the home tenant are known.
    package fileprivate(set) var hasClaims: Bool
    package fileprivate(set) var tenantProfiles: [TenantProfile]
    /// The places of its entries.
    package fileprivate(set) var places: [LookupCandidate.EntryPlace]
  }

  /// The accounts that an app is shown: of its client and family, merged by identifier or name
  /// (MSAL instance/MSALAccountsProvider.m).
  package func listedAccounts(_ query: LookupQuery) -> [ListedAccount] {
    Self.merged(list(listing(query)).filter { whyFiltered($0, query) == nil })
  }

  /// Accounts in several tenants as the accounts that apps see, in the order in which they come.
  static func merged(_ accounts: [TenantAccount]) -> [ListedAccount] {
    var merged = MergedAccounts()
    for account in accounts { merged.add(account) }
    return merged.accounts
  }

  /// The comparison that follows, without trimming: why an account is left out, nil when it is not.
  func whyFiltered(_ account: TenantAccount, _ query: LookupQuery) -> LookupCandidate? {
    func isOther(_ value: String?, _ wanted: String?) -> Bool {
      guard let wanted, !wanted.isBlank else { return false }
      return !(value?.isEqualInAnyCase(wanted) ?? false)
    }
    func candidate(_ failed: LookupPredicate, _ why: String) -> LookupCandidate {
      LookupCandidate(account.place, failed, why)
    }
    if isOther(account.identifier, query.identifier) {
      return candidate(
        .homeAccountID,
        "asked for \(said(query.identifier)), has \(said(account.identifier))")
    }
    if isOther(account.username, query.username) {
      return candidate(.username, "has another user name, or the same in other white space")
    }
    if isOther(account.localAccountID, query.tenantProfileID) {
      return candidate(
        .account,
        "asked for the tenant profile \(said(query.tenantProfileID)), "
          + "has \(said(account.localAccountID))")
    }
    return nil
  }
}

/// Accounts merged as MSALAccount's `isEqual:` has it: by identifier where both have one, else by user
/// name in any case.
private struct MergedAccounts {
  private(set) var accounts: [Lookup.ListedAccount] = []
  private var byIdentifier: [ExactText: Int] = [:]
  private var byName: [ExactText?: [Int]] = [:]
  /// Those without an identifier.
  private var byNameAlone: [ExactText?: [Int]] = [:]
  /// The tenants of each account, by its position.
  private var realms: [Set<ExactText>] = []

  mutating func add(_ account: Lookup.TenantAccount) {
    let position = find(account) ?? accounts.count
    if position == accounts.count {
      accounts.append(
        Lookup.ListedAccount(
          identifier: account.identifier, username: account.username,
          environment: account.storageEnvironment ?? account.environment, hasClaims: false,
          tenantProfiles: [], places: []))
      realms.append([])
      if let id = account.identifier { byIdentifier[id] = position }
      note(account.username, at: position)
    }
    accounts[position].places.append(account.place)
    addProfile(of: account, to: position)
    if account.isHome, account.hasClaims {
      accounts[position].hasClaims = true
      accounts[position].username = account.username
      note(account.username, at: position)
    }
  }

  private mutating func note(_ username: String?, at position: Int) {
    let name = Lookup.comparable(username)
    byName[name, default: []].append(position)
    if accounts[position].identifier == nil { byNameAlone[name, default: []].append(position) }
  }

  private func find(_ account: Lookup.TenantAccount) -> Int? {
    let sameID = account.identifier.flatMap { byIdentifier[$0] }
    let name = Lookup.comparable(account.username)
    let named = account.identifier == nil ? byName[name] : byNameAlone[name]
    let sameName = (named ?? []).filter { Lookup.comparable(accounts[$0].username) == name }
    return ([sameID] + sameName).compactMap { $0 }.min()
  }

  private mutating func addProfile(of account: Lookup.TenantAccount, to position: Int) {
    guard let realm = account.realm, realms[position].insert(ExactText(realm)).inserted else {
      return
    }
    accounts[position].tenantProfiles.append(
      Lookup.ListedAccount.TenantProfile(
        tenantID: realm, identifier: account.localAccountID, isHome: account.isHome,
        hasClaims: account.hasClaims))
  }
}
