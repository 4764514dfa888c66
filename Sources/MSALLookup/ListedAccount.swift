// SPDX-License-Identifier: MIT
import MSALCache

extension Lookup {
  /// An account as apps see it: one for every home account id, with a profile for each tenant
  /// (MSAL MSALAccount.m, MSALTenantProfile.m).
  package struct ListedAccount: Sendable, Hashable {
    /// A tenant that the account is known in.
    package struct TenantProfile: Sendable, Hashable {
      /// The tenant.
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
    /// The tenants in which the account is.
    package fileprivate(set) var tenantProfiles: [TenantProfile]
    /// Where its entries are.
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

  /// The first of those accounts.
  package func listedAccount(_ query: LookupQuery) -> ListedAccount? {
    listedAccounts(query).first
  }

  /// What a query for listed accounts asks of the cache.
  func listing(_ query: LookupQuery) -> Listing {
    var inner = LookupQuery(
      .accounts, signedInOnly: query.signedInOnly, withLegacy: query.withLegacy)
    if query.signedInOnly {
      inner.clientID = query.clientID
      let metadata = appMetadataRows(LookupQuery(.appMetadata, clientID: query.clientID)).first
      // Without app metadata the client may be of the family that there is.
      inner.familyID = metadata.map(\.entry.familyID) ?? "1"
    }
    if !(query.identifier?.isBlank ?? true) || !(query.username?.isBlank ?? true) {
      inner.homeAccountID = query.identifier
      inner.username = query.username
    }
    return Listing(self, inner, usesMetadata: true)
  }

  /// The comparison that follows, without trimming: why an account is left out, nil when it is not.
  func whyFiltered(
    _ account: TenantAccount, _ query: LookupQuery
  ) -> (LookupCandidate.Predicate, String)? {
    func isEqual(_ value: String?, _ wanted: String?) -> Bool {
      guard let wanted, !wanted.isBlank else { return true }
      return value?.isEqualInAnyCase(wanted) ?? false
    }
    if !isEqual(account.identifier, query.identifier) {
      return (
        .homeAccountID,
        "asked for \(said(query.identifier)), has \(said(account.identifier))"
      )
    }
    if !isEqual(account.displayableID, query.username) {
      return (.username, "has another user name, or the same in other white space")
    }
    if !isEqual(account.localAccountID, query.tenantProfileID) {
      return (
        .account,
        "asked for the tenant profile \(said(query.tenantProfileID)), "
          + "has \(said(account.localAccountID))"
      )
    }
    return nil
  }
}

/// Accounts merged as MSALAccount's `isEqual:` has it: by identifier where both have one, else by user
/// name in any case.
private struct MergedAccounts {
  private(set) var accounts: [Lookup.ListedAccount] = []
  private var byIdentifier: [ExactText: [Int]] = [:]
  private var byName: [ExactText?: [Int]] = [:]

  mutating func add(_ account: Lookup.TenantAccount) {
    let position: Int
    if let known = find(account) {
      position = known
      add(Self.profile(of: account), to: known)
      accounts[known].places.append(account.place)
    } else {
      position = accounts.count
      accounts.append(
        Lookup.ListedAccount(
          identifier: account.identifier, username: account.username,
          environment: account.storageEnvironment ?? account.environment, hasClaims: false,
          tenantProfiles: Self.profile(of: account).map { [$0] } ?? [], places: [account.place]))
      if let id = account.identifier { byIdentifier[ExactText(id), default: []].append(position) }
      byName[Lookup.ListedAccount.comparable(account.username), default: []].append(position)
    }
    if account.isHome, account.hasClaims {
      accounts[position].hasClaims = true
      accounts[position].username = account.username
      byName[Lookup.ListedAccount.comparable(account.username), default: []].append(position)
    }
  }

  private func find(_ account: Lookup.TenantAccount) -> Int? {
    let sameID = account.identifier.map { byIdentifier[ExactText($0)] ?? [] } ?? []
    let name = Lookup.ListedAccount.comparable(account.username)
    let sameName = (byName[name] ?? []).filter { position in
      (account.identifier == nil || accounts[position].identifier == nil)
        && Lookup.ListedAccount.comparable(accounts[position].username) == name
    }
    return (sameID + sameName).min()
  }

  private mutating func add(_ profile: Lookup.ListedAccount.TenantProfile?, to position: Int) {
    guard let profile,
      !accounts[position].tenantProfiles.contains(where: {
        $0.tenantID.isExactly(profile.tenantID)
      })
    else { return }
    accounts[position].tenantProfiles.append(profile)
  }

  private static func profile(
    of account: Lookup.TenantAccount
  ) -> Lookup.ListedAccount.TenantProfile? {
    account.realm.map {
      Lookup.ListedAccount.TenantProfile(
        tenantID: $0, identifier: account.localAccountID, isHome: account.isHome,
        hasClaims: account.hasClaims)
    }
  }
}

extension Lookup.ListedAccount {
  /// A user name as names are compared where accounts are merged.
  static func comparable(_ username: String?) -> ExactText? {
    username.map { ExactText($0.lowercasedLikeNSString) }
  }
}
