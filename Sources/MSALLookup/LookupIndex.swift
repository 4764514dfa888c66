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

  private(set) var tokens: [LookupRow] = []
  private(set) var accounts: [LookupRow] = []
  private(set) var appMetadata: [LookupRow] = []
  private(set) var unreadable: [Unreadable] = []
  /// Whether the item `useSingleFRT` switches single family refresh tokens on.
  private(set) var usesSingleFamilyToken = false
  private var hasSwitch = false
  /// How many items there are, read or not.
  private var items = 0

  private var metadataByClient: [ExactText: AccountMetadata] = [:]
  private var tokensByType: [Int: [Int]] = [:]
  private var positions: [Term: Positions] = [:]

  /// Where rows are. Most often it is one, for which no memory is asked.
  private struct Positions {
    private var first: Int?
    private var others: [Int] = []

    var all: [Int] { first.map { [$0] + others } ?? [] }

    mutating func append(_ position: Int) {
      if first == nil { first = position } else { others.append(position) }
    }

    func contains(where isIt: (Int) -> Bool) -> Bool {
      first.map(isIt) ?? false || others.contains(where: isIt)
    }
  }

  /// What rows are found by.
  private struct Term: Hashable {
    enum Kind {
      /// Tokens by generic attribute and account; access tokens by each of their scopes, too.
      case token, accessToken
      /// Refresh tokens by the home account id as it is spelled; and by client or family, too.
      case refreshToken, client, family
      /// ID tokens by what gives an account its claims.
      case claims
      /// Accounts by generic attribute, by home account id, and by both.
      case accountName, account, namedAccount
      /// App metadata by service attribute.
      case metadata
    }

    let kind: Kind
    let first: ExactText
    let second: ExactText
    let third: ExactText

    init(_ kind: Kind, _ first: String, _ second: String = "", _ third: String = "") {
      self.kind = kind
      self.first = ExactText(first)
      self.second = ExactText(second)
      self.third = ExactText(third)
    }
  }

  /// Makes room for so many entries, most of which are tokens.
  mutating func reserve(_ count: Int) { tokens.reserveCapacity(count) }

  /// Adds an entry as its item would be read.
  mutating func add(_ entry: MSALEntry, _ attributes: ItemAttributes, accessGroup: String) {
    add(
      LookupRow(
        entry, index: items, item: attributes.key(accessGroup: accessGroup), type: attributes.type,
        generic: attributes.generic))
    items += 1
  }

  /// Adds an item, whatever it is.
  mutating func add(_ item: KeychainItem) {
    defer { items += 1 }
    let isSwitch = item.account == ItemType.familySwitch && item.service == ItemType.familySwitch
    do {
      let members = try Payload.list(of: item)
      add(item, members: members)
      if isSwitch, !hasSwitch {
        hasSwitch = true
        usesSingleFamilyToken = Self.isTrue(members.first { $0.key == "use_single_frt" }?.value)
      }
    } catch {
      guard let type = item.type, (1000..<6000).contains(type) else { return }
      unreadable.append(Unreadable(index: items, item: item.key, type: type, error: error))
    }
  }

  private mutating func add(_ item: KeychainItem, members: [Payload.Member]) {
    func refuse(_ type: Int, _ error: MSALItemError) {
      unreadable.append(Unreadable(index: items, item: item.key, type: type, error: error))
    }
    func take(as shape: MSALEntry.Shape) {
      let entry = MSALEntry(members, as: shape)
      add(LookupRow(entry, index: items, item: item.key, type: item.type, generic: item.generic))
    }
    let has = { (field: String) in members.first { $0.key == field }?.value.string }
    if has("secret") != nil {
      take(as: .token)
    } else if let type = item.type, ItemType.credentials.contains(type) {
      refuse(type, .missing("secret"))
    }
    switch item.type ?? 0 {
    case ItemType.accounts:
      if has("authority_type").flatMap(MSALEntry.typeNumber) != nil {
        take(as: .account)
      } else {
        refuse(
          item.type ?? 0,
          MSALItemError(.unknownType, "has no authority_type that MSAL knows"))
      }
    case ItemType.appMetadata: take(as: .appMetadata)
    case ItemType.accountMetadata where item.account == "authority_map":
      let client = ExactText(item.service)
      guard metadataByClient[client] == nil else { return }
      metadataByClient[client] = AccountMetadata(
        Dictionary(members) { $1 }, service: item.service)
    default: break
    }
  }

  private mutating func add(_ row: LookupRow) {
    switch row.entry.kind {
    case .account: addAccount(row)
    case .appMetadata:
      note(Term(.metadata, row.item.service), at: appMetadata.count)
      appMetadata.append(row)
    default: addToken(row)
    }
  }

  private mutating func note(_ term: Term, at position: Int) {
    positions[term, default: Positions()].append(position)
  }

  private mutating func addToken(_ row: LookupRow) {
    let position = tokens.count
    tokens.append(row)
    guard !row.isTombstone else { return }
    func note(_ term: Term) { self.note(term, at: position) }
    if let type = row.type { tokensByType[type, default: []].append(position) }
    if let generic = row.genericText, let home = row.normalizedHomeAccountID {
      if row.type == MSALEntry.Kind.accessToken.typeNumber {
        for scope in Self.scopes(of: row) { note(Term(.accessToken, generic, home, scope)) }
      } else {
        note(Term(.token, generic, home))
      }
    }
    switch row.type {
    case MSALEntry.Kind.refreshToken.typeNumber, MSALEntry.Kind.familyRefreshToken.typeNumber:
      guard let home = row.entry.homeAccountID else { return }
      note(Term(.refreshToken, home))
      if let client = row.normalizedClientID { note(Term(.client, home, client)) }
      if let family = row.entry.familyID?.normalized { note(Term(.family, home, family)) }
    case MSALEntry.Kind.idToken.typeNumber:
      note(
        Self.claimsTerm(row.normalizedHomeAccountID, row.entry.environment, row.entry.realm))
    default: break
    }
  }

  private static func scopes(of row: LookupRow) -> [String] {
    guard let target = row.entry.target else { return [] }
    return target.isOneWord ? [target.normalized] : Scopes.exactSet(of: target).map(\.text)
  }

  private mutating func addAccount(_ row: LookupRow) {
    let position = accounts.count
    accounts.append(row)
    guard row.type == ItemType.account else { return }
    func note(_ term: Term) { self.note(term, at: position) }
    if let generic = row.genericText { note(Term(.accountName, generic)) }
    guard let home = row.normalizedHomeAccountID else { return }
    note(Term(.account, home))
    if let generic = row.genericText { note(Term(.namedAccount, generic, home)) }
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

  private func tokens(_ term: Term) -> [LookupRow] {
    positions[term]?.all.map { tokens[$0] } ?? []
  }

  /// The rows that may answer a query. All that do are among them.
  func rows(for query: EntryQuery) -> [LookupRow] {
    let home = query.homeAccountID?.normalized
    guard query.kind != .account else { return accounts(name: query.generic, home: home) }
    if let generic = query.generic, let home {
      guard query.kind == .accessToken else { return tokens(Term(.token, generic, home)) }
      if let scope = query.target.flatMap({ Scopes.words(of: $0).first }) {
        return accessTokens(generic: generic, home: home, scope: scope)
      }
    }
    return (tokensByType[query.kind.typeNumber] ?? []).map { tokens[$0] }
  }

  /// The access tokens with this generic attribute, home account id and one of their scopes, all as they are
  /// compared.
  func accessTokens(generic: String, home: String, scope: String) -> [LookupRow] {
    tokens(Term(.accessToken, generic, home, scope))
  }

  private func accounts(name: String?, home: String?) -> [LookupRow] {
    guard let term = Self.accountTerm(name: name, home: home) else { return accounts }
    return positions[term]?.all.map { accounts[$0] } ?? []
  }

  private static func accountTerm(name: String?, home: String?) -> Term? {
    switch (name, home) {
    case (let name?, let home?): Term(.namedAccount, name, home)
    case (nil, let home?): Term(.account, home)
    case (let name?, nil): Term(.accountName, name)
    case (nil, nil): nil
    }
  }

  /// Whether one of the accounts with this home account id, and user name where one is given, both as they are
  /// compared, is as it is asked for. The accounts of other tenants are not touched once one is.
  func hasAccount(home: String, name: String?, where isAsked: (LookupRow) -> Bool) -> Bool {
    Self.accountTerm(name: name, home: home).flatMap { positions[$0] }?.contains {
      isAsked(accounts[$0])
    } ?? false
  }

  /// The refresh tokens whose home account id is spelled exactly so, of this client or family; all of
  /// them when neither is given.
  func refreshTokens(homeAccountID: String, clientID: String?, familyID: String?) -> [LookupRow] {
    guard clientID != nil || familyID != nil else {
      return tokens(Term(.refreshToken, homeAccountID))
    }
    let ofClient = clientID.map { tokens(Term(.client, homeAccountID, $0.normalized)) } ?? []
    let ofFamily = familyID.map { tokens(Term(.family, homeAccountID, $0.normalized)) } ?? []
    return ofClient + ofFamily
  }

  /// The clients, as they are spelled, that have a refresh token of the home account id, spelled exactly so, or
  /// of which account metadata says that it is signed in.
  func clients(homeAccountID: String) -> Set<ExactText> {
    let home = ExactText(homeAccountID)
    let noted = metadataByClient.filter {
      $0.value.accounts[home]?.signInState == .signedIn
    }.keys
    let owners = tokens(Term(.refreshToken, homeAccountID)).compactMap(\.entry.clientID)
    return Set(owners.map { ExactText($0) }).union(noted)
  }

  /// The ID tokens that give an account its claims.
  func idTokens(
    normalizedHomeAccountID: String?, environment: String?, realm: String?
  ) -> [LookupRow] {
    tokens(Self.claimsTerm(normalizedHomeAccountID, environment, realm))
  }

  /// The text by which MSAL joins ID tokens and accounts.
  static func claimsKey(
    _ homeAccountID: String?, _ environment: String?, _ realm: String?
  ) -> ExactText {
    ExactText("\(homeAccountID ?? "(null)")-\(environment ?? "(null)")-\(realm ?? "(null)")")
  }

  private static func claimsTerm(
    _ homeAccountID: String?, _ environment: String?, _ realm: String?
  ) -> Term {
    Term(.claims, claimsKey(homeAccountID, environment, realm).text)
  }

  /// The app metadata under this service, or all of it.
  func appMetadata(service: String?) -> [LookupRow] {
    guard let service else { return appMetadata }
    return positions[Term(.metadata, service)]?.all.map { appMetadata[$0] } ?? []
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

  private func state(_ homeAccountID: String?, _ clientID: String?) -> AccountMetadata.Account? {
    guard let homeAccountID, let clientID, !homeAccountID.isBlank, !clientID.isBlank else {
      return nil
    }
    return metadataByClient[ExactText(clientID)]?.accounts[ExactText(homeAccountID)]
  }
}
