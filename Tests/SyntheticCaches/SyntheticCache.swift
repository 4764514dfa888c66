// SPDX-License-Identifier: MIT
import KeychainItems

/// A keychain made from a seed: first the truth about people, tenants and apps, then what ADAL of each
/// age would have left of it, with MSAL's entries and other things between.
public struct SyntheticCache: Sendable {
  public let seed: UInt64
  public let now = 1_700_000_000.0
  public internal(set) var people: [TruePerson] = []
  public internal(set) var clients: [TrueClient] = []
  /// ADAL's rows.
  public internal(set) var rows: [TrueRow] = []
  /// Entries in MSAL's form: of ADAL 2.7 and of MSAL.
  public internal(set) var unified: [KeychainItem] = []
  /// Rows of either that nobody can read.
  public internal(set) var unreadable: [KeychainItem] = []
  /// Rows that were cut short, as they were before: also in ``unreadable``.
  public internal(set) var damaged: [TrueRow] = []
  /// The items that are not rows.
  public internal(set) var foreign: [KeychainItem] = []
  /// The sign-outs: home account ID and client, in lower case.
  public internal(set) var signedOut: Set<[String]> = []
  /// The owner of each refresh token, access token and ID token.
  public internal(set) var owners: [String: Int] = [:]
  /// The client of each refresh and access token, lower-case; of a family token none.
  public internal(set) var clientsOfSecrets: [String: Set<String>] = [:]
  /// Lines of an account map that are true: home object, home tenant, tenant, object.
  public internal(set) var mapped: [[String]] = []
  /// Accounts in MSAL's form that are of none of the people: home account id and environment.
  public internal(set) var strangers: Set<[String]> = []
  /// The users whose entries an unreadable item keeps out: access group, home account ID, environment.
  public internal(set) var blocked: Set<[String]> = []
  /// A document of MSAL's that a migration may be made into.
  public internal(set) var document = SyntheticDocument()

  /// The shapes that were laid over it.
  public internal(set) var laid: Set<SyntheticShape> = []

  var random: SplitMix64
  var takenKeys: Set<KeychainItem.Key> = []

  public static let group = "ABCDE12345.com.microsoft.adalcache"
  public static let otherGroup = "ABCDE12345.com.contoso.private"

  /// Every item.
  public var items: [KeychainItem] { rows.map(\.item) + unified + unreadable + foreign }

  /// The cache of a seed. One in fifty is large.
  ///
  /// - Parameters:
  ///   - rowLimit: a cache with about as many rows, for measuring; nil for the seed's own size.
  ///   - shapes: what may be laid over it; each is laid over some of the seeds.
  public init(seed: UInt64, rows rowLimit: Int? = nil, shapes: Set<SyntheticShape> = []) {
    self.seed = seed
    random = SplitMix64(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    let isLarge = rowLimit != nil || seed % 50 == 7
    let limit = rowLimit ?? (isLarge ? 500 : 60)
    makeClients()
    makePeople(isLarge ? max(limit / 5, 1) : Int.random(in: 1...4, using: &random))
    for person in people {
      for client in clients where random.chance(clients.count == 1 ? 100 : 65) {
        guard rows.count < limit else { continue }
        for _ in 0..<Int.random(in: 1...3, using: &random) { signIn(person, client) }
        if random.chance(15) { addMSAL(person, client) }
        if random.chance(4) { signOut(person, client) }
      }
    }
    addOddRows()
    addForeign()
    mapGuests()
    for shape in SyntheticShape.allCases where shapes.contains(shape) { lay(shape) }
  }

  private mutating func makeClients() {
    let groups = random.chance(30) ? [Self.group, Self.otherGroup] : [Self.group]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let id = random.guid()
      clients.append(
        TrueClient(
          id: random.chance(20) ? id.uppercased() : id,
          generation: random.one(of: SyntheticRow.Generation.allCases),
          isInFamily: random.chance(25), accessGroup: random.one(of: groups)))
    }
  }

  private mutating func makePeople(_ count: Int) {
    var clouds: [TrueCloud] = []
    for index in [0] + (random.chance(40) ? [Int.random(in: 1...5, using: &random)] : []) {
      let (hosts, isKnown) = TrueCloud.hostsOfClouds[index]
      let tenants = (0..<3).map { number in
        TrueTenant(id: random.guid(), domain: "tenant\(index)\(number).example.com")
      }
      clouds.append(TrueCloud(hosts: hosts, tenants: tenants, isKnown: isKnown))
    }
    for _ in 0..<count { addPerson(in: random.one(of: clouds)) }
  }

  private mutating func addPerson(in cloud: TrueCloud) {
    let number = people.count
    let isPersonal = random.chance(12)
    let tenant = random.one(of: cloud.tenants)
    let uid =
      isPersonal
      ? "00000000-0000-0000-\(random.hexDigits(4))-\(random.hexDigits(12))" : random.guid()
    let utid = isPersonal ? TruePerson.personalTenant : tenant.id
    var names = [
      "person\(number).\(random.hexDigits(6))@\(isPersonal ? "outlook.com" : tenant.domain)"
    ]
    // A name that somebody else of that tenant had before.
    if !isPersonal, random.chance(15),
      let former = people.last(where: { $0.utid == utid && !$0.isPersonal })
    {
      names = [former.names[former.names.count - 1]]
    }
    if random.chance(15) {
      names.append("renamed\(number).\(random.hexDigits(6))@\(tenant.domain)")
    }
    var objects = [utid: uid]
    for other in cloud.tenants where other.id != utid { objects[other.id] = random.guid() }
    people.append(
      TruePerson(
        number: number, cloud: cloud, uid: uid, utid: utid, isPersonal: isPersonal, names: names,
        objects: objects))
  }

  /// Adds a row unless its key is taken, as a later sign-in would have replaced it.
  mutating func add(
    _ row: SyntheticRow, of owner: TruePerson?, client: String, isCertain: Bool, isUsable: Bool
  ) {
    let item = row.item
    guard takenKeys.insert(item.key).inserted else { return }
    rows.append(
      TrueRow(
        row: row, item: item, owner: owner?.number, client: client.lowercased(),
        isCertain: isCertain, isUsable: isUsable))
    guard let owner else { return }
    for secret in [row.accessToken, row.refreshToken, row.idToken].compactMap({ $0 }) {
      owners[secret] = owner.number
    }
    for secret in [row.accessToken, row.refreshToken].compactMap({ $0 }) {
      clientsOfSecrets[secret, default: []].insert(client.lowercased())
    }
  }

  /// Adds an item in MSAL's form unless its key is taken; its owner may be a stranger.
  mutating func add(
    _ entry: SyntheticEntry, in group: String, of owner: TruePerson?, at instant: Double? = nil
  ) {
    let item = entry.item(accessGroup: group, at: instant ?? now - 5000)
    guard takenKeys.insert(item.key).inserted else { return }
    unified.append(item)
    own(entry, owner)
  }

  /// Remembers whose the token of an entry is.
  mutating func own(_ entry: SyntheticEntry, _ owner: TruePerson?) {
    guard let secret = entry["secret"], let client = entry["client_id"], let owner else { return }
    owners[secret] = owner.number
    clientsOfSecrets[secret, default: []].insert(client.lowercased())
  }
}
