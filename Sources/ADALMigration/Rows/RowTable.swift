// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// ADAL's rows as numbers, and what the numbers stand for.
struct RowTable: Sendable {
  /// The rows, in the order of the inventory.
  private(set) var rows: [ADALRow] = []
  /// Their tokens, in the same order.
  private(set) var tokens: [SharedToken] = []
  var symbols = Symbols()
  private(set) var authorities = Meanings<RowAuthority>()
  private(set) var clients = Meanings<RowClient>()
  private(set) var resources = Meanings<RowResource>()
  private(set) var idTokens: [RowIDToken] = []
  private(set) var derivations: [Derivation] = []
  /// The home account id that each derivation gives, by number.
  private(set) var derivedHomes: [Int?] = []
  /// The home account ids, by number.
  private(set) var homes: [HomeAccountID] = []
  /// Whose account a row is: the answers by number, and the accounts.
  private(set) var answers: [AccountResolution.Answer] = []
  private(set) var accounts: [AccountKey] = []
  /// Where the lines of the account map stand that fit no row.
  var unusedMapEntries: [String] = []

  let policy: Policy
  /// By token; of those that cannot be read a negative number.
  private var idTokenNumbers: [TokenSecret: Int] = [:]
  private var lastIDToken: (token: TokenSecret, number: Int?)?
  private var secretNumbers: [TokenSecret: Int] = [:]
  private var derivationNumbers: [Derivation.Basis: Int] = [:]
  private var homesOfIDs = Meanings<Int?>()
  private var homesOfClientInfos = Meanings<Int?>()
  private var homeNumbers: [HomeAccountID: Int] = [:]
  private var accountsOfAnswers: [Int?] = []
  private var accountNumbers: [AccountKey: Int] = [:]
  /// Of each row of the inventory where it is among ADAL's.
  private var places: [Int?] = []

  /// A table without rows.
  init(_ policy: Policy) { self.policy = policy }

  /// The rows of an inventory, with whose they are by the evidence of every access group (D21).
  ///
  /// - Parameter records: the entries in MSAL's form that the target holds.
  init(_ inventory: Inventory, _ records: some Sequence<MSALEntry>, _ policy: Policy) {
    self.init(policy)
    rows.reserveCapacity(inventory.rows.count)
    tokens.reserveCapacity(inventory.rows.count)
    for row in inventory.rows {
      if case .legacy(let token) = row.content { add(token, number: row.number, group: row.group) }
    }
    hearPeers()
    var records = Array(records)
    for row in inventory.rows where !inventory.rowsInTarget.contains(row.number) {
      if case .unified(let unified) = row.content, let record = unified.record {
        records.append(record)
      }
    }
    resolve(records)
  }

  /// A row of the inventory; nil for rows that are not ADAL's.
  subscript(number: Int) -> ADALRow? {
    places.indices.contains(number) ? places[number].map { rows[$0] } : nil
  }

  /// The token of a row of the inventory; nil for rows that are not ADAL's.
  func token(of number: Int) -> LegacyToken? { self[number].map { tokens[$0.index].token } }

  // MARK: Reading

  /// Adds a row.
  mutating func add(_ shared: SharedToken, number: Int, group: String) {
    places += repeatElement(nil, count: max(0, number + 1 - places.count))
    places[number] = rows.count
    let row = row(
      shared.token, number: number, index: rows.count, symbols.symbol(of: group), Peers())
    rows.append(row)
    tokens.append(shared)
  }

  /// What other rows say of a row.
  private struct Peers {
    /// The tenant of a user whom the row keeps without one.
    var tenant: String?
    /// Whether its refresh token may belong to another user.
    var isOverwritten = false
  }

  /// Reads rows of ADAL for .NET, Python and Node again with what they say of each other.
  mutating func hearPeers() {
    guard rows.contains(where: { !$0.isOfApple }) else { return }
    let peers = PeerRows(self)
    for old in rows where !old.isOfApple {
      let facts = Peers(
        tenant: peers.tenant(of: old, self), isOverwritten: peers.isOverwritten(old, self))
      guard facts.tenant != nil || facts.isOverwritten else { continue }
      rows[old.index] = row(
        tokens[old.index].token, number: old.number, index: old.index, old.group, facts)
    }
  }

  private mutating func row(
    _ token: LegacyToken, number: Int, index: Int, _ group: Symbol, _ peers: Peers
  ) -> ADALRow {
    let authority = token.authority.map { text in
      authorities.number(of: text)
        ?? authorities.add(RowAuthority(text, policy, &symbols), for: text)
    }
    let client = token.clientID.map { text in
      clients.number(of: text) ?? clients.add(RowClient(text, policy, &symbols), for: text)
    }
    let resource = token.resource.map { text in
      resources.number(of: text) ?? resources.add(RowResource(text, &symbols), for: text)
    }
    let idToken = idToken(of: token)
    let facts = (authority: authority.map { authorities[$0] }, client: client.map { clients[$0] })
    let nature = RowNature(token, facts.authority, facts.client, isOverwritten: peers.isOverwritten)
    let isStored = token.isStoredWithoutIDToken
    let storedTenant = isStored ? token.ownTenant(facts.authority?.url) ?? peers.tenant : nil
    let keyName = token.userID.nonBlank?.foldedUserName
    let nameOfKey = symbols.name(of: keyName)
    let named = idToken.flatMap { idTokens[$0].userName == .none ? nil : $0 }
    let family = facts.client?.family ?? .none
    let isOfApple = token.origin == .apple
    return ADALRow(
      number: number, index: index, group: group, kind: nature.kind, isOfApple: isOfApple,
      blockingReason: nature.blockingReason, isOverwritten: peers.isOverwritten,
      isStoredWithoutIDToken: isStored, hasAccessToken: token.access != nil,
      authority: authority, spelledClient: client, resource: resource, idToken: idToken,
      refreshToken: token.refresh.map { self.number(of: $0) },
      derivation: derivation(
        token, authority, idToken, hasName: named != nil || nameOfKey != .none, storedTenant),
      storedHome: storedHome(of: token),
      client: facts.client?.id ?? .none,
      family: family != .none ? family : symbols.symbol(of: token.familyID.nonBlank),
      normalizedAuthority: facts.authority?.normalized ?? .none,
      cloud: facts.authority?.cloud ?? .none,
      application: symbols.symbol(of: token.applicationIdentifier.nonBlank?.identifier),
      realm: isStored
        ? symbols.symbol(of: storedTenant) : idToken.map { idTokens[$0].realm } ?? .none,
      userName: named.map { idTokens[$0].userName } ?? symbols.symbol(of: keyName),
      name: named.map { idTokens[$0].name } ?? nameOfKey, nameOfKey: nameOfKey,
      cachedAt: token.cachedAt, expiresOn: token.expiresOn, modified: token.place.modified,
      storedIssue: isOfApple ? nil : token.issuedAt,
      idTokenIssue: idToken.flatMap { idTokens[$0].issuedAt })
  }

  private mutating func idToken(of token: LegacyToken) -> Int? {
    guard let raw = token.rawIDToken else { return nil }
    // Rows of one sign-in often follow each other.
    if let lastIDToken, lastIDToken.token == raw { return lastIDToken.number }
    let number: Int?
    if let known = idTokenNumbers[raw] {
      number = known < 0 ? nil : known
    } else {
      // Libraries of other platforms read the second part alone.
      let claims = token.origin == .apple ? IDTokenClaims(raw) : IDTokenClaims.ofPayload(raw)
      number = claims.map { _ in idTokens.count }
      if let claims { idTokens.append(RowIDToken(claims, &symbols)) }
      idTokenNumbers[raw] = number ?? -1
    }
    lastIDToken = (raw, number)
    return number
  }

  /// The number of a refresh token.
  mutating func number(of secret: TokenSecret) -> Int {
    if let known = secretNumbers[secret] { return known }
    let number = secretNumbers.count
    secretNumbers[secret] = number
    return number
  }

  /// The home account id that the service gave for this very row, and the field that it is stored in.
  private mutating func storedHome(of token: LegacyToken) -> StoredHome? {
    if let text = token.homeAccountID {
      let known = homesOfIDs.number(of: text)
      let number =
        known ?? homesOfIDs.add(HomeAccountID(text).map { self.number(of: $0) }, for: text)
      if let home = homesOfIDs[number] { return StoredHome(number: home, field: .homeAccountID) }
    }
    guard let text = token.clientInfo else { return nil }
    let known = homesOfClientInfos.number(of: text)
    let number =
      known
      ?? homesOfClientInfos.add(
        HomeAccountID(clientInfo: text).map { self.number(of: $0) }, for: text)
    return homesOfClientInfos[number].map { StoredHome(number: $0, field: .clientInfo) }
  }

  /// The number of a home account id.
  mutating func number(of home: HomeAccountID) -> Int {
    if let known = homeNumbers[home] { return known }
    homeNumbers[home] = homes.count
    homes.append(home)
    return homes.count - 1
  }

  private mutating func derivation(
    _ token: LegacyToken, _ authority: Int?, _ idToken: Int?, hasName: Bool, _ storedTenant: String?
  ) -> Int {
    let url = authority.flatMap { authorities[$0].url }
    // Of what a row keeps in fields of its own, no other row has the same.
    let basis =
      token.isStoredWithoutIDToken
      ? nil
      : Derivation.Basis(
        authority: authority, idToken: idToken, hasName: hasName,
        hasToken: token.rawIDToken.map { !$0.isEmpty } ?? false)
    if let basis, let known = derivationNumbers[basis] { return known }
    if let basis { derivationNumbers[basis] = derivations.count }
    let derivation = Derivation(
      token, authority: url, idToken: idToken.map { idTokens[$0] }, hasName: hasName,
      storedTenant: storedTenant)
    derivations.append(derivation)
    if case .id(let home, _, _) = derivation {
      derivedHomes.append(number(of: home))
    } else {
      derivedHomes.append(nil)
    }
    return derivations.count - 1
  }

  // MARK: Whose

  /// Gives a row a new answer.
  ///
  /// - Returns: the number of the answer.
  mutating func give(_ answer: AccountResolution.Answer, to row: ADALRow) -> Int {
    answers.append(answer)
    accountsOfAnswers.append(
      answer.homeAccountID.map { number(of: AccountKey(cloud: symbols[row.cloud], home: $0)) })
    give(answers.count - 1, to: row)
    return answers.count - 1
  }

  /// Gives a row the answer of another one.
  mutating func give(_ answer: Int, to row: ADALRow) {
    rows[row.index].answer = answer
    rows[row.index].account = accountsOfAnswers[answer]
  }

  /// The number of an account.
  private mutating func number(of account: AccountKey) -> Int {
    if let known = accountNumbers[account] { return known }
    accountNumbers[account] = accounts.count
    accounts.append(account)
    return accounts.count - 1
  }

  /// The answer to whose a row is.
  func answer(for row: ADALRow) -> AccountResolution.Answer { answers[row.answer] }

  /// What the authority of a row says; nil where it is none.
  func url(of row: ADALRow) -> Authority? { row.authority.flatMap { authorities[$0].url } }
}

/// A token of ADAL's, handed on without a copy of its sixty parts.
final class SharedToken: Sendable {
  let token: LegacyToken

  init(_ token: consuming LegacyToken) { self.token = token }
}
