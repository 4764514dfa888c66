// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import KeychainModel
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The sample of an app's start, whose files are compiled here too, on a device that is locked.
@Suite struct SignInMoveTests {
  /// How often a move has waited.
  private actor Waits {
    var count = 0
    func add() { count += 1 }
  }

  private let model = KeychainModel()
  private let waits = Waits()
  private let saved = SavedSignIns(identifiers: ["Ann@contoso.com": nil])
  private let identifier = "\(World.ann.oid).\(World.contoso)"

  private var migration: Migration {
    let calls = model.calls
    return Migration(
      from: .items(SystemKeychain(accessGroup: World.group, calls: calls)),
      into: .items(SystemKeychain(accessGroup: World.group, calls: calls)),
      now: { Date(timeIntervalSince1970: World.now) })
  }

  /// A row as ADAL 1.1 kept it (`aku`), or a later one (`cku`).
  private func putRow(_ accessibility: String) {
    let item = SyntheticRow.refresh("rt-ann", World.ann.upn, World.ann.token()).item
    model.put([
      "agrp": World.group, "acct": item.account, "svce": item.service, "pdmn": accessibility,
      "gena": Data(item.generic ?? []),
      // Reveal: the model keeps what a keychain keeps.
      "v_Data": Data(item.data?.reveal() ?? []),
    ])
  }

  private func move(_ unlocked: @escaping @Sendable () -> Void = {}) async -> SavedSignIns {
    await SignInMove.run(migration, saved: saved) { [waits] in
      await waits.add()
      unlocked()
    }
  }

  @Test(
    "a start in the background waits for the user, who then does not sign in",
    arguments: [("aku", KeychainModel.Lock.locked), ("cku", .beforeFirstUnlock)])
  func background(accessibility: String, lock: KeychainModel.Lock) async {
    putRow(accessibility)
    model.lockState = lock
    let moved = await move { [model] in model.lockState = .unlocked }
    #expect(moved.identifiers == ["Ann@contoso.com": identifier])
    #expect(await waits.count == 1)
  }

  @Test("behind the lock screen it waits for nothing that can be read") func readable() async {
    putRow("cku")
    model.lockState = .locked
    #expect(await move().identifiers == ["Ann@contoso.com": identifier])
    #expect(await waits.count == 0)
  }

  @Test("a device that stays locked ends the wait with nothing written") func staysLocked() async {
    putRow("aku")
    model.lockState = .locked
    #expect(await move() == saved)
    #expect(await waits.count == SignInMove.attempts)
    #expect(model.all.count == 1)
  }

  @Test("another error is no reason to wait") func refused() async {
    putRow("cku")
    model.groups = []
    #expect(await move() == saved)
    #expect(await waits.count == 0)
  }
}
