// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The command's promises, as scripts: see `Script` for their form.
@Suite struct ScriptTests {
  @Test(arguments: try Script.all) func script(_ script: Script) throws {
    let workshop = try Workshop()
    for step in script.steps {
      try run(step, of: script, in: workshop)
    }
  }

  private func run(_ step: Script.Step, of script: Script, in workshop: Workshop) throws {
    let place = "\(script.name):\(step.number): \(step.command)"
    let before = try workshop.files
    let result = try workshop.run(step.command)
    #expect(!result.wasKilled, "\(place)")
    #expect(result.status == step.status, "\(place)\n\(result.errors)")
    if step.isPreparation { return }

    expect(result.output, step.output, "\(place): standard output")
    expect(result.errors, step.errors, "\(place): standard error")
    let after = try workshop.files
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    #expect(changed.sorted() == step.writes.sorted(), "\(place): files that changed")
    for name in changed where before[name] == nil {
      #expect(after[name]?.mode == 0o600, "\(place): mode of \(name)")
    }
    for name in step.absent { #expect(after[name] == nil, "\(place): \(name) is there") }
  }

  private func expect(_ text: String, _ wanted: [String], _ place: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    #expect(Lines.match(lines, wanted), "\(place)\n\(text)")
    #expect(text.isEmpty || text.hasSuffix("\n"), "\(place) ends in the middle of a line")
  }
}

/// The checks of scripts, tried on faults.
@Suite struct LinesTests {
  @Test(arguments: [
    (["a", "b"], ["a", "b"], true), (["a", "b"], ["a"], false), ([], ["…"], true),
    (["a", "b", "c"], ["…", "b", "…"], true), (["a", "b", "c"], ["…", "b"], false),
    (["a", "b"], ["a", "…", "b"], true), (["one 12 two"], ["one … two"], true),
    (["one 12 two"], ["one … three"], false), (["ab"], ["…b"], true), (["ab"], ["a…"], true),
    ([], ["a"], false), (["a"], [], false),
  ])
  func linesMatch(lines: [String], wanted: [String], answer: Bool) {
    #expect(Lines.match(lines, wanted) == answer)
  }

  @Test func aScriptIsRead() throws {
    let script = try Script(
      name: "s",
      text: "# c\n% cp a b\n$ adal2msal x\n? 65\n> out\n! no\n! …\nwrites c d\nabsent e\n")
    #expect(script.steps.map(\.command) == ["cp a b", "adal2msal x"])
    let step = try #require(script.steps.last)
    #expect(step.status == 65 && step.output == ["out"])
    #expect(step.errors == ["adal2msal: no", "…"])
    #expect(step.writes == ["c", "d"] && step.absent == ["e"])
    #expect(throws: ScriptError.self) { try Script(name: "s", text: "> out") }
    #expect(throws: ScriptError.self) { try Script(name: "s", text: "$ a\nwhat") }
  }
}
