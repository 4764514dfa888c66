// SPDX-License-Identifier: MIT
import Foundation
import KeychainModel
import Testing

/// The model agrees with the list of calls that is made of the system's keychain too.
@Suite struct ScriptedCallsTests {
  private let model = KeychainModel()
  private let script = ScriptedCalls(
    first: "ABCDE12345.com.contoso.app", second: "ABCDE12345.com.microsoft.adalcache", suffix: "x1")

  @Test("every call has the answer of the list, and nothing stays") func theModelAgrees() {
    #expect(script.calls.count >= 60)
    #expect(script.differences(model.answer) == [])
    #expect(model.all == [])
    // Again, beside what a run that was ended left.
    model.put(["agrp": "ABCDE12345.com.contoso.app", "acct": "a.x1", "svce": "service.x1"])
    #expect(script.differences(model.answer) == [])
  }

  @Test("on a Mac the list names the data-protection keychain") func mac() {
    model.platform = .macOS
    #expect(script.differences(model.answer) != [])
    let own = ScriptedCalls(
      first: model.groups[0], second: model.groups[1], suffix: "x1", isMac: true)
    #expect(own.differences(model.answer) == [])
  }

  @Test("a keychain that is wrong in one call is told with that call", arguments: [0, 1, 2])
  func differences(kind: Int) throws {
    let differences = script.differences { function, arguments in
      var answer = model.answer(function, arguments)
      switch (kind, function, arguments["m_Limit"] as? String) {
      case (0, .add, _) where answer.status == -25299: answer.status = 0
      case (1, .copyMatching, "m_LimitOne"): answer.matches = []
      case (2, .copyMatching, "m_LimitOne"):
        answer.matches = answer.matches.map { _ in ["type": 1] }
      default: break
      }
      return answer
    }
    #expect(differences.count == [6, 1, 1][kind])
    let start = ["3 add, the same item again: expected status -25299, got 0", "16 copy", "16 copy"]
    #expect(try #require(differences.first).hasPrefix(start[kind]))
  }

  @Test("facts name neither a group nor a team") func facts() {
    let facts = script.facts(of: [
      "agrp": "ABCDE12345.com.contoso.app", "acct": Data([1, 255]), "invi": true, "type": 1003,
      "v_Data": Data(), "cdat": Date(),
    ])
    #expect(facts == ["agrp": "first", "acct": "0x01ff", "invi": "1", "type": "1003"])
    #expect(script.facts(of: ["agrp": "ABCDE12345.other"]) == ["agrp": "another"])
  }
}
