// SPDX-License-Identifier: MIT

/// Reads the tokens of a source file; what the languages share is here.
struct TokenReader {
  let bytes: [UInt8]
  var index = 0
  private(set) var tokens: [Token] = []
  /// Comments that have our name in them.
  private(set) var comments: [Range<Int>] = []
  private var startsLine = true
  /// The strings of Swift whose interpolations the bytes are in, the innermost last.
  var open: [Delimiter] = []

  /// Reads all of a file.
  init(_ bytes: [UInt8], _ language: SourceLanguage) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 6)
    switch language {
    case .swift: readSwift()
    case .c: readC()
    }
  }

  /// The byte so far ahead; 0 beyond the end.
  func peek(_ ahead: Int = 0) -> UInt8 {
    index + ahead < bytes.count ? bytes[index + ahead] : 0
  }

  var isAtEnd: Bool { index >= bytes.count }

  mutating func add(_ kind: Token.Kind, _ range: Range<Int>) {
    tokens.append(Token(kind, range, startsLine: startsLine))
    startsLine = false
  }

  /// Blank space and line breaks; returns whether there was any.
  mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        startsLine = true
      } else if byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") && byte != 0x0C
        && byte != 0x0B && byte != 0
      {
        break
      }
      index += 1
    }
    return index > start
  }

  /// A comment, if one begins here; nested ones are one where the language has them.
  mutating func skipComment(nested: Bool) -> Bool {
    guard peek() == UInt8(ascii: "/") else { return false }
    let start = index
    if peek(1) == UInt8(ascii: "/") {
      skipToLineBreak()
      note(start..<index)
      return true
    }
    guard peek(1) == UInt8(ascii: "*") else { return false }
    var depth = 1
    index += 2
    while index < bytes.count, depth > 0 {
      if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
      } else if nested, peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        index += 2
      } else {
        if Self.isLineBreak(bytes[index]) { startsLine = true }
        index += 1
      }
    }
    note(start..<index)
    return true
  }

  private mutating func note(_ comment: Range<Int>) {
    if Remark.isAddressed(bytes[comment]) { comments.append(comment) }
  }

  /// A name that begins here, or nil.
  mutating func takeIdentifier() -> Range<Int>? {
    guard Self.beginsIdentifier(peek()) else { return nil }
    let start = index
    while index < bytes.count, Self.continuesIdentifier(bytes[index]) { index += 1 }
    return start..<index
  }

  /// A number that begins here; its form does not matter.
  mutating func takeNumber() -> Range<Int>? {
    guard Self.isDigit(peek()) else { return nil }
    let start = index
    while index < bytes.count {
      let isFraction = peek() == UInt8(ascii: ".") && Self.isDigit(peek(1))
      guard Self.continuesIdentifier(bytes[index]) || isFraction else { break }
      index += 1
    }
    return start..<index
  }

  mutating func skipToLineBreak() {
    while index < bytes.count, !Self.isLineBreak(bytes[index]) { index += 1 }
  }

  mutating func skipBlanks() {
    while peek() == UInt8(ascii: " ") || peek() == UInt8(ascii: "\t") { index += 1 }
  }

  /// The lines of a condition that is never true, up to its end or to the next branch.
  mutating func skipDisabled(_ language: SourceLanguage) {
    let begins: Set<String> = language == .swift ? ["if"] : ["if", "ifdef", "ifndef"]
    let branches: Set<String> = language == .swift ? ["else", "elseif"] : ["else", "elif"]
    var depth = 0
    while !isAtEnd {
      _ = skipSpace()
      if peek() == UInt8(ascii: "#") {
        index += 1
        if language == .c { skipBlanks() }
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

  /// The text of some bytes.
  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  static func isLineBreak(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func beginsIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      return true
    default:
      return false
    }
  }

  static func continuesIdentifier(_ byte: UInt8) -> Bool {
    beginsIdentifier(byte) || isDigit(byte)
  }
}

extension Remark {
  private static let address = Array("adal2msal:ignore".utf8)

  /// Whether the bytes have our name and what it asks for.
  static func isAddressed(_ bytes: ArraySlice<UInt8>) -> Bool {
    start(in: bytes) != nil
  }

  /// Where the words after the address begin.
  static func start(in bytes: ArraySlice<UInt8>) -> Int? { bytes.end(of: address) }

  /// The remark that a comment is, if it is one.
  init?(_ comment: Range<Int>, in text: FileText) {
    guard let start = Self.start(in: text.bytes[comment]) else { return nil }
    var end = start
    while end < comment.upperBound, !TokenReader.isLineBreak(text.bytes[end]) { end += 1 }
    var words = text.string(start..<end)
    for ending in ["*/", "-->"] {
      if let range = words.range(ofEnding: ending) { words = String(words[..<range]) }
    }
    self.words = words
    span = text.span(comment)
    line = span.start.line
    isAlone = Self.isAlone(comment, in: text.bytes)
  }

  private static func isAlone(_ comment: Range<Int>, in bytes: [UInt8]) -> Bool {
    let isBlank: (UInt8) -> Bool = { $0 <= 0x20 && !TokenReader.isLineBreak($0) }
    let before = bytes[..<comment.lowerBound].last { !isBlank($0) }
    let after = bytes[comment.upperBound...].first { !isBlank($0) }
    return [before, after].allSatisfy { $0.map(TokenReader.isLineBreak) ?? true }
  }
}

extension ArraySlice<UInt8> {
  /// Where the first such bytes end, or nil.
  package func end(of needle: [UInt8]) -> Int? {
    guard count >= needle.count, let first = needle.first else { return nil }
    var index = startIndex
    let last = endIndex - needle.count
    while index <= last {
      if self[index] == first, self[index..<(index + needle.count)] == needle[...] {
        return index + needle.count
      }
      index += 1
    }
    return nil
  }
}

extension String {
  /// Where the first of these endings of a comment begins.
  fileprivate func range(ofEnding ending: String) -> String.Index? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(ending) { return index }
      index = self.index(after: index)
    }
    return nil
  }
}
