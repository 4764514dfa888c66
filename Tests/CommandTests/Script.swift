// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A script that is a test: a text file of commands and what they must do.
///
/// | line | meaning |
/// |---|---|
/// | `# …` | a comment |
/// | `% COMMAND` | prepares something; must end with 0 |
/// | `$ COMMAND` | a command of bash that is tested; lines up to the next belong to it |
/// | `? N` | its exit status; 0 without such a line |
/// | `> LINE` | a line of its standard output |
/// | `! LINE` | a line of its standard error, without the prefix `adal2msal: ` |
/// | `writes NAME…` | the files that it makes or changes |
/// | `absent NAME` | a file that is not there then |
///
/// The lines of an output are all of it; a command without any prints nothing. `…` as a line stands for any
/// number of lines, within a line for any text. Files that `writes` does not name must be as before,
/// byte for byte, and new ones must have mode 0600.
struct Script: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var number: Int
    var command: String
    var isPreparation: Bool
    var status: Int32 = 0
    var output: [String] = []
    var errors: [String] = []
    var writes: Set<String> = []
    var absent: [String] = []
  }

  let name: String
  private(set) var steps: [Step] = []

  var testDescription: String { name }

  init(name: String, text: String) throws {
    self.name = name
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      try read(String(line), number: index + 1)
    }
  }

  private mutating func read(_ line: String, number: Int) throws {
    if line.isEmpty || line.hasPrefix("#") { return }
    let word = String(line.prefix { $0 != " " })
    // An empty line of output may be a lone `>`: editors take spaces at the ends of lines away.
    let rest = String(line.dropFirst(word.count + 1))
    if word == "$" || word == "%" {
      steps.append(Step(number: number, command: rest, isPreparation: word == "%"))
      return
    }
    guard var step = steps.popLast(), !step.isPreparation else {
      throw ScriptError("\(name):\(number): no command before this line")
    }
    switch word {
    case "?":
      guard let status = Int32(rest) else { throw ScriptError("\(name):\(number): no status") }
      step.status = status
    case ">": step.output.append(rest)
    case "!": step.errors.append(rest == "…" ? rest : "adal2msal: " + rest)
    case "writes": step.writes.formUnion(rest.split(separator: " ").map(String.init))
    case "absent": step.absent += rest.split(separator: " ").map(String.init)
    default: throw ScriptError("\(name):\(number): what is \(word)?")
    }
    steps.append(step)
  }

  /// The scripts beside this file, in the order of their names. Those whose name ends in `-linux` are
  /// about what only Linux has, or has not.
  static var all: [Script] {
    get throws {
      #if os(Linux)
        let isLinux = true
      #else
        let isLinux = false
      #endif
      let folder = Project.root + "/Tests/CommandTests/Scripts"
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".txt") && (isLinux || !$0.hasSuffix("-linux.txt")) }
        .map { name in
          let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
          return try Script(name: String(name.dropLast(4)), text: text)
        }
    }
  }
}

struct ScriptError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Whether lines are those that a script asks for.
enum Lines {
  static func match(_ lines: some Collection<String>, _ wanted: some Collection<String>) -> Bool {
    guard let first = wanted.first else { return lines.isEmpty }
    if first == "…" {
      let rest = wanted.dropFirst()
      // The end decides about the lines after the last `…`.
      if rest.isEmpty { return true }
      var lines = lines[...]
      while true {
        if match(lines, rest) { return true }
        if lines.isEmpty { return false }
        lines = lines.dropFirst()
      }
    }
    guard let line = lines.first, matches(line[...], first[...]) else { return false }
    return match(lines.dropFirst(), wanted.dropFirst())
  }

  private static func matches(_ line: Substring, _ wanted: Substring) -> Bool {
    guard let gap = wanted.firstIndex(of: "…") else { return line == wanted }
    guard line.hasPrefix(wanted[..<gap]) else { return false }
    let rest = wanted[wanted.index(after: gap)...]
    var line = line.dropFirst(wanted.distance(from: wanted.startIndex, to: gap))
    while true {
      if matches(line, rest) { return true }
      if line.isEmpty { return false }
      line = line.dropFirst()
    }
  }
}
