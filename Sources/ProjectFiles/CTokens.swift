// SPDX-License-Identifier: MIT

/// The tokens of C, Objective-C and C++.
extension TokenReader {
  mutating func readC() {
    var isLineStart = true
    while !isAtEnd {
      let before = index
      if skipSpace() {
        let skipped = bytes[before..<index]
        isLineStart = isLineStart || skipped.contains(where: Self.isLineBreak)
        continue
      }
      if skipComment(nested: false) { continue }
      let byte = peek()
      if byte == UInt8(ascii: "\\") {
        skipContinuation()
        continue
      }
      if isLineStart, byte == UInt8(ascii: "#") {
        isLineStart = readDirective()
        continue
      }
      isLineStart = false
      readTokenOfC(byte)
    }
  }

  /// A backslash at the end of a line joins it to the next.
  private mutating func skipContinuation() {
    index += 1
    if peek() == UInt8(ascii: "\r") { index += 1 }
    if peek() == UInt8(ascii: "\n") { index += 1 }
  }

  private mutating func readTokenOfC(_ byte: UInt8) {
    if let range = takeIdentifier() {
      add(.identifier, range)
    } else if let range = takeNumber() {
      add(.number, range)
    } else if byte == UInt8(ascii: "\"") {
      readStringOfC(from: index)
    } else if byte == UInt8(ascii: "@"), peek(1) == UInt8(ascii: "\"") {
      let start = index
      index += 1
      readStringOfC(from: start)
    } else if byte == UInt8(ascii: "'") {
      skipCharacter()
    } else {
      add(.punctuation, index..<(index + 1))
      index += 1
    }
  }

  private mutating func readStringOfC(from start: Int) {
    index += 1
    while !isAtEnd {
      let byte = peek()
      if byte == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if Self.isLineBreak(byte) { break }
      index += 1
      if byte == UInt8(ascii: "\"") { break }
    }
    index = min(index, bytes.count)
    add(.string, start..<index)
  }

  /// A character, or an apostrophe in a number or in prose that is no code.
  private mutating func skipCharacter() {
    index += 1
    var end = index
    while end < bytes.count, end - index < 12 {
      let byte = bytes[end]
      if Self.isLineBreak(byte) { return }
      if byte == UInt8(ascii: "'") {
        index = end + 1
        return
      }
      end += byte == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  /// A line of the preprocessor. Returns whether the next byte begins a line.
  private mutating func readDirective() -> Bool {
    index += 1
    skipBlanks()
    let word = takeIdentifier().map(string) ?? ""
    skipBlanks()
    switch word {
    case "import", "include":
      let path = index
      let close: UInt8 = peek() == UInt8(ascii: "<") ? UInt8(ascii: ">") : UInt8(ascii: "\"")
      guard peek() == UInt8(ascii: "<") || peek() == UInt8(ascii: "\"") else { break }
      index += 1
      while !isAtEnd, peek() != close, !Self.isLineBreak(peek()) {
        index += 1
      }
      if peek() == close { index += 1 }
      add(.header, path..<index)
    case "define":
      if let range = takeIdentifier() {
        add(.definition, range)
        return false
      }
    case "if":
      if isNever() {
        skipToLineBreak()
        skipDisabled(.c)
        return true
      }
    default:
      break
    }
    skipRestOfDirective()
    return true
  }

  /// Whether what follows `#if` is `0`.
  private func isNever() -> Bool {
    peek() == UInt8(ascii: "0") && !Self.continuesIdentifier(peek(1))
  }

  /// The rest of a directive, with the lines that a backslash joins to it and without comments.
  private mutating func skipRestOfDirective() {
    while !isAtEnd, !Self.isLineBreak(peek()) {
      if peek() == UInt8(ascii: "\\") {
        skipContinuation()
      } else if !skipComment(nested: false) {
        index += 1
      }
    }
  }
}
