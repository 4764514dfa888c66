// SPDX-License-Identifier: MIT

/// The tokens of C, Objective-C and C++.
extension TokenReader {
  mutating func readC() {
    var isLineStart = true
    while !isAtEnd {
      let before = index
      if skipSpace() {
        isLineStart = isLineStart || hasLineBreak(before..<index)
      } else if peek() == "\\" {
        skipContinuation()
      } else if isLineStart, peek() == "#" {
        isLineStart = readDirective()
      } else if !skipComment() {
        isLineStart = false
        readTokenOfC()
      }
    }
  }

  /// A backslash at the end of a line joins it to the next.
  private mutating func skipContinuation() {
    index += 1
    if peek() == "\r" { index += 1 }
    if peek() == "\n" { index += 1 }
  }

  private mutating func readTokenOfC() {
    if readWord() { return }
    switch peek() {
    case "\"": readStringOfC(quote: index)
    case "@" where peek(1) == "\"": readStringOfC(quote: index + 1)
    case "'": skipCharacter()
    default: addPunctuation()
    }
  }

  private mutating func readStringOfC(quote: Int) {
    let start = index
    index = quote + 1
    while !isAtEnd, !peek().isLineBreak {
      let byte = peek()
      index += byte == "\\" ? 2 : 1
      if byte == "\"" { break }
    }
    index = min(index, bytes.count)
    add(.string, start..<index)
  }

  /// A character, or an apostrophe in a number or in prose that is no code.
  private mutating func skipCharacter() {
    index += 1
    var ahead = 0
    while index + ahead < bytes.count, ahead < 12, !peek(ahead).isLineBreak {
      if peek(ahead) == "'" {
        index += ahead + 1
        return
      }
      ahead += peek(ahead) == "\\" ? 2 : 1
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
      guard peek() == "<" || peek() == "\"" else { break }
      let path = index
      let close: Unicode.Scalar = peek() == "<" ? ">" : "\""
      index += 1
      take { $0 != close && !$0.isLineBreak }
      if peek() == close { index += 1 }
      add(.header, path..<index)
    case "define":
      guard let range = takeIdentifier() else { break }
      add(.definition, range)
      return false
    case "if" where peek() == "0" && !peek(1).continuesIdentifier:
      skipToLineBreak()
      skipDisabled()
      return true
    default:
      break
    }
    skipRestOfDirective()
    return true
  }

  /// The rest of a directive, with the lines that a backslash joins to it and without comments.
  private mutating func skipRestOfDirective() {
    while !isAtEnd, !peek().isLineBreak {
      if peek() == "\\" {
        skipContinuation()
      } else if !skipComment() {
        index += 1
      }
    }
  }
}
