// SPDX-License-Identifier: MIT

/// The tokens of Swift, of any version.
struct SwiftTokens {
  private var reader: TokenReader
  /// The strings whose interpolations the bytes are in, the innermost last.
  private var open: [Delimiter] = []
  /// So many strings inside one another are read; deeper ones count as text.
  private static let deepest = 256

  /// How a string is delimited.
  private struct Delimiter {
    var pounds: Int
    var isMultiline: Bool
    /// How many parentheses are open in the interpolation.
    var parentheses = 0
  }

  static func read(_ bytes: [UInt8]) -> TokenReader {
    var tokens = SwiftTokens(reader: TokenReader(bytes))
    tokens.readAll()
    return tokens.reader
  }

  private init(reader: TokenReader) { self.reader = reader }

  private mutating func readAll() {
    while !reader.isAtEnd {
      if reader.skipSpace() || reader.skipComment(nested: true) { continue }
      let byte = reader.peek()
      if let range = reader.takeIdentifier() {
        reader.add(.identifier, range)
      } else if let range = reader.takeNumber() {
        reader.add(.number, range)
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
    reader.index += 1
    guard let range = reader.takeIdentifier() else { return }
    reader.add(.identifier, range)
    if reader.peek() == UInt8(ascii: "`") { reader.index += 1 }
  }

  private mutating func readPunctuation(_ byte: UInt8) {
    if let last = open.indices.last {
      if byte == UInt8(ascii: "(") { open[last].parentheses += 1 }
      if byte == UInt8(ascii: ")") {
        if open[last].parentheses == 0 {
          let string = open.removeLast()
          reader.index += 1
          readPieces(string, from: reader.index, isPiece: true)
          return
        }
        open[last].parentheses -= 1
      }
    }
    reader.add(.punctuation, reader.index..<(reader.index + 1))
    reader.index += 1
  }

  /// A raw string, a directive, or a `#` of another kind.
  private mutating func readPound() {
    var pounds = 0
    while reader.peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if reader.peek(pounds) == UInt8(ascii: "\"") {
      readString(pounds: pounds)
      return
    }
    reader.index += pounds
    guard let range = reader.takeIdentifier() else { return }
    let word = String(decoding: reader.bytes[range], as: UTF8.self)
    switch word {
    case "if", "elseif", "else", "endif", "sourceLocation", "warning", "error":
      let condition = reader.index
      reader.skipToLineBreak()
      let text = String(decoding: reader.bytes[condition..<reader.index], as: UTF8.self)
      let first = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
      if word == "if", first == "false" || first == "0" { skipDisabled() }
    default:
      reader.add(.identifier, range)
    }
  }

  private mutating func skipDisabled() {
    var depth = 0
    while !reader.isAtEnd {
      _ = reader.skipSpace()
      if reader.peek() == UInt8(ascii: "#") {
        reader.index += 1
        let word = reader.takeIdentifier().map {
          String(decoding: reader.bytes[$0], as: UTF8.self)
        }
        if word == "if" { depth += 1 }
        if word == "endif" || (depth == 0 && (word == "else" || word == "elseif")) {
          if depth == 0 {
            reader.skipToLineBreak()
            return
          }
          depth -= 1
        }
      }
      reader.skipToLineBreak()
    }
  }

  private mutating func readString(pounds: Int) {
    let start = reader.index
    reader.index += pounds + 1
    var delimiter = Delimiter(pounds: pounds, isMultiline: false)
    if reader.peek() == UInt8(ascii: "\""), reader.peek(1) == UInt8(ascii: "\"") {
      delimiter.isMultiline = true
      reader.index += 2
    }
    readPieces(delimiter, from: start, isPiece: false)
  }

  /// Reads a string up to its end or to an interpolation.
  private mutating func readPieces(_ string: Delimiter, from start: Int, isPiece: Bool) {
    while !reader.isAtEnd {
      let byte = reader.peek()
      if byte == UInt8(ascii: "\\"), hasPounds(string.pounds, after: 1) {
        let next = reader.peek(1 + string.pounds)
        if next == UInt8(ascii: "("), open.count < Self.deepest {
          reader.add(.stringPiece, start..<reader.index)
          reader.index += 2 + string.pounds
          open.append(Delimiter(pounds: string.pounds, isMultiline: string.isMultiline))
          return
        }
        reader.index += 1 + string.pounds
        // An escaped line break ends a string of one line all the same.
        if !reader.isAtEnd, !TokenReader.isLineBreak(reader.peek()) { reader.index += 1 }
        continue
      }
      if TokenReader.isLineBreak(byte), !string.isMultiline { break }
      reader.index += 1
      guard byte == UInt8(ascii: "\"") else { continue }
      if string.isMultiline {
        guard reader.peek() == UInt8(ascii: "\""), reader.peek(1) == UInt8(ascii: "\""),
          hasPounds(string.pounds, after: 2)
        else { continue }
        reader.index += 2 + string.pounds
      } else {
        guard hasPounds(string.pounds, after: 0) else { continue }
        reader.index += string.pounds
      }
      break
    }
    reader.add(isPiece ? .stringPiece : .string, start..<reader.index)
  }

  private func hasPounds(_ count: Int, after ahead: Int) -> Bool {
    for index in 0..<count where reader.peek(ahead + index) != UInt8(ascii: "#") { return false }
    return true
  }
}
