// SPDX-License-Identifier: MIT
import KeychainItems

/// The other items of a keychain group.
extension SyntheticCache {
  /// The entries that MSAL has written for a user and a client, all or some of them.
  mutating func addMSAL(_ person: TruePerson, _ client: TrueClient) {
    let host = random.chance(75) ? person.cloud.environment : random.one(of: person.cloud.hosts)
    let group = client.accessGroup
    let name = person.names[person.names.count - 1]
    let token = SyntheticRow.idToken(
      person.claims(in: person.utid, named: name, issuedAt: now - 400))
    if random.chance(75) {
      add(
        .refreshToken(random.secret(), home: person.home, client: client.id, environment: host),
        in: group, of: person)
    }
    if random.chance(85) {
      add(
        .account(
          name, home: person.home, realm: person.utid, localID: person.uid, environment: host),
        in: group, of: person)
    }
    if random.chance(60) {
      add(
        .idToken(
          token, home: person.home, client: client.id, realm: person.utid, environment: host),
        in: group, of: person)
    }
    if random.chance(50) {
      add(
        .accessToken(
          random.secret(), home: person.home, client: client.id, realm: person.utid,
          target: "User.Read https://graph.microsoft.com/.default", expiresOn: now + 3000,
          cachedAt: now - 600, environment: host), in: group, of: person)
    }
    if random.chance(60) {
      add(
        .appMetadata(
          client: client.id, family: client.isInFamily ? "1" : "", environment: host),
        in: group, of: person)
    }
  }

  mutating func signOut(_ person: TruePerson, _ client: TrueClient) {
    let item = SyntheticEntry.signedOut(
      home: person.home, client: client.id, accessGroup: client.accessGroup)
    guard takenKeys.insert(item.key).inserted else { return }
    foreign.append(item)
    signedOut.insert([person.home, client.id.lowercased(), client.accessGroup])
  }

  /// Rows of users that MSAL has no place for, and rows that say next to nothing.
  mutating func addOddRows() {
    let client = clients[0]
    var base = SyntheticRow()
    base.generation = client.generation
    base.accessGroup = client.accessGroup
    base.clientID = client.id
    // The user name of somebody whom MSAL does have a place for.
    base.userID = random.chance(50) ? people[0].names[0].lowercased() : nil
    func with(_ change: (inout SyntheticRow) -> Void) -> SyntheticRow {
      var row = base
      change(&row)
      return row
    }
    let secrets = (0..<6).map { _ in random.secret() }
    let odd: [SyntheticRow] = [
      with {
        $0.authority = "https://adfs.example.com/adfs"
        $0.resource = "https://single.example.com"
        $0.accessToken = secrets[0]
        $0.refreshToken = secrets[1]
      },
      with {
        $0.authority = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_a"
        $0.refreshToken = secrets[2]
      },
      with {
        $0.authority = "http://login.windows.net/common"
        $0.refreshToken = secrets[3]
      },
      with { $0.resource = "https://nothing.example.com" },
      with {
        $0.refreshToken = secrets[4]
        $0.clientSlot = SyntheticRow.nilPlaceholder
      },
      with {
        $0.refreshToken = secrets[5]
        $0.authority = "https://login.windows.net/nowhere.example.com"
      },
    ]
    for row in odd where random.chance(12) {
      add(row, of: nil, client: client.id, isCertain: false, isUsable: true)
    }
  }

  mutating func addForeign() {
    let generic = Array("MSOpenTech.ADAL.1".utf8)
    let others = [
      KeychainItem(
        accessGroup: Self.group, account: "TokenWipe", service: "",
        generic: Array("Microsoft.ADAL.WipeAll.1".utf8), data: TokenSecret([1, 2])),
      KeychainItem(
        accessGroup: Self.group, account: "of another library", service: "thing",
        data: TokenSecret(Array("{\"a\": 1}".utf8))),
    ]
    let damaged = [
      KeychainItem(
        accessGroup: Self.group, account: "cGVyc29u", service: "MSOpenTech.ADAL.1|YQ|Yg|Yw",
        generic: generic, data: TokenSecret([98, 112, 0])),
      KeychainItem(
        accessGroup: Self.group, account: "a-login.windows.net", service: "refreshtoken-b--",
        generic: Array("refreshtoken-b-".utf8), type: 2002, data: TokenSecret(Array("{".utf8))),
    ]
    for item in others where random.chance(10) && takenKeys.insert(item.key).inserted {
      foreign.append(item)
    }
    for item in damaged where random.chance(10) && takenKeys.insert(item.key).inserted {
      unreadable.append(item)
    }
  }

  /// Somebody has looked up the homes of some guests.
  mutating func mapGuests() {
    guard random.chance(25) else { return }
    for person in people where random.chance(50) {
      for (tenant, object) in person.objects.sorted(by: { $0.key < $1.key }) {
        mapped.append([person.uid, person.utid, tenant, object])
      }
    }
  }
}
