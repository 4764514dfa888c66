// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// Makes the numbers of a ``RowTable``: knows which text, token and account has which number already.
struct RowReader: ~Copyable {
  private(set) var table = RowTable()
  let policy: Policy
  private var authorityNumbers = TextNumbers()
  private var clientNumbers = TextNumbers()
  private var resourceNumbers = TextNumbers()
  /// The texts that stored fields have, by field.
  var storedHomes = StoredHome.Field.allCases.map { _ in StoredHome.Texts() }
  private var idTokenNumbers: [TokenSecret: Int] = [:]
  /// The number in the table of each ID token; nil where it cannot be read.
  private var readIDTokens: [Int?] = []
  private var lastIDToken: (token: TokenSecret, number: Int?)?
  private var refreshTokenNumbers: [TokenSecret: Int] = [:]
  private var derivationNumbers: [Derivation.Basis: Int] = [:]
  private var homeNumbers: [HomeAccountID: Int] = [:]
  private var accountNumbers: [AccountKey: Int] = [:]
  private var accountsOfAnswers: [Int?] = []

  init(_ policy: Policy) { self.policy = policy }

  /// Adds a row.
  mutating func add(_ shared: SharedToken, number: Int, group: String) {
    table.places += repeatElement(nil, count: max(0, number + 1 - table.places.count))
    table.places[number] = table.rows.count
    let group = table.symbols.symbol(of: group)
    table.rows.append(
      row(shared.token, number: number, index: table.rows.count, group, Peers()))
    table.tokens.append(shared)
  }

  /// The facts about a row that other rows give.
  private struct Peers {
    /// The tenant of the row's user, if the row stores none.
    var tenant: String?
    /// Whether its refresh token may belong to another user.
    var isOverwritten = false
    /// Whether rows of several tenants have its object.
    var isOfTwoTenants = false
  }

  /// Reads rows of ADAL for .NET, Python and Node again, with the facts that they give about each other.
  mutating func readAgainBesidePeers() {
    guard table.rows.contains(where: { !$0.isOfApple }) else { return }
    let peers = PeerRows(table)
    for old in table.rows where !old.isOfApple {
      let facts = Peers(
        tenant: peers.tenant(of: old, table), isOverwritten: peers.isOverwritten(old, table),
        isOfTwoTenants: peers.isOfTwoTenants(old))
      guard facts.tenant != nil || facts.isOverwritten || facts.isOfTwoTenants else { continue }
      table.rows[old.index] = row(
        table.tokens[old.index].token, number: old.number, index: old.index, old.group, facts)
    }
  }

  private mutating func row(
    _ token: LegacyToken, number: Int, index: Int, _ group: Symbol, _ peers: Peers
  ) -> ADALRow {
    let policy = policy
    let authority = authorityNumbers.number(
      of: token.authority, &table.authorities, &table.symbols
    ) { RowAuthority($0, policy, &$1) }
    let spelledClient = clientNumbers.number(of: token.clientID, &table.clients, &table.symbols) {
      RowClient($0, policy, &$1)
    }
    let client = spelledClient.map { table.clients[$0] }
    let resource = resourceNumbers.number(of: token.resource, &table.resources, &table.symbols) {
      RowResource($0, &$1)
    }
    let idToken = idToken(of: token)
    let asked = authority.map { (table.authorities[$0].url?.kind, table.authorities[$0].isTrusted) }
    let nature = RowNature(
      token, asked ?? (nil, false), client, isOverwritten: peers.isOverwritten)
    let isStored = token.isStoredWithoutIDToken
    let storedTenant =
      isStored
      ? token.ownTenant(authority.flatMap { table.authorities[$0].url }) ?? peers.tenant : nil
    let storedObject = token.storedObject
    let keyName = token.userID.nonBlank?.foldedUserName
    let nameOfKey = table.symbols.name(of: keyName)
    let userName = idToken.map { table.idTokens[$0].userName } ?? .none
    let isNamed = userName != .none
    let family = client?.family ?? .none
    let isOfApple = token.origin == .apple
    return ADALRow(
      number: number, index: index, group: group, kind: nature.kind, isOfApple: isOfApple,
      blockingReason: nature.blockingReason, isOverwritten: peers.isOverwritten,
      isOfTwoTenants: peers.isOfTwoTenants, isStoredWithoutIDToken: isStored,
      hasAccessToken: token.access != nil,
      deniesFamily: token.deniesFamily, isReadByMSAL: token.isReadByMSAL,
      isListedByMSAL: token.place.isListedByMSAL,
      authority: authority, spelledClient: spelledClient, resource: resource, idToken: idToken,
      refreshToken: token.refresh.map { self.number(of: $0) },
      derivation: derivation(
        token, authority, idToken, hasName: isNamed || nameOfKey != .none, storedObject,
        storedTenant,
        isOfTwoTenants: peers.isOfTwoTenants),
      storedHome: storedHome(of: token),
      client: client?.id ?? .none,
      family: family != .none ? family : table.symbols.symbol(of: token.familyID.nonBlank),
      normalizedAuthority: authority.map { table.authorities[$0].normalized } ?? .none,
      cloud: authority.map { table.authorities[$0].cloud } ?? .none,
      storedObject: table.symbols.symbol(of: storedObject),
      application: table.symbols.symbol(of: token.applicationIdentifier.nonBlank?.identifier),
      realm: isStored
        ? table.symbols.symbol(of: storedTenant)
        : idToken.map { table.idTokens[$0].realm } ?? .none,
      userName: isNamed ? userName : table.symbols.symbol(of: keyName),
      name: isNamed ? idToken.map { table.idTokens[$0].name } ?? .none : nameOfKey,
      nameOfKey: nameOfKey,
      cachedAt: token.cachedAt, expiresOn: token.expiresOn, modified: token.place.modified,
      storedIssue: isOfApple ? nil : token.issuedAt,
      idTokenIssue: idToken.flatMap { table.idTokens[$0].issuedAt })
  }

  private mutating func idToken(of token: LegacyToken) -> Int? {
    guard let raw = token.rawIDToken else { return nil }
    // Rows of one sign-in often follow each other.
    if let lastIDToken, lastIDToken.token == raw { return lastIDToken.number }
    let number = idTokenNumbers.number(of: raw)
    if number == readIDTokens.count { readIDTokens.append(read(raw, token.origin)) }
    lastIDToken = (raw, readIDTokens[number])
    return readIDTokens[number]
  }

  private mutating func read(_ idToken: TokenSecret, _ origin: LegacyToken.Origin) -> Int? {
    // Libraries of other platforms read the second part alone.
    let claims = origin == .apple ? IDTokenClaims(idToken) : IDTokenClaims.ofPayload(idToken)
    guard let claims else { return nil }
    table.idTokens.append(RowIDToken(claims, &table.symbols))
    return table.idTokens.count - 1
  }

  private mutating func derivation(
    _ token: LegacyToken, _ authority: Int?, _ idToken: Int?, hasName: Bool,
    _ storedObject: String?, _ storedTenant: String?, isOfTwoTenants: Bool
  ) -> Int {
    // A derivation from the row's own fields is not shared with other rows.
    let basis =
      token.isStoredWithoutIDToken
      ? nil
      : Derivation.Basis(
        authority: authority, idToken: idToken, hasName: hasName,
        hasToken: token.rawIDToken.map { !$0.isEmpty } ?? false)
    if let basis, let known = derivationNumbers[basis] { return known }
    let number = table.derivations.count
    if let basis { derivationNumbers[basis] = number }
    let derivation = Derivation(
      token, authority: authority.flatMap { table.authorities[$0].url },
      idToken: idToken.map { table.idTokens[$0] }, hasName: hasName, storedObject: storedObject,
      storedTenant: storedTenant, isOfTwoTenants: isOfTwoTenants)
    table.derivations.append(derivation)
    if case .id(let home, _, _) = derivation {
      table.derivedHomes.append(self.number(of: home))
    } else {
      table.derivedHomes.append(nil)
    }
    return number
  }
}

// The numbers of values in rows and in MSAL's entries.
extension RowReader {
  /// The number of a refresh token.
  mutating func number(of refreshToken: TokenSecret) -> Int {
    refreshTokenNumbers.number(of: refreshToken)
  }

  /// The number of a home account id.
  mutating func number(of home: HomeAccountID) -> Int {
    let number = homeNumbers.number(of: home)
    if number == table.homes.count { table.homes.append(home) }
    return number
  }

  /// The key of an object.
  mutating func key(of object: ObjectID, cloud: Symbol) -> UserKey {
    UserKey(
      cloud: cloud, tenant: table.symbols.symbol(of: object.tid),
      object: table.symbols.symbol(of: object.oid))
  }

  /// The symbol of an entry's cloud.
  mutating func cloud(of record: MSALEntry) -> Symbol { table.symbols.symbol(of: record.cloud) }

  /// Adds an answer and assigns it to a row.
  ///
  /// - Returns: the number of the answer.
  @discardableResult
  mutating func assign(_ answer: AccountResolution.Answer, to row: ADALRow) -> Int {
    table.answers.append(answer)
    let cloud = table.symbols[row.cloud]
    accountsOfAnswers.append(
      answer.homeAccountID.map { number(of: AccountKey(cloud: cloud, home: $0)) })
    assign(answer: table.answers.count - 1, to: row)
    return table.answers.count - 1
  }

  /// Gives a row the answer of another one.
  mutating func assign(answer: Int, to row: ADALRow) {
    table.rows[row.index].answer = answer
    table.rows[row.index].account = accountsOfAnswers[answer]
  }

  /// Says where the lines of the account map stand that fit no row.
  mutating func note(unusedMapEntries: [String]) { table.unusedMapEntries = unusedMapEntries }

  private mutating func number(of account: AccountKey) -> Int {
    let number = accountNumbers.number(of: account)
    if number == table.accounts.count {
      table.accounts.append(account)
      table.accountSymbols.append(
        CloudSymbol(
          cloud: table.symbols.symbol(of: account.cloud),
          id: table.symbols.symbol(of: account.home)))
    }
    return number
  }
}

extension RowTable {
  /// The rows of an inventory, with their accounts by the evidence of all access groups (D21).
  ///
  /// - Parameter records: the entries in MSAL's form that the target holds.
  init(_ inventory: borrowing Inventory, _ records: some Sequence<MSALEntry>, _ policy: Policy) {
    var reader = RowReader(policy)
    for row in inventory.rows {
      if case .legacy(let token) = row.content {
        reader.add(token, number: row.number, group: row.group)
      }
    }
    reader.readAgainBesidePeers()
    var records = Array(records)
    for row in inventory.rows where !inventory.rowsInTarget.contains(row.number) {
      if case .unified(let unified) = row.content, let record = unified.record {
        records.append(record)
      }
    }
    reader.resolve(records)
    self = reader.table
  }
}
