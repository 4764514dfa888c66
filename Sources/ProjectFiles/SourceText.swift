// SPDX-License-Identifier: MIT

/// A source file as tokens.
package struct SourceText: Sendable {
  package let text: FileText
  package let language: SourceLanguage
  package let tokens: [Token]
  /// Comments that are addressed to us.
  package let remarks: [Remark]

  package init(_ text: FileText, language: SourceLanguage) {
    self.text = text
    self.language = language
    let reader = TokenReader(text.bytes, language)
    tokens = reader.tokens
    remarks = reader.comments.compactMap { Remark($0, in: text) }
  }

  package init(_ text: String, language: SourceLanguage) {
    self.init(FileText(text), language: language)
  }

  /// The characters of a token; empty where there is none.
  package func word(_ index: Int) -> String {
    tokens.indices.contains(index) ? text.string(tokens[index].range) : ""
  }

  /// The name that a token is, or nil.
  package func identifier(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .identifier else { return nil }
    return text.string(tokens[index].range)
  }

  /// Whether a token is this one character.
  package func isPunctuation(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .punctuation else { return false }
    return text.bytes[tokens[index].range.lowerBound] == UInt8(ascii: character)
  }

  /// What a string without interpolation says, or nil. Escapes stay as they are written.
  package func literal(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .string else { return nil }
    var word = text.string(tokens[index].range)[...]
    word = word.drop { $0 == "@" || $0 == "#" }
    let pounds = text.string(tokens[index].range).prefix { $0 == "#" }.count
    guard word.hasSuffix(String(repeating: "#", count: pounds)) else { return nil }
    word = word.dropLast(pounds)
    for quotes in ["\"\"\"", "\""] where word.hasPrefix(quotes) && word.hasSuffix(quotes) {
      guard word.count >= 2 * quotes.count else { continue }
      return String(word.dropFirst(quotes.count).dropLast(quotes.count))
    }
    return nil
  }

  /// The path that an import of a header names, without quotes, or nil.
  package func header(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .header else { return nil }
    return String(text.string(tokens[index].range).filter { !"<>\"".contains($0) })
  }

  package func span(_ index: Int) -> TextSpan {
    text.span(tokens.indices.contains(index) ? tokens[index].range : 0..<0)
  }
}
