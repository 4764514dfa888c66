// SPDX-License-Identifier: MIT
import Foundation
import ItemStoreConformance
import KeychainModel
import Testing

@testable import KeychainItems

@Suite struct SystemKeychainTests {
  private let model = KeychainModel()
  private let group = "ABCDE12345.com.microsoft.adalcache"

  private func keychain(_ accessGroup: String? = "com.microsoft.adalcache") -> SystemKeychain {
    SystemKeychain(accessGroup: accessGroup, calls: model.calls)
  }

  private func item(_ account: String, group: String = "") -> KeychainItem {
    KeychainItem(accessGroup: group, account: account, service: "s", data: TokenSecret(account))
  }

  /// The exam uses groups of its own.
  private struct AnyGroup: ItemStore {
    let model: KeychainModel

    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      for item in model.all { try body(item) }
    }

    func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
      model.groups += items.map(\.accessGroup)
      return try SystemKeychain(accessGroup: nil, calls: model.calls).add(items)
    }
  }

  @Test(arguments: ItemStoreConformance.Check.allCases)
  func passesTheExam(check: ItemStoreConformance.Check) throws {
    let exceptions = ItemStoreConformance.Exceptions(setsDates: true, setsAccessibility: true)
    try ItemStoreConformance(exceptions: exceptions) {
      AnyGroup(model: KeychainModel())
    }.run(check)
  }

  @Test func isUnavailableWhereThereIsNone() {
    let keychain = SystemKeychain(accessGroup: nil, calls: nil)
    #expect(throws: StoreError(.unavailable, "")) { try keychain.items() }
    #expect(throws: StoreError(.unavailable, "")) { try keychain.add([]) }
    #if !canImport(Security)
      #expect(throws: StoreError(.unavailable, "")) { try SystemKeychain().items() }
    #endif
  }

  @Test func anEmptyKeychainIsEmptyAndReadingLeavesItSo() throws {
    #expect(try keychain().items() == [])
    #expect(model.all == [])
  }

  @Test func theTeamPrefixIsLearntFromWhatIsThere() throws {
    _ = try keychain(group).add([item("b", group: group)])
    #expect(try keychain().items().map(\.account) == ["b"])
    #expect(try keychain().add([item("a"), item("b")]).map(\.account) == ["b"])
    #expect(model.all.map(\.accessGroup) == [group, group])
    #expect(model.all.map(\.accessibility) == ["cku", "cku"])
    #expect(try keychain().items().map(\.created) == [1_700_000_000, 1_700_000_000])
  }

  @Test func theTeamPrefixIsLearntByAHintWhereNothingIsThere() throws {
    #expect(try keychain().add([item("a")]) == [])
    #expect(
      model.all.map(\.key) == [
        KeychainItem.Key(
          accessGroup: "ABCDE12345.com.contoso.app", account: "SDK.ObjC.teamIDHint", service: ""),
        KeychainItem.Key(accessGroup: group, account: "a", service: "s"),
      ])
    // With it there, it is not added again.
    #expect(try keychain().add([item("b")]) == [])
    #expect(model.all.count == 3)
  }

  @Test func aHintThatTellsNothingIsRefused() throws {
    model.groups = ["group.com.contoso"]
    #expect(throws: StoreError(.refused, "")) { try keychain().add([item("a")]) }
  }

  @Test func itemsAreReadAsTheyWereAdded() throws {
    let added = KeychainItem(
      accessGroup: group, account: "a", service: "s", generic: Array("g".utf8), type: 2002,
      data: TokenSecret("synthetic-rt"))
    #expect(try keychain().add([added]) == [])
    let items = [try keychain().items(), try keychain().items(account: "a", service: "s")]
    for read in items.map(\.first) {
      #expect(read?.key == added.key && read?.data == added.data && read?.type == added.type)
      #expect(read?.generic == added.generic)
    }
  }

  @Test func otherGroupsAreNotRead() throws {
    _ = try keychain().add([
      item("a", group: "ABCDE12345.com.contoso.app"), item("b", group: group),
    ])
    #expect(try keychain().items().map(\.account) == ["b"])
    #expect(try keychain("com.contoso.app").items().map(\.account) == ["a"])
  }

  @Test func aGroupThatTheEntitlementsDoNotNameIsRefused() throws {
    _ = try keychain().add([item("a", group: group)])
    for name in ["com.other", "ABCDE12345.com.other"] {
      #expect(throws: StoreError(.refused, "")) { try keychain(name).items() }
      #expect(throws: StoreError(.refused, "")) { try keychain(name).add([item("b")]) }
    }
    #expect(model.all.count == 1)
  }

  @Test(
    arguments: [
      (-34018, StoreError.Code.refused), (-25243, .refused), (-25308, .locked),
      (-25291, .unavailable), (-34, .interrupted), (-36, .interrupted), (-50, .unreadable),
    ] as [(Int32, StoreError.Code)])
  func anAnswerToReadingHasItsCode(status: Int32, code: StoreError.Code) {
    model.matchStatus = status
    #expect(throws: StoreError(code, "")) { try keychain(group).items() }
    #expect(throws: StoreError(code, "")) { try keychain().items() }
  }

  @Test func aFailureInBetweenLeavesAPrefix() throws {
    model.addStatuses = [0, 0, -50]
    let items = ["c", "a", "b", "d"].map { item($0, group: group) }
    #expect(throws: StoreError(.interrupted, "")) { try keychain().add(items) }
    #expect(model.all.map(\.account) == ["a", "c"])
    model.addStatuses = [-50]
    #expect(throws: StoreError(.unwritable, "")) { try keychain().add([item("d", group: group)]) }
    // Again, it goes on where it stopped.
    #expect(try keychain().add(items).map(\.account) == ["c", "a"])
    #expect(model.all.map(\.account) == ["a", "b", "c", "d"])
  }

  @Test func whatOtherProgramsKeepIsReadAsFarAsItIsText() throws {
    model.put(["agrp": group, "acct": Data("bytes".utf8), "svce": "s", "gena": "text"])
    model.put(["agrp": group, "acct": Data([0xFF]), "svce": "s"])
    model.put(["agrp": group, "type": "text", "invi": "yes", "cdat": 5])
    #expect(
      try keychain(group).items() == [
        KeychainItem(accessGroup: group),
        KeychainItem(
          accessGroup: group, account: "bytes", service: "s", generic: Array("text".utf8)),
      ])
  }

  @Test func whatIsGoneAlreadyIsRemoved() throws {
    _ = try keychain().add([item("a", group: group), item("b", group: group)])
    let keys = Set(try keychain().items().map(\.key))
    let removed = try keychain().remove(keys) { item in
      // Another program is faster.
      let query = ["class": "genp", "agrp": group, "acct": item.account, "svce": "s"]
      return item.account == "a" ? model.answer(.delete, query).status == 0 : true
    }
    #expect(removed == keys && keys.count == 2)
    #expect(try keychain().items() == [])
  }

  @Test func onlyWhatIsMeantIsRemoved() throws {
    _ = try keychain().add(["a", "b", "c"].map { item($0, group: group) })
    let keys = Set(try keychain().items().filter { $0.account != "c" }.map(\.key))
    let removed = try keychain().remove(keys) { $0.account != "b" }
    #expect(removed.map(\.account) == ["a"])
    #expect(model.all.map(\.account) == ["b", "c"])
  }

  @Test func whatCannotBeRemovedIsAnError() throws {
    let items: [[String: any Sendable]] = ["a", "b"].map {
      ["agrp": group, "acct": $0, "svce": "s"]
    }
    for (stuck, code) in [("a", StoreError.Code.unwritable), ("b", .interrupted)] {
      let calls = KeychainCalls(
        system: .iOS, copyMatching: { _ in (0, items) }, add: { _ in (-50, [:]) },
        delete: { $0["acct"] as? String == stuck ? -50 : 0 })
      let keychain = SystemKeychain(accessGroup: group, calls: calls)
      let keys = Set(try keychain.items().map(\.key))
      #expect(throws: StoreError(code, "")) { try keychain.remove(keys) { _ in true } }
    }
  }

  @Test func anItemOfAnotherNameIsNoAnswer() throws {
    let answers: [[String: any Sendable]] = [
      ["agrp": group, "acct": "a", "svce": "s"], ["agrp": group, "acct": "A", "svce": "s"],
      ["agrp": group, "acct": "a", "svce": "S"],
    ]
    let calls = KeychainCalls(
      system: .iOS, copyMatching: { _ in (0, answers) }, add: { _ in (-50, [:]) },
      delete: { _ in -50 })
    let keychain = SystemKeychain(accessGroup: group, calls: calls)
    #expect(
      try keychain.items(account: "a", service: "s") == [
        KeychainItem(accessGroup: group, account: "a", service: "s")
      ])
    #expect(try keychain.items().count == 3)
  }

  @Test func msalsDefaultGroupIsTheDefault() {
    #if os(macOS)
      #expect(SystemKeychain().accessGroup == "com.microsoft.identity.universalstorage")
    #else
      #expect(SystemKeychain().accessGroup == "com.microsoft.adalcache")
    #endif
  }
}
