// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import ADALMigration
@testable import SyntheticCaches

/// The laws of architecture §8, each on every generated cache (`LawSeeds`). A seed that fails makes the same cache
/// again, alone with `LAW_SEED` and the same `LAW_SHAPES`.
@Suite struct LawsTests {
  private static let seeds = LawSeeds.chosen(ProcessInfo.processInfo.environment, now: Date())

  /// The shapes laid over caches: all, or those that `LAW_SHAPES` names with commas between; `none` for none.
  private static let shapes: Set<SyntheticShape> = {
    switch ProcessInfo.processInfo.environment["LAW_SHAPES"] {
    case nil, "all"?: Set(SyntheticShape.allCases)
    case let names?: Set(names.split(separator: ",").compactMap { .init(rawValue: String($0)) })
    }
  }()

  private static let cases = LawsCases(shapes: shapes)

  @Test("a law holds", arguments: seeds, Law.allCases)
  func laws(seed: UInt64, law: Law) throws {
    try law.check(Self.cases.of(seed))
  }

  /// Caches over which no shape is laid.
  private static let plain = (0..<60 as Range<UInt64>).map { SyntheticCache(seed: $0) }

  @Test("the generator makes each case that a law is about") func generator() throws {
    let caches = Self.plain + (60..<200 as Range<UInt64>).map { SyntheticCache(seed: $0) }
    let rows = caches.flatMap(\.rows)
    #expect(caches.contains { $0.rows.count > 300 })
    #expect(caches.filter { $0.rows.count <= 40 }.count > 150)
    for generation in SyntheticRow.Generation.allCases {
      #expect(rows.contains { $0.row.generation == generation && $0.isCertain })
    }
    #expect(rows.contains { $0.row.isTombstone } && rows.contains { $0.row.sessionKey != nil })
    #expect(rows.contains { $0.row.clientID == "foci-1" })
    #expect(rows.contains { $0.owner == nil })
    #expect(caches.contains { !$0.signedOut.isEmpty } && caches.contains { !$0.mapped.isEmpty })
    #expect(caches.contains { Set($0.rows.map(\.row.accessGroup)).count == 2 })
    #expect(
      caches.contains { cache in
        Set(cache.people.flatMap { Set($0.names) }).count < cache.people.flatMap(\.names).count
      })
    // The same seed is the same cache.
    #expect(SyntheticCache(seed: 11).items == caches[11].items)
  }

  @Test("the users of a client are of the clouds of its tokens") func people() {
    func person(_ number: Int, _ hosts: [String]) -> TruePerson {
      TruePerson(
        number: number, cloud: TrueCloud(hosts: hosts, tenants: [], isKnown: true), uid: "u",
        utid: "t", isPersonal: false, names: ["user@contoso.example"], objects: [:])
    }
    var cache = SyntheticCache(seed: 0)
    let client = cache.clients[0]
    cache.rows = []
    cache.people = [
      person(0, ["login.windows.net", "sts.windows.net"]), person(1, ["login.microsoftonline.de"]),
    ]
    func numbers(tokenOf host: String) -> [Int] {
      cache.unified = [
        SyntheticEntry.refreshToken("secret", home: "u.t", client: client.id, environment: host)
          .item(accessGroup: client.accessGroup, at: nil)
      ]
      return cache.people(of: client).map(\.number)
    }
    #expect(numbers(tokenOf: "sts.windows.net") == [0])
    #expect(numbers(tokenOf: "login.microsoftonline.de") == [1])
    cache.signedOut = [["u.t", client.id.lowercased(), client.accessGroup]]
    #expect(numbers(tokenOf: "login.microsoftonline.de") == [])
  }

  @Test("the generator lays every shape over caches", arguments: SyntheticShape.allCases)
  func shape(_ shape: SyntheticShape) throws {
    let plain = Self.plain
    let caches = plain.map { SyntheticCache(seed: $0.seed, shapes: [shape]) }
    #expect(caches.filter { $0.laid == [shape] }.count > 10)
    for (cache, plain) in zip(caches, plain) {
      // A shape laid over a cache removes nothing and changes nothing.
      if cache.laid.isEmpty {
        #expect(cache.items == plain.items)
      } else {
        #expect(Set(cache.items).isSuperset(of: plain.items))
      }
    }
    let found = caches.contains { Self.shows(shape, $0) }
    #expect(found && !plain.contains { Self.shows(shape, $0) })
  }

  /// Whether a cache has what a shape is about.
  private static func shows(_ shape: SyntheticShape, _ cache: SyntheticCache) -> Bool {
    let people = cache.people
    func hosts(of home: String) -> Int {
      Set(
        cache.unified.compactMap(SyntheticEntry.init).filter {
          $0["home_account_id"] == home && $0["credential_type"] == "RefreshToken"
        }.map { $0["environment"] }
      ).count
    }
    return switch shape {
    case .twoClouds: Set(people.map(\.home)).count < people.count
    case .oddNames: people.contains { $0.names[0].contains("#") || $0.names[0].contains("ext") }
    case .guests: people.contains { $0.allNames.contains { $0.contains("_ext_") } }
    case .severalGroups:
      Set(cache.clients.map(\.id)).count < cache.clients.count
        && people.count > Set(people.map(\.names)).count
    case .betas: cache.rows.contains(where: \.row.isBeta)
    case .brokerGroups:
      cache.rows.contains { $0.row.accessGroup.hasSuffix("com.microsoft.azureauthenticator") }
    case .b2cNeighbours:
      Set(cache.strangers.map { $0[1].contains("b2clogin") }).count == 2
    case .twoHosts:
      people.contains { hosts(of: $0.home) > 1 } && cache.laid == [.twoHosts]
    case .deniedFamilies: cache.clients.count > 4
    case .familyTokens:
      !cache.clients[0].isInFamily
        && cache.unified.compactMap(SyntheticEntry.init).contains {
          $0["family_id"] == "1" && $0["client_id"] == cache.clients[0].id
        }
    case .signOuts:
      Set(cache.signedOut.map { $0[1...] }).count < cache.signedOut.count
    case .damagedItems: !cache.blocked.isEmpty
    case .damagedRows: !cache.damaged.isEmpty
    case .documents: !cache.document.sections.isEmpty && cache.document.blocked.isEmpty
    case .damagedDocuments: !cache.document.blocked.isEmpty
    }
  }
}
