// SPDX-License-Identifier: MIT
import KeychainItems

/// People who are easily taken for others.
extension SyntheticCache {
  /// The same object and tenant in another cloud, which is somebody else to a token endpoint.
  mutating func addTwins() {
    for person in somePeople(40) where !person.isPersonal {
      let taken = people.filter { $0.home == person.home }.map(\.cloud.environment)
      let others = TrueCloud.hostsOfClouds.filter { $0.isKnown && !taken.contains($0.hosts[0]) }
      let (hosts, isKnown) = random.one(of: others)
      let names =
        random.chance(50)
        ? person.names : ["twin\(people.count).\(random.hexDigits(6))@twins.example.com"]
      let cloud = TrueCloud(hosts: hosts, tenants: person.cloud.tenants, isKnown: isKnown)
      signInSomewhere(
        TruePerson(
          number: people.count, cloud: cloud, uid: person.uid, utid: person.utid,
          isPersonal: false, names: names, objects: person.objects))
    }
  }

  /// Somebody of a tenant of the first person's cloud.
  private mutating func newPerson(_ name: (TrueTenant) -> String) -> TruePerson {
    let cloud = people[0].cloud
    let tenant = random.one(of: cloud.tenants)
    var objects: [String: String] = [:]
    for tenant in cloud.tenants { objects[tenant.id] = random.guid() }
    return TruePerson(
      number: people.count, cloud: cloud, uid: objects[tenant.id] ?? "", utid: tenant.id,
      isPersonal: false, names: [name(tenant)], objects: objects)
  }

  mutating func addOddNames() {
    let number = people.count
    let digits = random.hexDigits(6)
    let local = random.one(of: ["mary.o#neil", "#\(number)", "c#", "x_ext_y", "ext#y"])
    signInSomewhere(newPerson { "\(local).\(digits)@\($0.domain)" })
  }

  mutating func addGuests() {
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let number = people.count
      let digits = random.hexDigits(6)
      var person = newPerson { "guest\(number).\(digits)@\($0.domain)" }
      person.guestMark = random.one(of: TruePerson.GuestMark.allCases)
      signInSomewhere(person)
    }
  }

  /// Another group with the first client, its people and somebody who has the name of one of them.
  mutating func addGroups() {
    let first = clients[0]
    let group = first.accessGroup == Self.group ? Self.otherGroup : Self.group
    let client = TrueClient(
      id: first.id, generation: first.generation, isInFamily: first.isInFamily,
      accessGroup: group)
    clients.append(client)
    for person in somePeople(60) {
      signIn(person, client)
      if random.chance(30) { addMSAL(person, client) }
    }
    guard let namesake = people.first(where: { !$0.isPersonal }), random.chance(50) else { return }
    var objects: [String: String] = [:]
    for tenant in namesake.cloud.tenants { objects[tenant.id] = random.guid() }
    let person = TruePerson(
      number: people.count, cloud: namesake.cloud, uid: objects[namesake.utid] ?? "",
      utid: namesake.utid, isPersonal: false, names: namesake.names, objects: objects)
    people.append(person)
    signIn(person, client)
  }
}
