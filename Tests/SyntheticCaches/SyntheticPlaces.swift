// SPDX-License-Identifier: MIT
import KeychainItems

/// Rows in forms and places that are not the usual ones, and items where entries would go.
extension SyntheticCache {
  /// A member's row of one of the betas of 2.1.
  mutating func addBetas() {
    for person in somePeople(50) {
      let client = random.one(of: clients)
      var row = memberRow(of: person, client)
      row.generation = .twoTwo
      row.isBeta = true
      row.modified = random.chance(50) ? now - 90_000 : nil
      if random.chance(30) { row.idToken = nil }
      add(
        row, of: person, client: client.id,
        isCertain: person.cloud.isKnown && row.idToken != nil, isUsable: true)
    }
  }

  static let brokerGroups = ["com.microsoft.azureauthenticator", "com.microsoft.workplacejoin"]

  /// The items of a broker.
  mutating func addBrokerRows() {
    for person in somePeople(50) {
      let client = random.one(of: clients)
      var row = memberRow(of: person, client)
      row.generation = client.generation
      row.accessGroup = "ABCDE12345.\(random.one(of: Self.brokerGroups))"
      add(row, of: person, client: client.id, isCertain: false, isUsable: false)
    }
  }

  /// A refresh token that a person has in the home tenant.
  private mutating func memberRow(of person: TruePerson, _ client: TrueClient) -> SyntheticRow {
    var row = SyntheticRow()
    row.accessGroup = client.accessGroup
    row.clientID = client.id
    let segment = random.chance(50) ? person.utid : "common"
    row.authority = "https://\(person.cloud.environment)/\(segment)"
    let name = person.names[person.names.count - 1]
    row.userID = name.lowercased()
    row.idToken = SyntheticRow.idToken(
      person.claims(in: person.utid, named: name, issuedAt: now - 90_000))
    row.refreshToken = random.secret()
    if client.isInFamily { row.familyID = "1" }
    return row
  }

  /// Rows of users at home that are cut short: of some it is the only row.
  mutating func addDamagedRows() {
    for person in somePeople(60) {
      let client = random.one(of: clients)
      var row = memberRow(of: person, client)
      row.generation = client.generation
      if random.chance(20) { row.resource = "https://damaged.example.com" }
      if random.chance(10) { row.userID = nil }
      let item = row.item
      guard takenKeys.insert(item.key).inserted else { continue }
      let archive = row.archive
      var damaged = item
      damaged.data = TokenSecret(
        Array(archive.prefix(Int.random(in: 0..<archive.count - 40, using: &random))))
      unreadable.append(damaged)
      self.damaged.append(
        TrueRow(
          row: row, item: damaged, owner: person.number, client: client.id.lowercased(),
          isCertain: false, isUsable: true))
    }
  }

  /// Damages an entry that a migration would write for a person, if it is not there.
  mutating func damageItems() {
    for person in somePeople(40) where person.cloud.isKnown {
      let client = random.one(of: clients)
      let entry = anEntry(of: person, client)
      let item = entry.item(accessGroup: client.accessGroup, at: now - 70)
      guard takenKeys.insert(item.key).inserted else { continue }
      var damaged = item
      damaged.data = TokenSecret(Array(random.one(of: ["{", "", "null", "[]", "7", "{}"]).utf8))
      unreadable.append(damaged)
      blocked.insert([client.accessGroup, person.home, person.cloud.environment])
    }
  }

  /// One of the entries that a migration would write for a person and a client.
  mutating func anEntry(of person: TruePerson, _ client: TrueClient) -> SyntheticEntry {
    let host = person.cloud.environment
    let name = person.names[person.names.count - 1]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return .account(
        name, home: person.home, realm: person.utid, localID: person.uid, environment: host)
    case 1:
      return .refreshToken(
        random.secret(), home: person.home, client: client.id, environment: host)
    default:
      return .idToken(
        SyntheticRow.idToken(
          person.claims(in: person.utid, named: name, issuedAt: now - 70)),
        home: person.home, client: client.id, realm: person.utid, environment: host)
    }
  }
}
