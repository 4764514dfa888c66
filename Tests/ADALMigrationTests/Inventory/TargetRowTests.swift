// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Which rows the target holds as they are, which is asked while they are read (D38).
@Suite struct TargetRowTests {
  private let ann = SyntheticRow.refresh("rt-ann", World.ann.upn, World.ann.token()).item
  private let eve = SyntheticRow.refresh("rt-eve", World.eve.upn, World.eve.token()).item

  /// The users of ADAL's rows in the target, in row order.
  private func rowsInPlace(_ sources: [MemoryStore], in target: MemoryStore) throws -> [String] {
    let inventory = try Inventory(of: sources.map { .items($0) }, into: .items(target))
    return inventory.rows.filter { inventory.rowsInPlace.contains($0.number) }
      .map { $0.place.account ?? "" }
  }

  @Test func allOfAKeychainThatIsItsOwnTarget() throws {
    let store = MemoryStore([ann, eve])
    #expect(try rowsInPlace([store], in: store) == [ann.account, eve.account].sorted())
  }

  @Test func noneOfAnotherKeychain() throws {
    #expect(try rowsInPlace([MemoryStore([ann])], in: MemoryStore()) == [])
    #expect(try rowsInPlace([MemoryStore([ann])], in: MemoryStore([eve])) == [])
  }

  @Test func thoseThatAreTheSameInAnotherKeychain() throws {
    var changed = eve
    changed.data = ann.data
    #expect(
      try rowsInPlace([MemoryStore([ann, eve])], in: MemoryStore([ann, changed])) == [ann.account])
  }

  @Test func theTargetMayBeAnyOfTheSources() throws {
    let (other, target) = (MemoryStore([ann, eve]), MemoryStore([ann]))
    let expected = [ann.account, ann.account]
    #expect(try rowsInPlace([other, target], in: target) == expected)
    #expect(try rowsInPlace([target, other], in: target) == expected)
    #expect(try rowsInPlace([target, target], in: target) == expected)
  }

  private struct Broken: ItemStore {
    let name: String
    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      throw StoreError(.unreadable, name)
    }
    func add(_ items: [KeychainItem]) throws -> [KeychainItem] { items }
  }

  @Test func whatIsWrongWithASourceIsSaidFirst() {
    let error = #expect(throws: StoreError.self) {
      _ = try Inventory(
        of: [.items(Broken(name: "source"))], into: .items(Broken(name: "target")))
    }
    #expect(error?.message == "source")
  }

  @Test func whatIsWrongWithTheTargetIsSaidThen() {
    #expect(throws: (any Error).self) {
      _ = try Inventory(of: [.items(MemoryStore([ann]))], into: .items(Broken(name: "target")))
    }
  }
}
