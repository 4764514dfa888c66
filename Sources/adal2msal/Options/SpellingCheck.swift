// SPDX-License-Identifier: MIT
import ArgumentParser
import CacheJSON

/// The words of a command line that name a command or an option, checked first, so that a misspelling is reported as
/// such, and not as a missing argument.
struct SpellingCheck {
  /// The arguments of the process, without its own name.
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  private static let help = "help"

  private static var commands: [String] {
    ADAL2MSAL.commands.map(\.key)
  }

  /// Throws if the first word, or the word after `help`, should be a command and is not.
  func checkCommand() throws(Failure) {
    guard var word = words.first, !word.hasPrefix("-") else { return }
    if word == Self.help {
      guard let topic = words.dropFirst().first, !topic.hasPrefix("-") else { return }
      word = topic
    }
    let commands = Self.commands + [Self.help]
    guard !commands.contains(word) else { return }
    throw Failure(
      .usage, "unknown command '\(word)'" + Self.question(word, among: commands),
      hint: "see 'adal2msal --help'")
  }

  /// The complaint about the first option that the command does not have; nil when it has all of them, or
  /// there is no telling.
  func unknownOption() -> Failure? {
    guard let root = Self.tool else { return nil }
    var command = root
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("-"), word != "-" else {
        if command.name == root.name {
          guard let named = root.commands.first(where: { $0.name == word }) else { return nil }
          command = named
        }
        continue
      }
      let name = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0]
      guard let takesValue = command.takesValue(String(name)) else {
        // ArgumentParser's own options, for completions and the manual.
        if name.hasPrefix("---") || Self.builtIn.contains(where: name.hasPrefix) { return nil }
        guard let unknown = command.unknownPart(of: String(name)) else { continue }
        return Self.complaint(about: unknown, command, root)
      }
      // The next word is its value, unless it is an option itself.
      if takesValue, name.endIndex == word.endIndex, let value = rest.first,
        command.takesValue(value) == nil
      {
        rest = rest.dropFirst()
      }
    }
    return nil
  }

  private static let builtIn = ["--experimental-", "--generate-completion-script", "--help-hidden"]

  private static func complaint(about name: String, _ command: Tool, _ root: Tool) -> Failure {
    let path = command.name == root.name ? "" : " \(command.name)"
    var message = "unknown option '\(name)'"
    let question = Self.question(name, among: command.options.map(\.name))
    let others = root.commands.filter { $0.takesValue(name) != nil }.map(\.name)
    if !question.isEmpty {
      message += question
    } else if path.isEmpty, !others.isEmpty {
      message += "; the options of a command come after it"
    } else if !others.isEmpty {
      message += "; it is one of \(others.joined(separator: ", "))"
    }
    return Failure(.usage, message, hint: "see 'adal2msal\(path) --help'")
  }

  private static var tool: Tool? {
    (try? JSONValue(Array(ADAL2MSAL._dumpHelp().utf8)))?.object?["command"].flatMap(Tool.init)
  }

  /// `; did you mean 'inspect'?`, or nothing when no candidate is near.
  private static func question(_ word: String, among candidates: [String]) -> String {
    nearest(word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The candidate that is nearest: the only one that the word begins, or one with few letters put in,
  /// taken out or changed.
  fileprivate static func nearest(_ word: String, among candidates: [String]) -> String? {
    let wanted = letters(of: word)
    guard wanted.count > 1 else { return nil }
    let begun = candidates.filter { letters(of: $0).starts(with: wanted) }
    if wanted.count > 2, begun.count == 1 { return begun.first }
    let allowed = max(1, min(3, (wanted.count + 1) / 3))
    let ranked = candidates.map { ($0, Explain.distance(wanted, letters(of: $0))) }
      .filter { $0.1 <= allowed && letters(of: $0.0).count > 1 }
    return ranked.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  /// The form in which words are compared. No line of dashes is long enough to matter.
  private static func letters(of word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }.prefix(64).map { $0 }
  }
}

/// A command and its options, as ArgumentParser describes them.
private struct Tool {
  let name: String
  let commands: [Tool]
  /// The spelling of each option, and whether a value follows it.
  let options: [(name: String, takesValue: Bool)]

  init?(_ value: JSONValue) {
    guard let members = value.object, let name = members["commandName"]?.string else { return nil }
    func list(_ value: JSONValue?) -> [JSONValue] {
      if case .array(let elements)? = value { elements } else { [] }
    }
    self.name = name
    commands = list(members["subcommands"]).compactMap(Tool.init)
    options = list(members["arguments"]).compactMap(\.object).flatMap { argument in
      list(argument["names"]).compactMap(\.object).map { option in
        let dashes = option["kind"]?.string == "long" ? "--" : "-"
        return (dashes + (option["name"]?.string ?? ""), argument["kind"]?.string == "option")
      }
    }
  }

  func takesValue(_ option: String) -> Bool? { options.first { $0.name == option }?.takesValue }

  /// The first flag that is unknown in `-nx`, nil where all are known; the word when it is not short options in
  /// one.
  func unknownPart(of word: String) -> String? {
    let isOne =
      word.hasPrefix("--") || SpellingCheck.nearest(word, among: options.map(\.name)) != nil
    return isOne ? word : word.dropFirst().map { "-\($0)" }.first { takesValue($0) == nil }
  }
}
