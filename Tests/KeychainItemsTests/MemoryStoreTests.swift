// SPDX-License-Identifier: MIT
import ItemStoreConformance
import KeychainItems
import Testing

@Suite struct MemoryStoreTests {
  @Test(arguments: ItemStoreConformance.Check.allCases)
  func passesTheExam(check: ItemStoreConformance.Check) throws {
    try ItemStoreConformance { MemoryStore() }.run(check)
  }

  @Test func keepsTheFirstOfOneKey() throws {
    let first = KeychainItem(account: "a", type: 1)
    let second = KeychainItem(account: "a", type: 2)
    #expect(try MemoryStore([first, second]).items() == [first])
  }

  @Test func onlyWhatIsMeantIsRemoved() throws {
    let items = ["a", "b", "c"].map { KeychainItem(account: $0) }
    let store = MemoryStore(items)
    let keys = Set([items[0], items[1], KeychainItem(account: "gone")].map(\.key))
    #expect(try store.remove(keys) { $0.account != "b" } == [items[0].key])
    #expect(try store.items() == [items[1], items[2]])
  }

  @Test func stopsWhereTheCallerThrows() throws {
    struct Stop: Error {}
    let store = MemoryStore(["a", "b", "c"].map { KeychainItem(account: $0) })
    var seen: [String] = []
    #expect(throws: Stop.self) {
      try store.forEachItem { item in
        seen.append(item.account)
        if item.account == "b" { throw Stop() }
      }
    }
    #expect(seen == ["a", "b"])
  }
}

/// The exam itself: a store that breaks a promise must fail.
@Suite struct ItemStoreConformanceTests {
  private struct Broken: ItemStore {
    let inner = MemoryStore()
    var onRead: @Sendable ([KeychainItem]) -> [KeychainItem] = { $0 }
    var onAdd: @Sendable ([KeychainItem]) -> [KeychainItem] = { $0 }
    var onTaken: @Sendable ([KeychainItem]) -> [KeychainItem] = { $0 }

    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      for item in onRead(try inner.items()) { try body(item) }
    }

    func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
      onTaken(try inner.add(onAdd(items)))
    }
  }

  private func failures(_ store: @escaping () -> Broken) -> Set<ItemStoreConformance.Check> {
    let exam = ItemStoreConformance { store() }
    return Set(
      ItemStoreConformance.Check.allCases.filter { check in
        do {
          try exam.run(check)
          return false
        } catch {
          return true
        }
      })
  }

  @Test func aStoreThatPassesThroughPasses() {
    #expect(failures { Broken() } == [])
  }

  @Test func noticesAnotherOrder() {
    #expect(
      failures { Broken(onRead: { $0.reversed() }) }.contains(.itemsComeInTheOrderOfKeys))
  }

  @Test func noticesASilentlyTakenKey() {
    #expect(
      failures { Broken(onTaken: { _ in [] }) }.contains(.takenKeysAreReturnedAndUntouched))
  }

  @Test func noticesLostAttributes() {
    let found = failures {
      Broken(onAdd: { items in
        items.map { item in
          var item = item
          item.comment = nil
          return item
        }
      })
    }
    #expect(
      found == [
        .everyAttributeIsKept, .absentAndEmptyAreDifferent, .textOfAnyKindIsKept,
        .typeAndGenericAreNotPartOfTheKey,
      ])
  }

  @Test func anObjectIsThePlaceThatItIs() {
    let store = MemoryStore()
    #expect(store.isSamePlace(as: store))
    #expect(!store.isSamePlace(as: MemoryStore()))
    #expect(!store.isSamePlace(as: ValueStore()))
    #expect(!ValueStore().isSamePlace(as: ValueStore()))
  }
}

private struct ValueStore: ItemStore {
  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {}
  func add(_ items: [KeychainItem]) throws -> [KeychainItem] { [] }
}
