// SPDX-License-Identifier: MIT

/// A statement of a SQLite file's schema, as text that is not trusted.
///
/// It is judged by its words and brackets wherever they stand, in names, texts and comments too. A parser
/// could be led to see a comment where SQLite sees none; words cannot. SQLite's language has no other way to
/// write them: a keyword is letters of ASCII between bytes that no name has.
struct SchemaStatement {
  /// The statement in UTF-8; empty for an index that SQLite makes for a constraint.
  var text: [UInt8]

  /// The part of an index statement that SQLite would evaluate, or that would change other rows than the intended ones;
  /// nil if there is none. The words repeat nothing of the file.
  var objectionToIndex: String? {
    // `CREATE INDEX name ON table (columns)`: an expression other than a name has brackets of its own, signs
    // or words.
    let others = text.lazy.filter { !Self.isOfNames($0) && !Self.plain.contains($0) }
    guard others.isEmpty, text.count(where: { $0 == UInt8(ascii: "(") }) <= 1 else {
      return "it has an index on an expression"
    }
    if words.contains(where: { $0.isAny(of: Self.wordsOfExpressions) }) {
      return "it has a partial index, or one on an expression"
    }
    return objectionToCollation
  }

  /// The same of the statement of a table.
  var objectionToTable: String? {
    for word in words {
      if word.isAny(of: ["CHECK"]) { return "it has a CHECK constraint" }
      if word.isAny(of: ["AS", "GENERATED"]) { return "it has a generated column" }
      if word.isAny(of: ["CONFLICT"]) { return "it has a rule for conflicts" }
      if word.isAny(of: ["DEFAULT"]), !isConstant(text[word.endIndex...]) {
        return "it has an expression as a default"
      }
    }
    return objectionToCollation
  }

  /// Texts are compared by their bytes: another order would find other rows for a key.
  private var objectionToCollation: String? {
    let words = Array(words)
    for (place, word) in words.enumerated() where word.isAny(of: ["COLLATE"]) {
      guard words[place...].dropFirst().first?.isAny(of: ["BINARY"]) == true else {
        return "it has a collation"
      }
    }
    return nil
  }

  /// Whether the text after `DEFAULT` begins like a number, a text or a word. An expression has brackets.
  private func isConstant(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = rest.first else { return false }
    let sign = [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(first)
    let start = sign ? rest.dropFirst().first ?? 0 : first
    return Self.isOfNames(start)
      || (!sign && [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(start))
  }

  /// The signs beside names in the statement of a plain index.
  private static let plain = Set(" \t\r\n(),\"`[].;".utf8)
  /// The words that join names to an expression without any other sign.
  private static let wordsOfExpressions = [
    "WHERE", "CASE", "NOT", "ISNULL", "NOTNULL", "IS", "AND", "OR", "LIKE", "GLOB", "IN", "BETWEEN",
    "MATCH", "REGEXP",
  ]

  /// Whether a byte can be part of a name or a number (`IdChar` of SQLite's tokenize.c).
  private static func isOfNames(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  private var words: [ArraySlice<UInt8>] { text.split { !Self.isOfNames($0) } }
}

extension ArraySlice<UInt8> {
  /// Whether it is one of these words in upper case, as SQLite compares keywords.
  fileprivate func isAny(of words: [String]) -> Bool {
    words.contains { word in
      word.utf8.count == count && zip(word.utf8, self).allSatisfy { $0 == $1 & ~0x20 }
    }
  }
}
