// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectFiles

/// Variables of build settings, as swift-build replaces them.
@Suite struct SettingExpansionTests {
  /// Levels of settings, the first before the others.
  private func expand(_ text: String, _ levels: [String: String]...) -> String? {
    SettingExpansion { name, from in
      for (level, settings) in levels.enumerated().dropFirst(from) {
        if let value = settings[name] { return (value, level) }
      }
      return nil
    }.expand(text)
  }

  @Test func variablesAreReplacedInAllTheirForms() {
    let settings = ["A": "x", "B_x": "y", "N": "My App_2.0", "E": ""]
    #expect(expand("1$(A)2${A}3$[A]4", settings) == "1x2x3x4")
    #expect(expand("$A-$A.b", settings) == "x-x.b")
    #expect(expand("$(B_$(A))", settings) == "y")
    #expect(expand("$$(A) 5$ $", settings) == "$(A) 5$ $")
    #expect(expand("plain", settings) == "plain")
  }

  @Test func operatorsWorkOnExpandedValues() {
    let settings = ["PRODUCT_NAME": "$(TARGET_NAME)", "TARGET_NAME": "2 Big.App_x", "E": ""]
    #expect(expand("com.$(PRODUCT_NAME:rfc1034identifier)", settings) == "com.--Big-App-x")
    #expect(expand("$(PRODUCT_NAME:c99extidentifier)", settings) == "__Big_App_x")
    #expect(expand("$(PRODUCT_NAME:rfc1034identifier:lower)", settings) == "--big-app-x")
    #expect(expand("$(TARGET_NAME:upper)", settings) == "2 BIG.APP_X")
    #expect(expand("$(X:default=a$(TARGET_NAME:lower))", settings) == "a2 big.app_x")
    #expect(expand("$(E:default=b)", settings) == "b")
    #expect(expand("$(TARGET_NAME:default=$(NONE))", settings) == "2 Big.App_x")
    #expect(expand("$(TARGET_NAME:base)", ["TARGET_NAME": "a/b.c"]) == "b")
    #expect(expand("$(TARGET_NAME:file)", ["TARGET_NAME": "a/b.c"]) == "b.c")
  }

  @Test func inheritedIsTheLevelBelow() {
    #expect(expand("$(A)", ["A": "$(inherited).a"], ["A": "$(A).b"], ["A": "c"]) == "c.b.a")
    #expect(expand("$(A)", ["A": "$(inherited)x"]) == "x")
    #expect(expand("$(A)", ["A": "$(B)"], ["A": "z", "B": "$(A)y"]) == "zy")
    #expect(expand("$(inherited)", ["A": "x"]) == nil)
  }

  @Test func whatIsNotKnownStaysOpen() {
    for text in [
      "$(X)", "a.$(X)", "$(A:unknown)", "$(A:dir=x)", "$(A", "$(A:default=", "$($(X):default=a)",
      "$(Y:default=a)",
    ] {
      #expect(expand(text, ["A": "x", "Y": "$(X)"]) == nil, "\(text)")
    }
  }

  @Test func workIsBounded() {
    var settings = ["A0": ""]
    for level in 1...60 { settings["A\(level)"] = "$(A\(level - 1))$(A\(level - 1))" }
    #expect(expand("$(A8)", settings) == "")
    #expect(expand("$(A60)", settings) == nil)
    settings["A0"] = String(repeating: "x", count: 3000)
    #expect(expand("$(A1)", settings) == nil)
    let deep = String(repeating: "$(", count: 10_000)
    #expect(expand(deep, settings) == nil)
  }
}
