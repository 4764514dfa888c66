// SPDX-License-Identifier: MIT
import Foundation
import KeychainModel
import Testing

@testable import KeychainItems

/// How the team is learnt, and that no query asks a person or depends on items of others (D47).
@Suite struct TeamPrefixTests {
  private let model = KeychainModel()
  private let own = "ABCDE12345.com.contoso.app"
  private let group = "ABCDE12345.com.microsoft.adalcache"

  private func keychain(_ name: String = "com.microsoft.adalcache") -> SystemKeychain {
    SystemKeychain(accessGroup: name, calls: model.calls)
  }

  private func put(_ account: String, service: String = "s", _ more: [String: Any] = [:]) {
    let item: [String: Any] = ["agrp": own, "acct": account, "svce": service, "pdmn": "cku"]
    model.put(item.merging(more) { $1 })
  }

  private func queries(_ function: ScriptedCalls.Function) -> [[String: Any]] {
    model.log.filter { $0.function == function }.map(\.arguments)
  }

  private func useAll() throws {
    _ = try keychain().items()
    _ = try keychain().items(account: "a", service: "s")
    _ = try keychain().add([KeychainItem(account: "ours", service: "s")])
    _ = try keychain().remove([try #require(try keychain().items().first).key]) { _ in true }
  }

  @Test("no query prompts the user, and each names the items that it looks for")
  func everyQuery() throws {
    put("vault", ["accc": Data([1])])
    model.answerOfPerson = -128
    try useAll()
    model.groups = ["ABCDE12345.com.contoso.app", "ABCDE12345.com.microsoft.adalcache"]
    #expect(model.questionsToPersons == 0)
    #expect(queries(.copyMatching).count > 10)
    for query in queries(.copyMatching) {
      #expect(query["u_AuthUI"] as? String == "u_AuthUIS")
      let names = Set(query.keys)
      #expect(
        names.contains("agrp") || names.contains("pdmn") || names.isSuperset(of: ["acct", "svce"]))
      #expect(
        names.contains("agrp") || query["m_Limit"] as? String != "m_LimitAll"
          || names.isSuperset(of: ["acct", "svce"]))
      // To learn the team no secret is read.
      #expect((query["r_Data"] != nil) == (query["m_Limit"] as? String == "m_LimitAll"))
    }
    // Legal in queries alone: with it nothing is added or removed.
    for query in queries(.add) + queries(.delete) { #expect(query["u_AuthUI"] == nil) }
    for query in queries(.delete) {
      #expect(Set(query.keys).isSuperset(of: ["agrp", "acct", "svce"]))
    }
  }

  @Test(
    "a team id is ten upper-case letters and digits before a point",
    arguments: [
      ("ABCDE12345.a", "ABCDE12345"), ("0123456789.", "0123456789"),
      ("ABCDEFGHIJ.a.b", "ABCDEFGHIJ"),
      ("ABCDE12345", nil), ("ABCDE1234.a", nil), ("ABCDE123456.a", nil), ("abcde12345.a", nil),
      ("ABCDE1234é.a", nil), ("ABCDE1234-.a", nil), ("ABCDE1234[.a", nil),
      ("group.com.contoso", nil),
      (".a", nil), ("", nil),
    ] as [(String, Substring?)])
  func teamID(name: String, teamID: Substring?) {
    #expect(AccessGroup(name).teamID == teamID)
    #expect(AccessGroup(name).isComplete == (teamID != nil))
  }

  @Test(
    "the sources call each function of the keychain in one place, where reading skips questions")
  func sources() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var lines: [String] = []
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      lines += text.split(separator: "\n").map(String.init)
    }
    func places(_ word: String) -> Int { lines.filter { $0.contains(word) }.count }
    #expect(places("SecItemCopyMatching(") == 1)
    #expect(places("SecItemUpdate(") == 0)
    #expect(places(".copyMatching(") == 1)
    let call = try #require(lines.firstIndex { $0.contains(".copyMatching(") })
    let before = lines[..<call].suffix(8)
    #expect(before.contains { $0.contains("query[KeychainKey.authenticationUI] = ") })
  }

  @Test("items of others do not matter while the device is locked") func foreignItemsAndLock()
    throws
  {
    for number in 0..<500 { put("foreign \(number)", ["pdmn": number % 2 == 0 ? "ak" : "cku"]) }
    put("row", ["agrp": group])
    for state in [KeychainModel.Lock.unlocked, .locked] {
      model.lockState = state
      #expect(try keychain().items().map(\.account) == ["row"])
    }
    model.lockState = .beforeFirstUnlock
    #expect(throws: StoreError(.locked, "")) { try keychain().items() }
  }

  @Test(
    "either hint tells the team in one or two questions, whatever else is there",
    arguments: [("SDK.ObjC.teamIDHint", 1), ("teamIDHint", 2)])
  func hints(account: String, questions: Int) throws {
    put("theirs", ["pdmn": "ak"])
    put(account, service: "", ["pdmn": "dk"])
    model.lockState = .beforeFirstUnlock
    #expect(try keychain().prefixedAccessGroup() == group)
    #expect(queries(.copyMatching).count == questions)
  }

  @Test(
    "else one item of each accessibility that survives the lock screen",
    arguments: [("cku", 3), ("ck", 4), ("dk", 5), ("dku", 6)])
  func accessibilities(accessibility: String, questions: Int) throws {
    put("theirs", ["pdmn": accessibility])
    put("more", ["pdmn": accessibility])
    #expect(try keychain().prefixedAccessGroup() == group)
    #expect(queries(.copyMatching).count == questions)
    #expect(queries(.copyMatching).allSatisfy { $0["m_Limit"] as? String == "m_LimitOne" })
  }

  @Test("items that the lock screen takes away tell nothing") func otherAccessibilities() throws {
    for accessibility in ["ak", "aku", "akpu"] { put(accessibility, ["pdmn": accessibility]) }
    #expect(try keychain().prefixedAccessGroup() == nil)
    #expect(queries(.copyMatching).count == 6)
  }

  @Test("the hint is MSAL's own, on Catalyst too") func hint() throws {
    #expect(try keychain().learnAccessGroup() == group)
    #expect(
      model.all == [
        KeychainItem(
          accessGroup: own, account: "SDK.ObjC.teamIDHint", accessibility: "dk",
          created: 1_700_000_000, modified: 1_700_000_000)
      ])
    // MSAL reads it before the first unlock.
    model.lockState = .beforeFirstUnlock
    #expect(try keychain().learnAccessGroup() == group)
    let catalyst = KeychainModel()
    catalyst.platform = .catalyst
    _ = try SystemKeychain(accessGroup: nil, calls: catalyst.calls).learnAccessGroup()
    #expect(catalyst.all.map(\.accessibility) == ["ck"])
  }

  @Test("a hint that another process adds first is looked up") func hintOfAnother() throws {
    model.beforeHint = { model in
      model.put([
        "agrp": "ABCDE12345.com.contoso.app", "acct": "SDK.ObjC.teamIDHint", "svce": "",
        "pdmn": "dk",
      ])
    }
    #expect(try keychain().learnAccessGroup() == group)
    #expect(model.all.count == 1)
  }

  @Test("a hint that cannot be added is an error that says why") func hintThatIsRefused() throws {
    model.addStatuses = [-4]
    #expect(throws: StoreError(.unwritable, "")) { try keychain().learnAccessGroup() }
    #expect(model.all.isEmpty)
  }

  // MARK: macOS

  @Test("a Mac's prefix is the one of the program's entitlements, and no hint is left") func mac()
    throws
  {
    model.platform = .macOS
    #expect(try keychain().prefixedAccessGroup() == group)
    #expect(try keychain().learnAccessGroup() == group)
    #expect(model.log.isEmpty)
    #expect(try keychain().add([KeychainItem(account: "a", service: "s")]) == [])
    #expect(try keychain().items().map(\.accessGroup) == [group])
    #expect(model.all.map(\.account) == ["a"])
  }

  @Test("a Mac's program without entitlements is refused, and told how to sign")
  func macWithoutEntitlements() throws {
    model.platform = .macOS
    model.groups = []
    let reading = #expect(throws: StoreError.self) { try keychain().items() }
    let writing = #expect(throws: StoreError.self) { try keychain().add([KeychainItem()]) }
    let named = #expect(throws: StoreError.self) { try keychain(group).items() }
    let other = #expect(throws: StoreError.self) {
      try keychain().items(account: "a", service: "s")
    }
    for error in [reading, writing, named, other] {
      #expect(error?.code == .refused)
      #expect(
        error?.message
          == "the keychain refuses: this program has no keychain entitlements; sign it with its "
          + "team's certificate and an entitlement keychain-access-groups that names "
          + (error == named && error?.message.contains("TEAMID") == false
            ? group : "TEAMID.com.microsoft.adalcache"))
    }
  }

  // MARK: groups named group.…

  @Test("a group named group.… gets the prefix as ADAL and MSAL give it") func groupOfAppGroups()
    throws
  {
    let full = "ABCDE12345.group.com.contoso"
    model.groups = [own, full]
    put("foreign")
    #expect(try keychain("group.com.contoso").add([KeychainItem(account: "a", service: "s")]) == [])
    #expect(try keychain("group.com.contoso").items().map(\.accessGroup) == [full])
    #expect(try keychain("group.com.contoso").itemsOfUnprefixedGroup() == nil)
    model.groups = [own, "group.com.contoso"]
    #expect(try keychain("group.com.contoso").itemsOfUnprefixedGroup() == [])
    #expect(try keychain("com.contoso.app").itemsOfUnprefixedGroup() == nil)
    #expect(throws: StoreError(.refused, "")) {
      try keychain("group.com.contoso").add([KeychainItem(account: "b", service: "s")])
    }
  }

  // MARK: simulator

  @Test("a simulator without a team uses the app's first group, as MSAL does") func simulator()
    throws
  {
    let first = "FAKETEAMID.com.contoso.app"
    model.platform = .simulator
    model.groups = [first, "FAKETEAMID.com.microsoft.adalcache"]
    #expect(try keychain().learnAccessGroup() == first)
    #expect(try keychain().add([KeychainItem(account: "a", service: "s")]) == [])
    #expect(try keychain().items().map(\.accessGroup) == [first, first])
    // A name that has the prefix is taken at its word, as MSAL takes it.
    let named = "FAKETEAMID.com.microsoft.adalcache"
    #expect(try keychain(named).learnAccessGroup() == named)
  }

  @Test("a simulator with a team, and a device with that prefix, are as others") func noSimulator()
    throws
  {
    model.platform = .simulator
    #expect(try keychain().learnAccessGroup() == group)
    let device = KeychainModel()
    device.groups = ["FAKETEAMID.com.contoso.app", "FAKETEAMID.com.microsoft.adalcache"]
    let keychain = SystemKeychain(accessGroup: "com.microsoft.adalcache", calls: device.calls)
    #expect(try keychain.learnAccessGroup() == "FAKETEAMID.com.microsoft.adalcache")
  }

  // MARK: sentences

  @Test(
    "each failure has a code and a sentence of its own",
    arguments: [
      (
        -128, .unreadable,
        "the user canceled the authentication that an item of ABCDE12345.com.contoso.app asks for (-128)"
      ),
      (
        -25293, .unreadable,
        "the authentication that an item of ABCDE12345.com.contoso.app asks for failed (-25293)"
      ),
      (
        -25308, .locked,
        "the device is locked, so the keychain cannot decrypt items of ABCDE12345.com.contoso.app; "
          + "unlock it and run again (-25308)"
      ),
      (
        -34019, .locked,
        "the keychain must be upgraded, which needs an unlocked device; unlock it and run again (-34019)"
      ),
      (
        -34020, .refused,
        "the keychain refuses: an App Clip can use only its own access group, so migrate in the "
          + "full app (-34020)"
      ),
      (
        -34018, .refused,
        "the keychain refuses: the entitlements of this program do not name the access group "
          + "ABCDE12345.com.contoso.app (-34018)"
      ),
    ] as [(Int32, StoreError.Code, String)])
  func sentences(status: Int32, code: StoreError.Code, message: String) {
    model.matchStatus = status
    let error = #expect(throws: StoreError.self) { try keychain(own).items() }
    #expect(error?.code == code)
    #expect(error?.message == message)
  }
}
