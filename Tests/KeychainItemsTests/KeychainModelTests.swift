// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import KeychainModel
import Testing

/// Behavior that the list of calls cannot ask of a real keychain: lock screen, users, entitlements.
@Suite struct KeychainModelTests {
  private let model = KeychainModel()
  private let group = "ABCDE12345.com.contoso.app"

  private func put(_ account: String, _ more: [String: Any] = [:]) {
    let own: [String: Any] = ["agrp": group, "acct": account, "svce": "s", "pdmn": "cku"]
    model.put(own.merging(more) { $1 })
  }

  private func copy(_ query: [String: Any]) -> (status: Int32, accounts: [String]) {
    let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    let answer = model.answer(.copyMatching, all.merging(query) { $1 })
    return (answer.status, answer.matches.compactMap { $0["acct"] as? String })
  }

  @Test("a row that cannot be decrypted fails the whole query, for attributes too")
  func locked() {
    put("readable")
    put("whenUnlocked", ["pdmn": "ak"])
    #expect(copy(["svce": "s"]) == (0, ["readable", "whenUnlocked"]))
    model.lockState = .locked
    #expect(copy(["svce": "s"]) == (-25308, []))
    #expect(copy(["svce": "s", "acct": "readable"]) == (0, ["readable"]))
    #expect(copy(["pdmn": "cku"]) == (0, ["readable"]))
    // With a limit the query ends before it comes to that row.
    #expect(copy(["svce": "s", "m_Limit": "m_LimitOne"]) == (0, ["readable"]))
    let added = model.answer(.add, ["class": "genp", "acct": "new", "svce": "s", "agrp": group])
    #expect(added.status == -25308)
  }

  @Test("before the first unlock only items that are always readable are") func firstUnlock() {
    for accessibility in ["ck", "cku", "ak", "aku", "akpu", "dk", "dku"] {
      put(accessibility, ["pdmn": accessibility])
    }
    model.lockState = .beforeFirstUnlock
    for accessibility in ["ck", "cku", "ak", "aku", "akpu"] {
      #expect(copy(["pdmn": accessibility]) == (-25308, []))
    }
    #expect(copy(["pdmn": "dk"]) == (0, ["dk"]))
    #expect(copy(["pdmn": "dku"]) == (0, ["dku"]))
    model.lockState = .locked
    #expect(copy(["pdmn": "ck"]) == (0, ["ck"]))
    #expect(copy(["pdmn": "akpu"]) == (-25308, []))
  }

  @Test("an item with access control prompts the user, unless the query skips it")
  func accessControl() {
    put("free")
    put("vault", ["accc": Data([1])])
    #expect(copy(["svce": "s", "u_AuthUI": "u_AuthUIS"]) == (0, ["free"]))
    #expect(copy(["acct": "vault", "svce": "s", "u_AuthUI": "u_AuthUIS"]) == (-25300, []))
    #expect(model.questionsToPersons == 0)
    #expect(copy(["svce": "s"]) == (0, ["free", "vault"]))
    #expect(model.questionsToPersons == 1)
    model.answerOfPerson = -128
    #expect(copy(["svce": "s"]) == (-128, []))
    #expect(model.questionsToPersons == 2)
  }

  @Test("without entitlements a Mac finds nothing, and refuses a group that is named")
  func withoutEntitlements() {
    model.groups = []
    #expect(copy(["svce": "s"]) == (-34018, []))
    model.platform = .macOS
    #expect(copy(["svce": "s", "nleg": true]) == (-25300, []))
    #expect(copy(["svce": "s", "nleg": true, "agrp": group]) == (-34018, []))
    let item: [String: Any] = ["class": "genp", "acct": "a", "svce": "s", "nleg": true]
    #expect(model.answer(.add, item).status == -34018)
    #expect(model.answer(.delete, item).status == -34018)
  }

  @Test("an App Clip may use no group but its own") func appClip() {
    model.isAppClip = true
    #expect(copy(["svce": "s"]) == (-34020, []))
    model.groups = [group]
    #expect(copy(["svce": "s"]) == (-25300, []))
  }
}
