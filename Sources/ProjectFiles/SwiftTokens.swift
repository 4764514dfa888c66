// SPDX-License-Identifier: MIT

/// The tokens of Swift, of any version.
extension TokenReader {
  /// The deepest nesting of strings. Deeper ones count as text.
  private static let deepest = 256

  struct Delimiter {
    var pounds: Int
    var isMultiline: Bool
    /// The number of open parentheses in the interpolation.
    var parentheses = 0
  }

  mutating func readSwift() {
    while !isAtEnd {
      if skipSpace() || skipComment() || readWord() { continue }
      switch peek() {
      case "`":
        index += 1
        guard let range = takeIdentifier() else { continue }
        add(.identifier, range)
        if peek() == "`" { index += 1 }
      case "\"": readString(pounds: 0)
      case "#": readPound()
      case "(":
        if let last = open.indices.last { open[last].parentheses += 1 }
        addPunctuation()
      case ")": readParenthesis()
      default: addPunctuation()
      }
    }
  }

  /// A closing parenthesis, which may end an interpolation.
  private mutating func readParenthesis() {
    guard let string = open.last else { return addPunctuation() }
    if string.parentheses == 0 {
      open.removeLast()
      index += 1
      readPieces(string, from: index, isPiece: true)
    } else {
      open[open.count - 1].parentheses -= 1
      addPunctuation()
    }
  }

  /// A raw string, a directive, or a `#` of another kind.
  private mutating func readPound() {
    let pounds = take { $0 == "#" }
    if peek() == "\"" {
      index = pounds.lowerBound
      return readString(pounds: pounds.count)
    }
    guard let range = takeIdentifier() else { return }
    let word = string(range)
    switch word {
    case "if", "elseif", "else", "endif", "sourceLocation", "warning", "error":
      let condition = index
      skipToLineBreak()
      let text = string(condition..<index)
      let first = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
      if word == "if", first == "false" || first == "0" { skipDisabled() }
    default:
      add(.identifier, range)
    }
  }

  private mutating func readString(pounds: Int) {
    let start = index
    index += pounds + 1
    let isMultiline = peek() == "\"" && peek(1) == "\""
    if isMultiline { index += 2 }
    readPieces(Delimiter(pounds: pounds, isMultiline: isMultiline), from: start, isPiece: false)
  }

  /// Reads a string up to its end or to an interpolation.
  private mutating func readPieces(_ string: Delimiter, from start: Int, isPiece: Bool) {
    let moreQuotes = string.isMultiline ? 2 : 0
    while !isAtEnd {
      let byte = peek()
      if byte == "\\", has(string.pounds, "#", after: 1) {
        index += 1 + string.pounds
        if peek() == "(", open.count < Self.deepest {
          add(.stringPiece, start..<(index - 1 - string.pounds))
          index += 1
          open.append(Delimiter(pounds: string.pounds, isMultiline: string.isMultiline))
          return
        }
        // An escaped line break ends a string of one line all the same.
        if !isAtEnd, !peek().isLineBreak { index += 1 }
        continue
      }
      if byte.isLineBreak, !string.isMultiline { break }
      index += 1
      if byte == "\"", has(moreQuotes, "\"", after: 0), has(string.pounds, "#", after: moreQuotes) {
        index += moreQuotes + string.pounds
        break
      }
    }
    add(isPiece ? .stringPiece : .string, start..<index)
  }

  private func has(_ count: Int, _ character: Unicode.Scalar, after ahead: Int) -> Bool {
    (0..<count).allSatisfy { peek(ahead + $0) == character }
  }
}
