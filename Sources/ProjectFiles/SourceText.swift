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

  /// What a token is; nil where there is none.
  package func kind(_ index: Int) -> Token.Kind? {
    tokens.indices.contains(index) ? tokens[index].kind : nil
  }

  /// The characters of a token; empty where there is none.
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

  /// What a string without interpolation says, or nil. Escapes stay as they are written.
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
