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
  private var left = mostSubstitutions

  package init(_ lookup: @escaping Lookup) { self.lookup = lookup }

  /// A text with its variables replaced; nil where one has no value that is known.
  package func expand(_ text: String) -> String? {
    var expansion = self
    var rest = text[...]
    return expansion.read(&rest, until: [], (nil, [:]), depth: 0)
  }

  /// The setting that is being evaluated, and the level of each value for it.
  private typealias Scope = (name: String?, levels: [String: Int])

  /// The value of a variable, nil if a part of it is unknown; and whether a level sets it.
  private typealias Value = (text: String?, isSet: Bool)

  /// Reads up to one of the stops or the end, also where nothing comes out.
  private mutating func read(
    _ rest: inout Substring, until stops: Set<Character>, _ scope: Scope, depth: Int
  ) -> String? {
    var result: String? = ""
    while let character = rest.first, !stops.contains(character) {
      rest.removeFirst()
      let piece = character == "$" ? substitution(&rest, scope, depth) : String(character)
      result = piece.flatMap { piece in result.map { $0 + piece } }
      if let length = result?.utf8.count, length > Self.longest { result = nil }
    }
    return result
  }

  /// The value of a dollar sign with its variable.
  private mutating func substitution(
    _ rest: inout Substring, _ scope: Scope, _ depth: Int
  ) -> String? {
    let closing: Character
    switch rest.first {
    case "(": closing = ")"
    case "{": closing = "}"
    case "[": closing = "]"
    case "$":
      rest.removeFirst()
      return "$"
    case .some(let first) where first.isASCII && first.isLetter || first == "_":
      let name = rest.take { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
      return value(of: name, scope, depth).text
    default: return "$"
    }
    rest.removeFirst()
    guard depth < Self.deepest else { return nil }
    let name = read(&rest, until: [":", closing], scope, depth: depth + 1)
    var result: Value = name.map { value(of: $0, scope, depth) } ?? (text: nil, isSet: true)
    while rest.first == ":" {
      rest.removeFirst()
      let word = rest.take { $0 != "=" && $0 != ":" && $0 != closing }
      if rest.first == "=" {
        rest.removeFirst()
        let operand = read(&rest, until: [":", closing], scope, depth: depth + 1)
        // Among operators with an operand, only `:default=` makes names and IDs.
        if word != "default" { result = (text: nil, isSet: true) }
        if result.text?.isEmpty ?? !result.isSet { result = (text: operand, isSet: true) }
      } else {
        result.text = result.text.flatMap { $0.applying(word) }
      }
    }
    guard rest.first == closing else { return nil }
    rest.removeFirst()
    return result.text
  }

  private mutating func value(of name: String, _ scope: Scope, _ depth: Int) -> Value {
    guard left > 0, depth < Self.deepest, let name = name == "inherited" ? scope.name : name
    else { return (text: nil, isSet: true) }
    left -= 1
    let above = scope.levels[name]
    guard let found = lookup(name, above.map { $0 + 1 } ?? 0) else {
      // Below the last level that sets it, a setting is empty.
      return above == nil ? (text: nil, isSet: false) : (text: "", isSet: true)
    }
    let levels = scope.levels.merging([name: found.level]) { $1 }
    var rest = found.value[...]
    return (text: read(&rest, until: [], (name, levels), depth: depth + 1), isSet: true)
  }
}

extension Substring {
  /// Removes the matching characters at the beginning.
  fileprivate mutating func take(while isMeant: (Character) -> Bool) -> String {
    let word = prefix(while: isMeant)
    self = self[word.endIndex...]
    return String(word)
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
