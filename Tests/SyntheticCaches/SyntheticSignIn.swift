// SPDX-License-Identifier: MIT
import KeychainItems

/// The rows that a sign-in with ADAL leaves.
extension SyntheticCache {
  /// One person with one client, in one tenant through one authority.
  mutating func signIn(_ person: TruePerson, _ client: TrueClient) {
    let tenant = tenant(for: person)
    let authority = authority(for: person, tenant)
    let age = Double.random(in: 600...(120 * 86_400), using: &random)
    let name = random.chance(80) ? person.names[person.names.count - 1] : person.names[0]
    let issuedAt =
      name == person.names[0] && person.names.count > 1 ? now - 200 * 86_400 - age : now - age

    var row = SyntheticRow()
    row.generation = client.generation
    row.accessGroup = client.accessGroup
    row.authority = authority
    row.clientID = client.id
    row.modified = random.chance(50) ? now - age + 5 : nil
    if random.chance(88) {
      row.idToken = SyntheticRow.idToken(
        person.claims(in: tenant, named: name, issuedAt: issuedAt))
    }
    let userName = person.userName(name, in: tenant)
    row.userID = random.chance(97) ? userName.lowercased() : nil
    if row.userID != nil, random.chance(4) { row.userID = "key-\(userName.lowercased())" }
    let isStored = storeHomeID(person, in: &row)
    let isMember = tenant == person.utid && row.idToken != nil
    let isCertain = person.cloud.isKnown && (isStored || isMember)

    let secret = refreshToken(of: person, client)
    addRefreshRows(row, secret, person, client, isCertain: isCertain)
    addAccessRows(row, person, client)
    if isStored, client.generation == .twoSeven {
      addMSALRow(row, secret, person, client, tenant, userName)
    }
    if random.chance(8) { addStaleTwin(row, person, client, isCertain: isCertain) }
  }

  private mutating func tenant(for person: TruePerson) -> String {
    if person.isPersonal && random.chance(30) { return person.utid }
    if !person.isPersonal && random.chance(65) { return person.utid }
    let others = person.cloud.tenants.map(\.id).filter { $0 != person.utid }
    return random.one(of: others)
  }

  private mutating func authority(for person: TruePerson, _ tenant: String) -> String {
    let host = random.chance(70) ? person.cloud.environment : random.one(of: person.cloud.hosts)
    let domain = person.cloud.tenants.first { $0.id == tenant }?.domain
    var segments = [tenant, domain ?? tenant]
    if tenant == person.utid { segments += ["common", "common", "common", "organizations"] }
    if tenant == TruePerson.personalTenant { segments = ["common", tenant] }
    return "https://\(host)/\(random.one(of: segments))"
  }

  /// The service's value for the home account, if the row's generation keeps it.
  private mutating func storeHomeID(_ person: TruePerson, in row: inout SyntheticRow) -> Bool {
    switch row.generation {
    case .twoSeven where random.chance(85): row.homeAccountID = person.home
    case .twoTwo, .twoSix:
      guard random.chance(8) else { return false }
      row.clientInfo = SyntheticRow.clientInfo(uid: person.uid, utid: person.utid)
    default: return false
    }
    return true
  }

  /// A new refresh token, or one that the person already has with this client.
  private mutating func refreshToken(of person: TruePerson, _ client: TrueClient) -> String {
    let there = rows.filter {
      $0.owner == person.number && $0.client == client.id.lowercased()
        && $0.row.clientID == client.id
    }.compactMap(\.row.refreshToken).filter { !$0.isEmpty }
    return !there.isEmpty && random.chance(30) ? random.one(of: there) : random.secret()
  }

  private mutating func addRefreshRows(
    _ base: SyntheticRow, _ secret: String, _ person: TruePerson, _ client: TrueClient,
    isCertain: Bool
  ) {
    var row = base
    row.refreshToken = secret
    if client.isInFamily { row.familyID = "1" }
    if random.chance(8) {
      row.resource = "https://single.example.com"
      row.accessToken = random.secret()
      row.expiresOn = now + 4000
    } else if client.generation == .twoTwo, random.chance(6) {
      row.isTombstone = true
    } else if client.generation == .twoSix, random.chance(4) {
      row.sessionKey = [7, 7, 7, 7]
    }
    let isRefused = row.isTombstone || row.sessionKey != nil
    if row.isTombstone { row.refreshToken = nil }
    add(
      row, of: person, client: client.id, isCertain: isCertain && !isRefused,
      isUsable: !row.isTombstone)

    guard client.isInFamily, client.generation != .one, !isRefused, random.chance(70) else {
      return
    }
    var family = base
    family.clientID = "foci-1"
    family.familyID = "1"
    family.refreshToken = random.chance(70) ? secret : random.secret()
    add(family, of: person, client: client.id, isCertain: false, isUsable: false)
  }

  private mutating func addAccessRows(
    _ base: SyntheticRow, _ person: TruePerson, _ client: TrueClient
  ) {
    let resources = [
      "https://graph.microsoft.com", "https://graph.windows.net/", "HTTPS://api.contoso.com",
      "00000003-0000-0000-c000-000000000000", client.id, "urn:odd:thing", "https://two words",
    ]
    for _ in 0..<random.one(of: [0, 0, 1, 1, 2, 3]) {
      var row = base
      row.resource = random.one(of: resources)
      row.accessToken = random.secret()
      row.expiresOn = random.one(of: [now + 3600, now + 86_400.5, now + 299, now - 1, nil])
      if row.generation == .twoSeven { row.cachedAt = random.chance(80) ? now - 60 : now + 900 }
      if random.chance(15) { row.extendedExpiresOn = now + 90_000 }
      if random.chance(6) { row.accessTokenType = "pop" }
      if row.generation == .twoSeven, random.chance(6) {
        row.applicationIdentifier = "com.contoso.managed"
        row.enrollmentID = "enrollment-1"
      }
      add(row, of: person, client: client.id, isCertain: false, isUsable: false)
    }
  }

  /// ADAL 2.7 writes a refresh token and an account in MSAL's form, under the tenant of its authority.
  private mutating func addMSALRow(
    _ row: SyntheticRow, _ secret: String, _ person: TruePerson, _ client: TrueClient,
    _ tenant: String, _ name: String
  ) {
    guard random.chance(80) else { return }
    let environment = person.cloud.environment
    add(
      .refreshToken(secret, home: person.home, client: client.id, environment: environment),
      in: client.accessGroup, of: person)
    if client.isInFamily {
      add(
        .refreshToken(
          secret, home: person.home, client: client.id, family: "1", environment: environment),
        in: client.accessGroup, of: person)
    }
    guard row.idToken != nil else { return }
    let segment = (row.authority ?? "").split(separator: "/").last.map(String.init) ?? tenant
    let realm = segment == "common" || segment == "organizations" ? tenant : segment
    add(
      .account(
        name, home: person.home, realm: realm, localID: person.objects[tenant],
        environment: environment), in: client.accessGroup, of: person)
  }

  /// The same row under another host of the cloud, from before ADAL knew that they are one.
  private mutating func addStaleTwin(
    _ base: SyntheticRow, _ person: TruePerson, _ client: TrueClient, isCertain: Bool
  ) {
    var row = base
    let path = (row.authority ?? "").split(separator: "/").last.map(String.init) ?? "common"
    row.authority = "https://\(random.one(of: person.cloud.hosts))/\(path)"
    row.refreshToken = random.secret()
    row.modified = now - 150 * 86_400
    if client.isInFamily { row.familyID = "1" }
    add(row, of: person, client: client.id, isCertain: isCertain, isUsable: true)
  }
}
