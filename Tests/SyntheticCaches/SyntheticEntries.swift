// SPDX-License-Identifier: MIT
import KeychainItems

/// Entries in MSAL's form that mislead.
extension SyntheticCache {
  /// B2C appends its policy to the object id, and keeps the object itself as local id.
  mutating func addB2CAccounts() {
    for person in somePeople(50) where !person.isPersonal {
      let home = "\(person.uid)-b2c_1_signin.\(person.utid)"
      // An authority with /tfp/ is one of AAD's hosts.
      let host =
        random.chance(60) ? "contoso.b2clogin.com" : random.one(of: person.cloud.hosts)
      let client = random.chance(50) ? random.one(of: clients).id : random.guid()
      let group = random.one(of: clients).accessGroup
      strangers.insert([home, host])
      add(
        .account(
          person.names[0], home: home, realm: person.utid, localID: person.uid,
          environment: host), in: group, of: nil)
      add(
        .refreshToken(random.secret(), home: home, client: client, environment: host),
        in: group, of: nil)
    }
  }

  /// Two refresh tokens of one client, the second written later, and sometimes accounts beside them.
  mutating func addSecondHosts() {
    for person in somePeople(50) where person.cloud.isKnown && person.cloud.hosts.count > 1 {
      let client = random.one(of: clients)
      let hosts = Array(person.cloud.hosts.shuffled(using: &random).prefix(2))
      let ages = [random.one(of: [3e5, 2e6]), random.one(of: [400, 5e4])]
      for (host, age) in zip(hosts, ages.shuffled(using: &random)) {
        add(
          .refreshToken(random.secret(), home: person.home, client: client.id, environment: host),
          in: client.accessGroup, of: person, at: now - age)
        guard random.chance(60) else { continue }
        add(
          .account(
            person.names[person.names.count - 1], home: person.home, realm: person.utid,
            localID: person.uid, environment: host),
          in: client.accessGroup, of: person, at: now - age)
      }
    }
  }

  /// Somebody has an access token of one client and a token of another client's family, in a cloud of
  /// which app metadata may say that the first is in none.
  mutating func addDeniedFamily() {
    let group = clients[0].accessGroup
    let denier = TrueClient(
      id: random.guid(), generation: .twoSix, isInFamily: false, accessGroup: group)
    let member = TrueClient(
      id: random.guid(), generation: .twoSix, isInFamily: true, accessGroup: group)
    clients += [denier, member]
    for person in somePeople(60) {
      if random.chance(50) { signIn(person, denier) }
      var row = SyntheticRow()
      row.accessGroup = group
      row.authority = "https://\(person.cloud.environment)/\(person.utid)"
      row.userID = person.names[0].lowercased()
      row.idToken = SyntheticRow.idToken(
        person.claims(in: person.utid, named: person.names[0], issuedAt: now - 900))
      row.clientID = denier.id
      row.resource = "https://graph.microsoft.com"
      row.accessToken = random.secret()
      row.expiresOn = now + 3600
      add(row, of: person, client: denier.id, isCertain: false, isUsable: false)
      if random.chance(80) { signIn(person, member) }
      guard random.chance(50) else { continue }
      add(
        .appMetadata(client: denier.id, family: "", environment: person.cloud.environment),
        in: group, of: person)
    }
  }

  /// Somebody's token of a family names the first client, of which nothing else may say that it is in one.
  mutating func addFamilyTokens() {
    let client = clients[0]
    for person in somePeople(40) {
      let environment = person.cloud.environment
      add(
        .refreshToken(
          random.secret(), home: person.home, client: client.id, family: "1",
          environment: environment),
        in: client.accessGroup, of: person, at: now - random.one(of: [400, 5e4, 3e5]))
      guard random.chance(70) else { continue }
      add(
        .account(
          person.names[person.names.count - 1], home: person.home, realm: person.utid,
          localID: person.uid, environment: environment),
        in: client.accessGroup, of: person)
    }
  }

  /// One client's notes about several people; those of a client and group are one item.
  mutating func addSignOuts() {
    for client in clients where random.chance(60) {
      var states: [String: String] = [:]
      for person in people where random.chance(50) {
        states[person.home] = random.chance(60) ? "signed_out" : "signed_in"
      }
      let item = SyntheticEntry.accountMetadata(
        states, client: client.id, accessGroup: client.accessGroup)
      guard takenKeys.insert(item.key).inserted else { continue }
      foreign.append(item)
      for (home, state) in states where state == "signed_out" {
        signedOut.insert([home, client.id.lowercased(), client.accessGroup])
      }
    }
  }
}
