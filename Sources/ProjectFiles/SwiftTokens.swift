// SPDX-License-Identifier: MIT

/// The tokens of Swift, of any version.
extension TokenReader {
  /// So many strings inside one another are read; deeper ones count as text.
  private static let deepest = 256

  /// How a string is delimited.
  struct Delimiter {
    var pounds: Int
    var isMultiline: Bool
    /// How many parentheses are open in the interpolation.
    var parentheses = 0
  }

  mutating func readSwift() {
    while !isAtEnd {
      if skipSpace() || skipComment(nested: true) { continue }
      let byte = peek()
      if let range = takeIdentifier() {
        add(.identifier, range)
      } else if let range = takeNumber() {
        add(.number, range)
      } else if byte == UInt8(ascii: "`") {
        readQuotedName()
      } else if byte == UInt8(ascii: "\"") {
        readString(pounds: 0)
      } else if byte == UInt8(ascii: "#") {
        readPound()
      } else {
        readPunctuation(byte)
      }
    }
  }

  private mutating func readQuotedName() {
    index += 1
    guard let range = takeIdentifier() else { return }
    add(.identifier, range)
    if peek() == UInt8(ascii: "`") { index += 1 }
  }

  private mutating func readPunctuation(_ byte: UInt8) {
    if let last = open.indices.last {
      if byte == UInt8(ascii: "(") { open[last].parentheses += 1 }
      if byte == UInt8(ascii: ")") {
        if open[last].parentheses == 0 {
          let string = open.removeLast()
          index += 1
          readPieces(string, from: index, isPiece: true)
          return
        }
        open[last].parentheses -= 1
      }
    }
    add(.punctuation, index..<(index + 1))
    index += 1
  }

  /// A raw string, a directive, or a `#` of another kind.
  private mutating func readPound() {
    var pounds = 0
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if peek(pounds) == UInt8(ascii: "\"") {
      readString(pounds: pounds)
      return
    }
    index += pounds
    guard let range = takeIdentifier() else { return }
    let word = string(range)
    switch word {
    case "if", "elseif", "else", "endif", "sourceLocation", "warning", "error":
      let condition = index
      skipToLineBreak()
      let text = string(condition..<index)
      let first = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
      if word == "if", first == "false" || first == "0" { skipDisabled(.swift) }
    default:
      add(.identifier, range)
    }
  }

  private mutating func readString(pounds: Int) {
    let start = index
    index += pounds + 1
    var delimiter = Delimiter(pounds: pounds, isMultiline: false)
    if peek() == UInt8(ascii: "\""), peek(1) == UInt8(ascii: "\"") {
      delimiter.isMultiline = true
      index += 2
    }
    readPieces(delimiter, from: start, isPiece: false)
  }

  /// Reads a string up to its end or to an interpolation.
  private mutating func readPieces(_ string: Delimiter, from start: Int, isPiece: Bool) {
    while !isAtEnd {
      let byte = peek()
      if byte == UInt8(ascii: "\\"), hasPounds(string.pounds, after: 1) {
        let next = peek(1 + string.pounds)
        if next == UInt8(ascii: "("), open.count < Self.deepest {
          add(.stringPiece, start..<index)
          index += 2 + string.pounds
          open.append(Delimiter(pounds: string.pounds, isMultiline: string.isMultiline))
          return
        }
        index += 1 + string.pounds
        // An escaped line break ends a string of one line all the same.
        if !isAtEnd, !Self.isLineBreak(peek()) { index += 1 }
        continue
      }
      if Self.isLineBreak(byte), !string.isMultiline { break }
      index += 1
      guard byte == UInt8(ascii: "\"") else { continue }
      if string.isMultiline {
        guard peek() == UInt8(ascii: "\""), peek(1) == UInt8(ascii: "\""),
          hasPounds(string.pounds, after: 2)
        else { continue }
        index += 2 + string.pounds
      } else {
        guard hasPounds(string.pounds, after: 0) else { continue }
        index += string.pounds
      }
      break
    }
    add(isPiece ? .stringPiece : .string, start..<index)
  }

  private func hasPounds(_ count: Int, after ahead: Int) -> Bool {
    for pound in 0..<count where peek(ahead + pound) != UInt8(ascii: "#") { return false }
    return true
  }
}
