// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

/// The items of one access group, each read once and found again by what MSAL queries for.
struct LookupIndex: Sendable {
  /// An item of an entry's type that cannot be read, and why.
  struct Unreadable: Sendable {
    let index: Int
    let item: KeychainItem.Key
    let type: Int
    let error: MSALItemError
  }

  private(set) var credentials: [CredentialRow] = []
  private(set) var accounts: [AccountRow] = []
  private(set) var appMetadata: [AppMetadataRow] = []
  private(set) var unreadable: [Unreadable] = []
  /// Whether the item `useSingleFRT` switches single family refresh tokens on.
  private(set) var usesSingleFamilyToken = false
  private var hasSwitch = false
  /// How many items there are, read or not.
  private var items = 0

  private var statesByClient: [ExactText: [ExactText: AccountState]] = [:]
  private var credentialsByType: [Int: [Int]] = [:]
  private var credentialsByGeneric: [ExactBytes: [Int]] = [:]
  private var credentialsByAccount: [GenericOfAccount: [Int]] = [:]
  private var accessTokensByScope: [ScopeKey: [Int]] = [:]
  private var refreshTokensByOwner: [OwnerKey: [Int]] = [:]
  private var refreshTokensByHomeAccountID: [ExactText: [Int]] = [:]
  private var idTokensByAccount: [ExactText: [Int]] = [:]
  private var accountsByGeneric: [ExactBytes: [Int]] = [:]
  private var accountsByHomeAccountID: [ExactText: [Int]] = [:]
  private var accountsByName: [GenericOfAccount: [Int]] = [:]
  private var metadataByService: [ExactText: [Int]] = [:]

  /// Bytes that are hashed at once, which arrays are not.
  private struct ExactBytes: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// A generic attribute and a home account id as it is compared.
  struct GenericOfAccount: Hashable {
    private let generic: ExactBytes
    private let home: ExactText
    // Found once, since it is asked for with each scope.
    private let hash: Int

    fileprivate init(generic: [UInt8], home: String) {
      self.generic = ExactBytes(generic)
      self.home = ExactText(home)
      var hasher = Hasher()
      hasher.combine(self.generic)
      hasher.combine(self.home)
      hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// One scope of the access tokens of an account and client in a tenant.
  private struct ScopeKey: Hashable {
    let account: GenericOfAccount
    let scope: ExactText
  }

  /// A home account id as it is spelled, and a client or a family as it is compared.
  private struct OwnerKey: Hashable {
    let home: ExactText
    let isFamily: Bool
    let owner: ExactText
  }

  init(_ items: [KeychainItem]) {
    for item in items {
      add(item)
      self.items += 1
    }
  }

  /// Makes room for so many entries, most of which are credentials.
  mutating func reserve(_ count: Int) { credentials.reserveCapacity(count) }

  /// Adds what the item of an entry would be read as.
  mutating func add(_ entry: LookupEntry, accessGroup: String) {
    switch entry {
    case .credential(let credential, let attributes):
      add(CredentialRow(credential, attributes, index: items, accessGroup: accessGroup))
    case .account(let account, let attributes):
      if let row = AccountRow(account, attributes, index: items, accessGroup: accessGroup) {
        add(row)
      }
    case .appMetadata(let metadata, let attributes): add(AppMetadataRow(metadata, attributes))
    case .item(let item): add(item)
    }
    items += 1
  }

  private mutating func add(_ item: KeychainItem) {
    let isSwitch = item.account == ItemType.familySwitch && item.service == ItemType.familySwitch
    do {
      let members = try Payload.members(of: item)
      add(item, index: items, members: members)
      if isSwitch, !hasSwitch {
        hasSwitch = true
        usesSingleFamilyToken = Self.isTrue(members["use_single_frt"])
      }
    } catch {
      guard let type = item.type, (1000..<6000).contains(type) else { return }
      unreadable.append(Unreadable(index: items, item: item.key, type: type, error: error))
    }
  }

  private mutating func add(_ item: KeychainItem, index: Int, members: [String: JSONValue]) {
    if let row = CredentialRow(item, index: index, members: members) {
      add(row)
    } else if let type = item.type, ItemType.credentials.contains(type) {
      unreadable.append(
        Unreadable(index: index, item: item.key, type: type, error: .missing("secret")))
    }
    guard let type = item.type else { return }
    switch type {
    case ItemType.accounts:
      if let row = AccountRow(item, index: index, members: members) {
        add(row)
      } else {
        unreadable.append(
          Unreadable(
            index: index, item: item.key, type: type,
            error: MSALItemError(.unknownType, "has no authority_type that MSAL knows")))
      }
    case ItemType.appMetadata:
      add(AppMetadataRow(item, members: members))
    case ItemType.accountMetadata where item.account == "authority_map":
      addStates(members, of: item.service)
    default: break
    }
  }

  private mutating func add(_ row: CredentialRow) {
    guard !row.isTombstone else {
      credentials.append(row)
      return
    }
    let position = credentials.count
    credentials.append(row)
    if let type = row.type { credentialsByType[type, default: []].append(position) }
    if let generic = row.generic {
      credentialsByGeneric[ExactBytes(generic), default: []].append(position)
      if let home = row.normalizedHomeAccountID { add(row, generic, home, at: position) }
    }
    switch row.type {
    case Credential.Kind.refreshToken.typeNumber, Credential.Kind.familyRefreshToken.typeNumber:
      addRefreshToken(row, at: position)
    case Credential.Kind.idToken.typeNumber:
      let key = Self.claimsKey(row.normalizedHomeAccountID, row.environment, row.realm)
      idTokensByAccount[key, default: []].append(position)
    default: break
    }
  }

  private mutating func add(
    _ row: CredentialRow, _ generic: [UInt8], _ home: String, at position: Int
  ) {
    let account = GenericOfAccount(generic: generic, home: home)
    credentialsByAccount[account, default: []].append(position)
    guard row.type == Credential.Kind.accessToken.typeNumber, let target = row.target else {
      return
    }
    for scope in Scopes.exactSet(of: target) {
      accessTokensByScope[ScopeKey(account: account, scope: scope), default: []].append(position)
    }
  }

  private mutating func addRefreshToken(_ row: CredentialRow, at position: Int) {
    guard let id = row.homeAccountID.map({ ExactText($0) }) else { return }
    refreshTokensByHomeAccountID[id, default: []].append(position)
    let owners = [(false, row.normalizedClientID), (true, row.familyID?.normalized)]
    for case (let isFamily, let owner?) in owners {
      let key = OwnerKey(home: id, isFamily: isFamily, owner: ExactText(owner))
      refreshTokensByOwner[key, default: []].append(position)
    }
  }

  private mutating func add(_ row: AppMetadataRow) {
    metadataByService[ExactText(row.service), default: []].append(appMetadata.count)
    appMetadata.append(row)
  }

  private mutating func add(_ row: AccountRow) {
    let position = accounts.count
    accounts.append(row)
    guard row.type == ItemType.account else { return }
    if let generic = row.generic {
      accountsByGeneric[ExactBytes(generic), default: []].append(position)
    }
    if let id = row.normalizedHomeAccountID {
      accountsByHomeAccountID[ExactText(id), default: []].append(position)
      if let generic = row.generic {
        let key = GenericOfAccount(generic: generic, home: id)
        accountsByName[key, default: []].append(position)
      }
    }
  }

  /// What account metadata says of an account.
  private struct AccountState: Sendable {
    let signInState: AccountMetadata.SignInState
    /// The authorities that requests are redirected to.
    let authorities: [String: String]
  }

  private mutating func addStates(_ members: [String: JSONValue], of client: String) {
    guard statesByClient[ExactText(client)] == nil else { return }
    var states: [ExactText: AccountState] = [:]
    for (id, entry) in members["account_metadata_map"]?.object ?? [:] {
      guard let entry = entry.object else { continue }
      let state = entry["sign_in_state"]?.string ?? ""
      // The key is misspelled in every cache.
      let authorities = entry["athority_map"]?.object?["URLMap-"]?.object ?? [:]
      states[ExactText(id)] = AccountState(
        signInState: AccountMetadata.SignInState(rawValue: state) ?? .unknown,
        authorities: authorities.compactMapValues(\.string))
    }
    statesByClient[ExactText(client)] = states
  }

  private static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .number(let number): number != 0
    // `boolValue`: after blanks, signs and zeros a digit 1 to 9 or one of the letters yYtT.
    case .string(let text):
      text.trimmed.first { !"+-0".contains($0) }.map { "123456789yYtT".contains($0) } ?? false
    default: false
    }
  }

  /// The credentials that may answer a query: of its type and, where it names them, of its generic
  /// attribute, account and one of its scopes.
  func credentials(for query: CredentialQuery) -> [CredentialRow] {
    positions(for: query).map { credentials[$0] }
  }

  private func positions(for query: CredentialQuery) -> [Int] {
    guard let generic = query.generic else { return credentialsByType[query.type] ?? [] }
    guard let account = account(of: query) else {
      return credentialsByGeneric[ExactBytes(generic)] ?? []
    }
    guard query.kind == .accessToken, let target = query.target else {
      return credentialsByAccount[account] ?? []
    }
    return positions(of: account, target)
  }

  /// The generic attribute and account that a query names; nil when it does not name both.
  func account(of query: CredentialQuery) -> GenericOfAccount? {
    guard let generic = query.generic, let home = query.homeAccountID else { return nil }
    return GenericOfAccount(generic: generic, home: home.normalized)
  }

  /// The access tokens that have one of the scopes; all of them when there is no scope.
  func accessTokens(of account: GenericOfAccount, _ scopes: String) -> [CredentialRow] {
    positions(of: account, scopes).map { credentials[$0] }
  }

  private func positions(of account: GenericOfAccount, _ scopes: String) -> [Int] {
    guard let scope = Scopes.exactSet(of: scopes).first else {
      return credentialsByAccount[account] ?? []
    }
    return accessTokensByScope[ScopeKey(account: account, scope: scope)] ?? []
  }

  /// The refresh tokens whose home account id is spelled exactly so, of this client or family; all of
  /// them when neither is given.
  func refreshTokens(
    homeAccountID: String, clientID: String?, familyID: String?
  ) -> [CredentialRow] {
    let home = ExactText(homeAccountID)
    guard clientID != nil || familyID != nil else {
      return (refreshTokensByHomeAccountID[home] ?? []).map { credentials[$0] }
    }
    return [(false, clientID), (true, familyID)].flatMap { isFamily, owner in
      owner.flatMap {
        let key = OwnerKey(home: home, isFamily: isFamily, owner: ExactText($0.normalized))
        return refreshTokensByOwner[key]
      } ?? []
    }.map { credentials[$0] }
  }

  /// The clients, as they are spelled, that have a refresh token of the home account id, spelled exactly so, or
  /// of which account metadata says that it is signed in.
  func clients(homeAccountID: String) -> Set<String> {
    let home = ExactText(homeAccountID)
    let owners = (refreshTokensByHomeAccountID[home] ?? []).compactMap { credentials[$0].clientID }
    let noted = statesByClient.filter { $0.value[home]?.signInState == .signedIn }.keys
    return Set(owners).union(noted.map(\.text))
  }

  /// The accounts with this user name and home account id, both as they are compared.
  func accounts(name generic: [UInt8], home: String) -> [AccountRow] {
    (accountsByName[GenericOfAccount(generic: generic, home: home)] ?? []).map {
      accounts[$0]
    }
  }

  /// Whether one of the accounts with this home account id, and user name where one is given, is as it is
  /// asked for. The accounts of other tenants are not touched once one is.
  func hasAccount(
    of home: String, name generic: [UInt8]? = nil, where isAsked: (AccountRow) -> Bool
  ) -> Bool {
    let positions =
      generic.map { accountsByName[GenericOfAccount(generic: $0, home: home)] }
      ?? accountsByHomeAccountID[ExactText(home)]
    return (positions ?? []).contains { isAsked(accounts[$0]) }
  }

  /// The ID tokens that give an account its claims.
  func idTokens(
    normalizedHomeAccountID: String?, environment: String?, realm: String?
  ) -> [CredentialRow] {
    let key = Self.claimsKey(normalizedHomeAccountID, environment, realm)
    return (idTokensByAccount[key] ?? []).map { credentials[$0] }
  }

  /// The text by which MSAL joins ID tokens and accounts.
  static func claimsKey(
    _ homeAccountID: String?, _ environment: String?, _ realm: String?
  ) -> ExactText {
    ExactText("\(homeAccountID ?? "(null)")-\(environment ?? "(null)")-\(realm ?? "(null)")")
  }

  /// The accounts that may answer a query for this generic attribute and home account id.
  func accounts(generic: [UInt8]?, normalizedHomeAccountID: String?) -> [AccountRow] {
    if let id = normalizedHomeAccountID {
      return (accountsByHomeAccountID[ExactText(id)] ?? []).map { accounts[$0] }
    }
    if let generic { return (accountsByGeneric[ExactBytes(generic)] ?? []).map { accounts[$0] } }
    return accounts
  }

  /// The app metadata under this service, or all of it.
  func appMetadata(service: String?) -> [AppMetadataRow] {
    guard let service else { return appMetadata }
    return (metadataByService[ExactText(service)] ?? []).map { appMetadata[$0] }
  }

  /// What account metadata says of this account, both ids exactly as spelled.
  func signInState(
    homeAccountID: String?, clientID: String?
  ) -> AccountMetadata.SignInState {
    state(homeAccountID, clientID)?.signInState ?? .unknown
  }

  /// The authority that account metadata names in place of this one, unless the account is signed out.
  func authority(
    inPlaceOf url: String, homeAccountID: String?, clientID: String?
  ) -> String? {
    guard let state = state(homeAccountID, clientID), state.signInState != .signedOut else {
      return nil
    }
    return state.authorities[url]
  }

  private func state(_ homeAccountID: String?, _ clientID: String?) -> AccountState? {
    guard let homeAccountID, let clientID, !homeAccountID.isBlank, !clientID.isBlank else {
      return nil
    }
    return statesByClient[ExactText(clientID)]?[ExactText(homeAccountID)]
  }
}
