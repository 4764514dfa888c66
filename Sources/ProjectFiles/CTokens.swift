// SPDX-License-Identifier: MIT

/// The tokens of C, Objective-C and C++.
struct CTokens {
  private var reader: TokenReader

  static func read(_ bytes: [UInt8]) -> TokenReader {
    var tokens = CTokens(reader: TokenReader(bytes))
    tokens.readAll()
    return tokens.reader
  }

  private init(reader: TokenReader) { self.reader = reader }

  private mutating func readAll() {
    var isLineStart = true
    while !reader.isAtEnd {
      let before = reader.index
      if reader.skipSpace() {
        let skipped = reader.bytes[before..<reader.index]
        isLineStart = isLineStart || skipped.contains(where: TokenReader.isLineBreak)
        continue
      }
      if reader.skipComment(nested: false) { continue }
      let byte = reader.peek()
      if byte == UInt8(ascii: "\\") {
        skipContinuation()
        continue
      }
      if isLineStart, byte == UInt8(ascii: "#") {
        isLineStart = readDirective()
        continue
      }
      isLineStart = false
      readToken(byte)
    }
  }

  /// A backslash at the end of a line joins it to the next.
  private mutating func skipContinuation() {
    reader.index += 1
    if reader.peek() == UInt8(ascii: "\r") { reader.index += 1 }
    if reader.peek() == UInt8(ascii: "\n") { reader.index += 1 }
  }

  private mutating func readToken(_ byte: UInt8) {
    if let range = reader.takeIdentifier() {
      reader.add(.identifier, range)
    } else if let range = reader.takeNumber() {
      reader.add(.number, range)
    } else if byte == UInt8(ascii: "\"") {
      readString(from: reader.index)
    } else if byte == UInt8(ascii: "@"), reader.peek(1) == UInt8(ascii: "\"") {
      let start = reader.index
      reader.index += 1
      readString(from: start)
    } else if byte == UInt8(ascii: "'") {
      skipCharacter()
    } else {
      reader.add(.punctuation, reader.index..<(reader.index + 1))
      reader.index += 1
    }
  }

  private mutating func readString(from start: Int) {
    reader.index += 1
    while !reader.isAtEnd {
      let byte = reader.peek()
      if byte == UInt8(ascii: "\\") {
        reader.index += 2
        continue
      }
      if TokenReader.isLineBreak(byte) { break }
      reader.index += 1
      if byte == UInt8(ascii: "\"") { break }
    }
    reader.index = min(reader.index, reader.bytes.count)
    reader.add(.string, start..<reader.index)
  }

  /// A character, or an apostrophe in a number or in prose that is no code.
  private mutating func skipCharacter() {
    reader.index += 1
    var index = reader.index
    while index < reader.bytes.count, index - reader.index < 12 {
      let byte = reader.bytes[index]
      if TokenReader.isLineBreak(byte) { return }
      if byte == UInt8(ascii: "'") {
        reader.index = index + 1
        return
      }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  /// A line of the preprocessor. Returns whether the next byte begins a line.
  private mutating func readDirective() -> Bool {
    let start = reader.index
    reader.index += 1
    skipBlanks()
    let word = reader.takeIdentifier().map { name($0) } ?? ""
    skipBlanks()
    switch word {
    case "import", "include":
      let path = reader.index
      let close: UInt8 = reader.peek() == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: "\"")
      guard reader.peek() == UInt8(ascii: "<") || reader.peek() == UInt8(ascii: "\"") else { break }
      reader.index += 1
      while !reader.isAtEnd, reader.peek() != close, !TokenReader.isLineBreak(reader.peek()) {
        reader.index += 1
      }
      if reader.peek() == close { reader.index += 1 }
      reader.add(.header, path..<reader.index)
    case "define":
      if let range = reader.takeIdentifier() {
        reader.add(.definition, range)
        return false
      }
    case "if":
      if isNever() {
        reader.skipToLineBreak()
        skipDisabled()
        return true
      }
    default:
      break
    }
    skipRestOfLine(from: start)
    return true
  }

  private func name(_ range: Range<Int>) -> String {
    String(decoding: reader.bytes[range], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while reader.peek() == UInt8(ascii: " ") || reader.peek() == UInt8(ascii: "\t") {
      reader.index += 1
    }
  }

  /// Whether what follows `#if` is `0`.
  private func isNever() -> Bool {
    reader.peek() == UInt8(ascii: "0") && !TokenReader.continuesIdentifier(reader.peek(1))
  }

  /// The rest of a directive, with the lines that a backslash joins to it and without comments.
  private mutating func skipRestOfLine(from start: Int) {
    while !reader.isAtEnd, !TokenReader.isLineBreak(reader.peek()) {
      if reader.peek() == UInt8(ascii: "\\") {
        skipContinuation()
      } else if !reader.skipComment(nested: false) {
        reader.index += 1
      }
    }
  }

  /// The lines up to the `#else`, `#elif` or `#endif` that belongs to an `#if 0`.
  private mutating func skipDisabled() {
    var depth = 0
    while !reader.isAtEnd {
      _ = reader.skipSpace()
      if reader.peek() == UInt8(ascii: "#") {
        reader.index += 1
        skipBlanks()
        let word = reader.takeIdentifier().map { name($0) } ?? ""
        switch word {
        case "if", "ifdef", "ifndef": depth += 1
        case "endif":
          if depth == 0 {
            reader.skipToLineBreak()
            return
          }
          depth -= 1
        case "else", "elif":
          if depth == 0 {
            reader.skipToLineBreak()
            return
          }
        default: break
        }
      }
      reader.skipToLineBreak()
    }
  }
}
