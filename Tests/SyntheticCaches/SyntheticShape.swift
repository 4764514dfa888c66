// SPDX-License-Identifier: MIT
import KeychainItems

/// Something that real caches have and plain ones have not, laid over the cache of a seed. Each draws its
/// own random numbers, so that a seed's rows are the same with and without it.
public enum SyntheticShape: String, CaseIterable, Sendable {
  /// Somebody's object and tenant in a second cloud, too.
  case twoClouds
  /// Names with `#`, which is no mark of a guest there.
  case oddNames
  /// Guests whose ID tokens say so in every way that there is, `_EXT_` among them.
  case guests
  /// One client in several groups, with the same people and with others of the same name.
  case severalGroups
  /// Rows of the betas of 2.1.
  case betas
  /// Rows in the groups of brokers.
  case brokerGroups
  /// Accounts of Azure AD B2C in MSAL's form whose local id is that of somebody in AAD.
  case b2cNeighbours
  /// Refresh tokens in MSAL's form under two hosts of one cloud, one newer than the other.
  case twoHosts
  /// Families that clients deny to be in, in one cloud or in all.
  case deniedFamilies
  /// Families' tokens in MSAL's form that name a client of which no app metadata tells.
  case familyTokens
  /// Account metadata that says of several people whether they are signed out.
  case signOuts
  /// Items that nobody can read, where a migration would write.
  case damagedItems
  /// ADAL's rows that were cut short, beside sound rows of the same users or alone.
  case damagedRows
  /// A document that has entries of MSAL for Python, .NET and Java, for a migration into it.
  case documents
  /// A document with entries that nobody can read, where a migration would write.
  case damagedDocuments

  /// Starts random numbers of its own for a seed.
  fileprivate func random(seed: UInt64) -> SplitMix64 {
    // FNV-1a: Swift's own hashes differ from run to run.
    let hash = rawValue.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    return SplitMix64(seed: hash ^ seed &* 0x2545_F491_4F6C_DD1D)
  }
}

extension SyntheticCache {
  /// Lays a shape over the cache, in one seed of three.
  mutating func lay(_ shape: SyntheticShape) {
    random = shape.random(seed: seed)
    guard random.chance(33) else { return }
    laid.insert(shape)
    switch shape {
    case .twoClouds: addTwins()
    case .oddNames: addOddNames()
    case .guests: addGuests()
    case .severalGroups: addGroups()
    case .betas: addBetas()
    case .brokerGroups: addBrokerRows()
    case .b2cNeighbours: addB2CAccounts()
    case .twoHosts: addSecondHosts()
    case .deniedFamilies: addDeniedFamily()
    case .familyTokens: addFamilyTokens()
    case .signOuts: addSignOuts()
    case .damagedItems: damageItems()
    case .damagedRows: addDamagedRows()
    case .documents: addDocumentEntries()
    case .damagedDocuments: damageDocument()
    }
  }

  /// Some of the people, at least one.
  mutating func somePeople(_ percent: Int) -> [TruePerson] {
    let some = people.filter { _ in random.chance(percent) }
    return some.isEmpty ? [random.one(of: people)] : some
  }

  /// A few sign-ins of somebody who is new.
  mutating func signInSomewhere(_ person: TruePerson) {
    people.append(person)
    let some = clients.filter { _ in random.chance(65) }
    for client in some.isEmpty ? [clients[0]] : some {
      for _ in 0..<Int.random(in: 1...2, using: &random) { signIn(person, client) }
      if random.chance(15) { addMSAL(person, client) }
    }
  }
}
