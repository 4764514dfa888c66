// SPDX-License-Identifier: MIT

/// A source file as tokens.
package struct SourceText: Sendable {
  package let text: FileText
  /// Whether it is Swift of any version, and not C, Objective-C, C++ or Objective-C++.
  package let isSwift: Bool
  package let tokens: [Token]
  package let remarks: [Remark]

  package init(_ text: FileText) {
    self.text = text
    isSwift = RelativePath.fileExtension(of: text.path) == "swift"
    let reader = TokenReader(text.bytes, isSwift: isSwift)
    tokens = reader.tokens
    remarks = reader.comments.compactMap { Remark($0, in: text) }
  }

  package var path: String { text.path }

  package func kind(_ index: Int) -> Token.Kind? {
    tokens.indices.contains(index) ? tokens[index].kind : nil
  }

  /// The characters of a token; empty without a token.
  package func word(_ index: Int) -> String {
    tokens.indices.contains(index) ? text.string(tokens[index].range) : ""
  }

  package func identifier(_ index: Int) -> String? {
    kind(index) == .identifier ? word(index) : nil
  }

  /// Whether a token is one of these characters.
  package func isPunctuation(_ index: Int, _ characters: StaticString) -> Bool {
    guard kind(index) == .punctuation else { return false }
    let byte = text.bytes[tokens[index].range.lowerBound]
    return characters.withUTF8Buffer { $0.contains(byte) }
  }

  /// The content of a string without interpolation, or nil. Escapes stay as they are written.
  package func literal(_ index: Int) -> String? {
    guard kind(index) == .string else { return nil }
    let whole = word(index)
    let pounds = whole.prefix { $0 == "#" }
    guard whole.hasSuffix(pounds) else { return nil }
    let quoted = whole.drop { $0 == "@" || $0 == "#" }.dropLast(pounds.count)
    let quotes = ["\"\"\"", "\""].first { quotes in
      quoted.hasPrefix(quotes) && quoted.hasSuffix(quotes) && quoted.count >= 2 * quotes.count
    }
    return quotes.map { String(quoted.dropFirst($0.count).dropLast($0.count)) }
  }

  /// The path that an import of a header names, without quotes, or nil.
  package func header(_ index: Int) -> String? {
    kind(index) == .header ? word(index).filter { !"<>\"".contains($0) } : nil
  }

  package func span(_ index: Int) -> TextSpan {
    text.span(tokens.indices.contains(index) ? tokens[index].range : 0..<0)
  }

  package func placed(_ value: String, _ index: Int) -> PlacedText {
    PlacedText(value: value, span: span(index))
  }
}

/// A piece of source code. Comments and code inside `#if 0` are not pieces.
package struct Token: Sendable {
  package enum Kind: UInt8, Sendable {
    /// A name or a keyword; without the backquotes of Swift.
    case identifier
    /// A string without interpolation, with its quotes and the prefix before them (`@`, `#`).
    case string
    /// A piece of a string that has interpolations.
    case stringPiece
    case number
    case punctuation
    /// The name in `#import` or `#include`, with its quotes or angle brackets.
    case header
    /// The name that `#define` defines.
    case definition
  }

  package var kind: Kind
  /// Whether it is the first of its line.
  package var startsLine: Bool
  private var lower: UInt32
  private var upper: UInt32

  init(_ kind: Kind, _ range: Range<Int>, startsLine: Bool) {
    self.kind = kind
    self.startsLine = startsLine
    lower = UInt32(clamping: range.lowerBound)
    upper = UInt32(clamping: range.upperBound)
  }

  package var range: Range<Int> { Int(lower)..<Int(upper) }
}

/// A comment that is addressed to us.
package struct Remark: Sendable, Hashable {
  /// The text after `adal2msal:ignore`, without the end of the comment.
  package var words: String
  /// Whether nothing but it is on its lines.
  package var isAlone: Bool
  package var span: TextSpan

  private static let address = Array("adal2msal:ignore".utf8)

  /// The start of the words after the address.
  static func start(in bytes: ArraySlice<UInt8>) -> Int? { bytes.end(of: address) }

  init?(_ comment: Range<Int>, in text: FileText) {
    guard let start = Self.start(in: text.bytes[comment]) else { return nil }
    let isLineBreak: (UInt8) -> Bool = { Unicode.Scalar($0).isLineBreak }
    var bytes = text.bytes[start..<comment.upperBound].prefix { !isLineBreak($0) }
    for ending in ["*/", "-->"].map({ Array($0.utf8) }) {
      if let end = bytes.end(of: ending) { bytes = bytes[..<(end - ending.count)] }
    }
    words = String(decoding: bytes, as: UTF8.self)
    span = text.span(comment)
    let isBlank: (UInt8) -> Bool = { $0 <= 0x20 && !isLineBreak($0) }
    let before = text.bytes[..<comment.lowerBound].last { !isBlank($0) }
    let after = text.bytes[comment.upperBound...].first { !isBlank($0) }
    isAlone = [before, after].allSatisfy { $0.map(isLineBreak) ?? true }
  }
}

extension ArraySlice<UInt8> {
  /// The end of the first such bytes, or nil.
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
