// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Two processes and one keychain: every order in which their operations can come, not a sample of them.
@Suite struct InterleavingTests {
  private static let ann = World.ann
  private static let eve = World.eve
  /// Two people, each with a refresh token of one client.
  private static let before = [
    SyntheticRow.refresh("rt-ann", ann.upn, ann.token()).item,
    SyntheticRow.refresh("rt-eve", eve.upn, eve.token()).item,
  ]

  private static func migrate(_ store: any ItemStore) throws {
    let report = try Migration(
      from: [.items(store)], into: .items(store),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(report.accounts.map(\.signedIn) == [.yes, .yes])
  }

  /// The result of an undisturbed migration.
  private static func alone() throws -> Set<KeychainItem> {
    let store = MemoryStore(before)
    try migrate(store)
    return Set(try store.items())
  }

  /// At no moment does MSAL see fewer people than before, or an account that it cannot use.
  private func expectNobodyLost(_ all: Interleaving) {
    let visible = Visibility(Self.before, now: World.now)
    for items in all.contents {
      let losses = visible.losses(until: Visibility(Array(items), now: World.now))
      #expect(losses.isEmpty, "\(losses) with \(items.map(\.service).sorted())")
    }
  }

  /// The run in which one process waits for the other is among all interleavings, so there are more of them.
  private func expectEveryOrder(_ all: Interleaving, of alone: Interleaving) {
    #expect(alone.orders == 1)
    #expect(Set(all.contents).isSuperset(of: alone.contents))
    #expect(all.states > alone.states)
    // Either one can be first at every step that is left to both.
    #expect(all.orders > Double(alone.states))
  }

  @Test("two runs at once end like one") func twoRuns() throws {
    let end = try Self.alone()
    #expect(end.count == 9)
    let all = Interleaving(Self.before, [{ try Self.migrate($0) }], processes: [0, 0])
    #expect(all.failures == [])
    #expect(all.ends.map { all.contents[$0] } == [end])
    expectNobodyLost(all)
    expectEveryOrder(all, of: Interleaving(Self.before, [{ try Self.migrate($0) }], processes: [0]))
  }

  @Test("entries that MSAL saves during a run stay, and no account is lost") func besideMSAL()
    throws
  {
    // MSAL has found Ann's row by itself, and saves what the service gave it.
    let ann = Self.ann
    let token = ann.token(["iat": Int(World.now)])
    let saved = [
      ann.accessToken("at-newer", "User.Read"), ann.idToken(token), ann.refreshToken("rt-newer"),
      ann.account(), .appMetadata(client: World.client, family: ""),
    ].map { $0.item(accessGroup: World.group, at: World.now) }
    let keys = Set(saved.map(\.key))
    let end = Set(try Self.alone().filter { !keys.contains($0.key) } + saved)
    let all = Interleaving(
      Self.before,
      [{ try Self.migrate($0) }, { store in for item in saved { try store.save(item) } }],
      processes: [0, 1])
    #expect(all.failures == [])
    #expect(all.ends.map { all.contents[$0] } == [end])
    expectNobodyLost(all)
    let programs: [Interleaving.Program] = [
      { try Self.migrate($0) }, { store in for item in saved { try store.save(item) } },
    ]
    for program in 0...1 {
      expectEveryOrder(all, of: Interleaving(Self.before, programs, processes: [program]))
    }
  }
}
