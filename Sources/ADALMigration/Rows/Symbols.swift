// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// A text as a number of ``Symbols``: two are the same where their bytes are.
struct Symbol: Sendable, Hashable {
  /// Half a word, as a row has nine of them and rows are copied; a cache of so many texts is past every limit of a file.
  fileprivate let number: Int32

  /// Stands for no text and for an empty one.
  static let none = Symbol(number: 0)
}

/// The texts of a cache, each with a number that is compared in its place (D38).
///
/// User names have the number of the first that Unicode calls equivalent, by which MSAL compares names.
struct Symbols: Sendable {
  private var symbols: [ExactText: Symbol] = [:]
  private var names: [String: Symbol] = [:]
  private var texts = [""]

  /// The text of a symbol.
  subscript(symbol: Symbol) -> String { texts[Int(symbol.number)] }

  /// The symbol of a text, and a new one where there is none yet.
  mutating func symbol(of text: String?) -> Symbol {
    guard let text, !text.isEmpty else { return .none }
    if let known = symbols[ExactText(text)] { return known }
    let symbol = Symbol(number: Int32(texts.count))
    symbols[ExactText(text)] = symbol
    texts.append(text)
    return symbol
  }

  /// The symbol of a text; nil where no row has that text.
  func known(_ text: String) -> Symbol? { text.isEmpty ? Symbol.none : symbols[ExactText(text)] }

  /// The symbol that stands for all spellings of a folded user name that are equivalent.
  mutating func name(of folded: String?) -> Symbol {
    guard let folded, !folded.isEmpty else { return .none }
    if let known = names[folded] { return known }
    let symbol = symbol(of: folded)
    names[folded] = symbol
    return symbol
  }

  /// Negative where the text of `a` sorts before that of `b` by its bytes, 0 where both are the same.
  func order(_ a: Symbol, _ b: Symbol) -> Int { a == b ? 0 : self[a].compareBytes(self[b]) }
}

/// Which text has which number.
struct TextNumbers: Sendable {
  private var numbers: [ExactText: Int] = [:]
  /// The one that was asked for last: rows of one sign-in often follow each other.
  private var last: (text: String, number: Int)?

  /// The number of a text; nil for one that has none yet.
  mutating func number(of text: String) -> Int? {
    if let last, last.text.isExactly(text) { return last.number }
    guard let number = numbers[ExactText(text)] else { return nil }
    last = (text, number)
    return number
  }

  /// Gives a text its number.
  mutating func note(_ number: Int, for text: String) { numbers[ExactText(text)] = number }

  /// The number of what a text means, which is found once; nil for no text.
  ///
  /// - Parameters:
  ///   - meanings: what the texts mean, by number.
  ///   - meaning: finds it.
  mutating func number<Meaning>(
    of text: String?, _ meanings: inout [Meaning], _ symbols: inout Symbols,
    _ meaning: (String, inout Symbols) -> Meaning
  ) -> Int? {
    guard let text else { return nil }
    if let known = number(of: text) { return known }
    meanings.append(meaning(text, &symbols))
    note(meanings.count - 1, for: text)
    return meanings.count - 1
  }
}

extension Array {
  /// The elements by a symbol, in the order of its texts; those of one symbol in their own.
  func groups(
    by symbol: (Element) -> Symbol, _ symbols: Symbols
  ) -> [(key: Symbol, values: [Element])] {
    guard let first = self.first.map(symbol) else { return [] }
    // Most accounts have one client and one tenant, and a dictionary costs more than the rest.
    if dropFirst().allSatisfy({ symbol($0) == first }) { return [(first, self)] }
    let keys = map(symbol)
    let order = orderedPositions(count) { symbols.order(keys[$0], keys[$1]) < 0 }
    var groups: [(key: Symbol, values: [Element])] = []
    for position in order {
      if groups.last?.key != keys[position] { groups.append((keys[position], [])) }
      groups[groups.count - 1].values.append(self[position])
    }
    return groups
  }
}
