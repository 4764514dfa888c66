// SPDX-License-Identifier: MIT

/// Reads the tokens of a source file. This part is common to the languages.
struct TokenReader: TextCursor {
  let bytes: [UInt8]
  private let isSwift: Bool
  var index = 0
  private(set) var tokens: [Token] = []
  /// Comments that have our name in them.
  private(set) var comments: [Range<Int>] = []
  private var startsLine = true
  /// The strings of Swift with interpolations around the current bytes, the innermost last.
  var open: [Delimiter] = []

  init(_ bytes: [UInt8], isSwift: Bool) {
    self.bytes = bytes
    self.isSwift = isSwift
    tokens.reserveCapacity(bytes.count / 6)
    if isSwift { readSwift() } else { readC() }
  }

  mutating func add(_ kind: Token.Kind, _ range: Range<Int>) {
    tokens.append(Token(kind, range, startsLine: startsLine))
    startsLine = false
  }

  mutating func addPunctuation() {
    add(.punctuation, index..<(index + 1))
    index += 1
  }

  /// Blank space and line breaks; returns whether there was any.
  mutating func skipSpace() -> Bool {
    let space = take { character in
      switch character {
      case " ", "\t", "\u{0B}", "\u{0C}", "\0", "\n", "\r": true
      default: false
      }
    }
    startsLine = startsLine || hasLineBreak(space)
    return !space.isEmpty
  }

  func hasLineBreak(_ range: Range<Int>) -> Bool {
    bytes[range].contains { Unicode.Scalar($0).isLineBreak }
  }

  /// A comment, if one begins here.
  mutating func skipComment() -> Bool {
    guard peek() == "/" else { return false }
    let start = index
    if peek(1) == "/" {
      skipToLineBreak()
    } else if peek(1) == "*" {
      skipBlockComment()
      startsLine = startsLine || hasLineBreak(start..<index)
    } else {
      return false
    }
    if Remark.start(in: bytes[start..<index]) != nil { comments.append(start..<index) }
    return true
  }

  /// Comments of Swift nest.
  private mutating func skipBlockComment() {
    var depth = 1
    index += 2
    while !isAtEnd, depth > 0 {
      if peek() == "*", peek(1) == "/" {
        depth -= 1
        index += 2
      } else if isSwift, peek() == "/", peek(1) == "*" {
        depth += 1
        index += 2
      } else {
        index += 1
      }
    }
  }

  /// A name or a number, if one begins here.
  mutating func readWord() -> Bool {
    if let range = takeIdentifier() {
      add(.identifier, range)
      return true
    }
    guard peek().isDigit else { return false }
    let start = index
    // The form of a number does not matter.
    while peek().continuesIdentifier || peek() == "." && peek(1).isDigit { index += 1 }
    add(.number, start..<index)
    return true
  }

  mutating func takeIdentifier() -> Range<Int>? {
    peek().beginsIdentifier ? take { $0.continuesIdentifier } : nil
  }

  mutating func skipBlanks() { take { $0 == " " || $0 == "\t" } }

  /// The lines of a condition that is never true, up to its end or to the next branch.
  mutating func skipDisabled() {
    let begins: Set<String> = isSwift ? ["if"] : ["if", "ifdef", "ifndef"]
    let branches: Set<String> = isSwift ? ["else", "elseif"] : ["else", "elif"]
    var depth = 0
    while !isAtEnd {
      _ = skipSpace()
      if peek() == "#" {
        index += 1
        if !isSwift { skipBlanks() }
        let word = takeIdentifier().map(string) ?? ""
        if begins.contains(word) {
          depth += 1
        } else if word == "endif" || (depth == 0 && branches.contains(word)) {
          if depth == 0 { return skipToLineBreak() }
          depth -= 1
        }
      }
      skipToLineBreak()
    }
  }
}
