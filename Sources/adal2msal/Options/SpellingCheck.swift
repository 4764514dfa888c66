// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation

/// The words of a command line that name a command or an option, looked at before anything else is: what
/// is misspelt is told as such, and not as what is missing because of it.
struct SpellingCheck {
  private let words: [String]

  /// - Parameter words: the arguments of the process, without its own name.
  init(_ words: [String]) {
    self.words = words
  }

  private static let help = "help"

  private static var commands: [String] {
    ADAL2MSAL.configuration.subcommands.map { $0._commandName }
  }

  /// Throws when the first word, or the one after `help`, should be a command and is none.
  func checkCommand() throws(Failure) {
    guard var word = words.first, !word.hasPrefix("-") else { return }
    if word == Self.help {
      guard let topic = words.dropFirst().first, !topic.hasPrefix("-") else { return }
      word = topic
    }
    let commands = Self.commands + [Self.help]
    guard !commands.contains(word) else { return }
    throw Failure(
      .usage, "unknown command '\(word)'" + Nearest.question(word, among: commands),
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
        if command.commandName == root.commandName {
          guard let named = root.subcommand(word) else { return nil }
          command = named
        }
        continue
      }
      let name = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0]
      guard let option = command.option(String(name)) else {
        // What ArgumentParser itself takes, for completions and the manual.
        if name.hasPrefix("---") || Self.builtIn.contains(where: name.hasPrefix) { return nil }
        if let flags = command.flags(in: String(name)) {
          guard let unknown = flags else { continue }
          return Self.complaint(about: unknown, command, root)
        }
        return Self.complaint(about: String(name), command, root)
      }
      // What follows is its value, unless it is an option itself.
      if option.takesValue, name.endIndex == word.endIndex, let value = rest.first,
        command.option(value) == nil
      {
        rest = rest.dropFirst()
      }
    }
    return nil
  }

  private static let builtIn = ["--experimental-", "--generate-completion-script", "--help-hidden"]

  private static func complaint(about name: String, _ command: Tool, _ root: Tool) -> Failure {
    let path = command.commandName == root.commandName ? "" : " \(command.commandName)"
    var message = "unknown option '\(name)'"
    let question = Nearest.question(name, among: command.optionNames)
    let others = (root.subcommands ?? []).filter { $0.option(name) != nil }.map(\.commandName)
    if !question.isEmpty {
      message += question
    } else if path.isEmpty, !others.isEmpty {
      message += "; the options of a command come after it"
    } else if !others.isEmpty {
      message += "; it is one of \(others.joined(separator: ", "))"
    }
    return Failure(.usage, message, hint: "see 'adal2msal\(path) --help'")
  }

  /// The command as ArgumentParser describes it.
  private static var tool: Tool? {
    try? JSONDecoder().decode(Description.self, from: Data(ADAL2MSAL._dumpHelp().utf8)).command
  }
}

/// What `--experimental-dump-help` prints.
private struct Description: Decodable {
  var command: Tool
}

/// A command and its options, as ArgumentParser describes them.
private struct Tool: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var spelling: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    var kind: String
    var names: [Name]?

    var takesValue: Bool { kind == "option" }
  }

  var commandName: String
  var subcommands: [Tool]?
  var arguments: [Argument]?

  var optionNames: [String] { (arguments ?? []).flatMap { $0.names ?? [] }.map(\.spelling) }

  func subcommand(_ name: String) -> Tool? { subcommands?.first { $0.commandName == name } }

  func option(_ name: String) -> Argument? {
    arguments?.first { argument in argument.names?.contains { $0.spelling == name } ?? false }
  }

  /// The first flag that is unknown in `-nx`, or nil in nil where all are known; nil when the word is not
  /// short options in one.
  func flags(in word: String) -> String?? {
    guard !word.hasPrefix("--"), Nearest.to(word, among: optionNames) == nil else { return nil }
    return .some(word.dropFirst().map { "-\($0)" }.first { option($0) == nil })
  }
}

/// The likely words for a mistyped one.
enum Nearest {
  /// `; did you mean 'inspect'?`, or nothing when no candidate is near.
  static func question(_ word: String, among candidates: [String]) -> String {
    to(word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The candidate that is nearest: the only one that the word begins, or one with few letters put in,
  /// taken out or changed.
  static func to(_ word: String, among candidates: [String]) -> String? {
    let wanted = letters(of: word)
    guard wanted.count > 1 else { return nil }
    let begun = candidates.filter { letters(of: $0).starts(with: wanted) }
    if wanted.count > 2, begun.count == 1 { return begun.first }
    let allowed = max(1, min(3, (wanted.count + 1) / 3))
    let ranked = candidates.map { ($0, Explain.distance(wanted, letters(of: $0))) }
      .filter { $0.1 <= allowed && letters(of: $0.0).count > 1 }
    return ranked.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }

  /// What a word is compared by: no line of dashes is long enough to matter.
  private static func letters(of word: String) -> [Unicode.Scalar] {
    word.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }.prefix(64).map { $0 }
  }
}
