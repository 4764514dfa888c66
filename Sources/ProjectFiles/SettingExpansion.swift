// SPDX-License-Identifier: MIT

/// Replaces the variables in values of build settings as Xcode does: `$(NAME)`, `${NAME}`, `$[NAME]`, `$NAME`, names
/// that are made of other variables, `$(inherited)`, and operators such as `:rfc1034identifier` and `:default=…`.
///
/// The rules are those of swift-build (`MacroExpressionParsing.swift`, `MacroEvaluationProgram.swift`), except for a
/// variable without a value: Xcode knows hundreds that no project names, so such a text stays open.
package struct SettingExpansion {
  /// Finds the value of a setting.
  ///
  /// - Parameter level: how many levels to pass over: a setting that names itself means the level below its own.
  /// - Returns: the value, and the level that it stands on; nil where no level from there on has one.
  package typealias Lookup = (_ name: String, _ level: Int) -> (value: String, level: Int)?

  // No project nests deeper, or has longer ids and paths.
  private static let deepest = 32
  private static let longest = 4096
  /// Values that consist of each other double with each step.
  private static let mostSubstitutions = 512

  private let lookup: Lookup

  package init(_ lookup: @escaping Lookup) { self.lookup = lookup }

  /// A text with its variables replaced; nil where one has no value that is known.
  package func expand(_ text: String) -> String? {
    var run = Run(lookup: lookup, left: Self.mostSubstitutions)
    var cursor = Cursor(text)
    return run.read(&cursor, until: [], Scope(), depth: 0)
  }

  /// Which settings are being evaluated, each with the level of its value.
  private struct Scope {
    var name: String?
    var levels: [String: Int] = [:]
  }

  private struct Cursor {
    private let characters: [Character]
    private var position = 0

    init(_ text: String) { characters = Array(text) }

    var next: Character? { position < characters.count ? characters[position] : nil }

    mutating func advance() { position += 1 }

    mutating func word(where isMeant: (Character) -> Bool) -> String {
      let start = position
      while let next, isMeant(next) { position += 1 }
      return String(characters[start..<position])
    }
  }

  private struct Run {
    let lookup: Lookup
    var left: Int

    /// Reads up to one of the stops or the end, also where nothing comes out.
    mutating func read(
      _ cursor: inout Cursor, until stops: Set<Character>, _ scope: Scope, depth: Int
    ) -> String? {
      var result: String? = ""
      while let character = cursor.next, !stops.contains(character) {
        cursor.advance()
        let piece = character == "$" ? substitution(&cursor, scope, depth) : String(character)
        result = piece.flatMap { piece in result.map { $0 + piece } }
        if let length = result?.utf8.count, length > SettingExpansion.longest { result = nil }
      }
      return result
    }

    /// What stands for a dollar sign and all that belongs to it.
    private mutating func substitution(
      _ cursor: inout Cursor, _ scope: Scope, _ depth: Int
    ) -> String? {
      let closing: Character
      switch cursor.next {
      case "(": closing = ")"
      case "{": closing = "}"
      case "[": closing = "]"
      case "$":
        cursor.advance()
        return "$"
      case .some(let first) where first.isASCII && first.isLetter || first == "_":
        let name = cursor.word { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
        return value(of: name, scope, depth).text
      default: return "$"
      }
      cursor.advance()
      guard depth < SettingExpansion.deepest else { return nil }
      let name = read(&cursor, until: [":", closing], scope, depth: depth + 1)
      var result = name.map { value(of: $0, scope, depth) } ?? .open
      while cursor.next == ":" {
        cursor.advance()
        let word = cursor.word { $0 != "=" && $0 != ":" && $0 != closing }
        if cursor.next == "=" {
          cursor.advance()
          let operand = read(&cursor, until: [":", closing], scope, depth: depth + 1)
          result = result.applying(word, operand)
        } else {
          result = result.applying(word)
        }
      }
      guard cursor.next == closing else { return nil }
      cursor.advance()
      return result.text
    }

    private mutating func value(of name: String, _ scope: Scope, _ depth: Int) -> Value {
      guard left > 0, depth < SettingExpansion.deepest,
        let name = name == "inherited" ? scope.name : name
      else { return .open }
      left -= 1
      let above = scope.levels[name]
      guard let found = lookup(name, above.map { $0 + 1 } ?? 0) else {
        // Below the last level that sets it, a setting is empty.
        return above == nil ? .unset : .known("")
      }
      var inner = scope
      inner.name = name
      inner.levels[name] = found.level
      var cursor = Cursor(found.value)
      return read(&cursor, until: [], inner, depth: depth + 1).map { .known($0) } ?? .open
    }
  }

  /// What a variable stands for.
  private enum Value {
    case known(String)
    /// No level sets it.
    case unset
    /// It has a value, of which something is not known.
    case open

    var text: String? {
      if case .known(let text) = self { text } else { nil }
    }

    func applying(_ name: String) -> Value {
      guard case .known(let text) = self else { return self }
      return text.applying(name).map { .known($0) } ?? .open
    }

    /// The value after an operator with an operand; of these only `:default=` makes names and ids.
    func applying(_ name: String, _ operand: String?) -> Value {
      guard name == "default" else { return .open }
      let isMissing =
        switch self {
        case .known(let text): text.isEmpty
        case .unset: true
        case .open: false
        }
      guard isMissing else { return self }
      return operand.map { .known($0) } ?? .open
    }
  }
}

extension String {
  /// The text after an operator of build settings; nil for one that is not known.
  fileprivate func applying(_ name: String) -> String? {
    switch name {
    case "rfc1034identifier": legal(with: "-", filledBy: "-")
    case "identifier", "c99extidentifier": legal(with: "_", filledBy: "_")
    case "lower": lowercased()
    case "upper": uppercased()
    case "file": RelativePath.name(of: self)
    case "base": RelativePath.stem(of: self)
    default: nil
    }
  }

  /// With letters, digits but not as the first, and one mark; `filler` stands for everything else.
  private func legal(with mark: Unicode.Scalar, filledBy filler: Character) -> String {
    var result = ""
    for scalar in unicodeScalars {
      let isDigit = ("0"..."9").contains(scalar) && !result.isEmpty
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      result.append(isDigit || isLetter || scalar == mark ? Character(scalar) : filler)
    }
    return result
  }
}
