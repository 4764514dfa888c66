// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
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
  private var numbers = TextNumbers()
  private var names: [String: Symbol] = [:]
  /// How each text begins, by symbol: most texts are put in order by these numbers alone.
  private var beginnings: [UInt64] = [0]

  /// The text of a symbol.
  subscript(symbol: Symbol) -> String {
    symbol == .none ? "" : numbers.texts[Int(symbol.number) - 1]
  }

  /// The symbol of a text; adds one for a new text.
  mutating func symbol(of text: String?) -> Symbol {
    guard let text, !text.isEmpty else { return .none }
    let found = numbers.insert(text)
    if found.isNew { beginnings.append(text.beginning) }
    return Symbol(number: Int32(found.number + 1))
  }

  /// The symbol of another form of a text, which most often is the text itself.
  mutating func symbol(of symbol: Symbol, as form: (String) -> String) -> Symbol {
    let text = self[symbol]
    let formed = form(text)
    return formed.isExactly(text) ? symbol : self.symbol(of: formed)
  }

  /// The symbol of a text; nil where no row has that text.
  func known(_ text: String) -> Symbol? {
    text.isEmpty ? Symbol.none : numbers.number(of: text).map { Symbol(number: Int32($0 + 1)) }
  }

  /// The symbol that stands for all spellings of a folded user name that are equivalent.
  mutating func name(of folded: String?) -> Symbol {
    guard let folded, !folded.isEmpty else { return .none }
    if let known = names[folded] { return known }
    let symbol = symbol(of: folded)
    names[folded] = symbol
    return symbol
  }

  /// Negative where the text of `a` sorts before that of `b` by its bytes, 0 where both are the same.
  func order(_ a: Symbol, _ b: Symbol) -> Int {
    if a == b { return 0 }
    let (one, other) = (beginnings[Int(a.number)], beginnings[Int(b.number)])
    return one == other ? self[a].compareBytes(self[b]) : one < other ? -1 : 1
  }
}

/// The numbers of texts. The first has 0.
struct TextNumbers: Sendable {
  /// The texts, by their numbers.
  private(set) var texts: [String] = []
  private var numbers = NumberTable()

  /// The number of a text; nil for an unknown text.
  func number(of text: String) -> Int? {
    numbers.number(text.hashOfBytes) { texts[$0].isExactly(text) }
  }

  /// The number of a text, and whether it is a new one.
  mutating func insert(_ text: String) -> (number: Int, isNew: Bool) {
    let found = numbers.insert(text.hashOfBytes) { [texts] in texts[$0].isExactly(text) }
    if found.isNew { texts.append(text) }
    return found
  }

  /// The number of a text's meaning, which is found once; nil without a text.
  ///
  /// - Parameters:
  ///   - meanings: the meanings of the texts, by number.
  ///   - meaning: finds it.
  mutating func number<Meaning>(
    of text: String?, _ meanings: inout [Meaning], _ symbols: inout Symbols,
    _ meaning: (String, inout Symbols) -> Meaning
  ) -> Int? {
    guard let text else { return nil }
    let found = insert(text)
    if found.isNew { meanings.append(meaning(text, &symbols)) }
    return found.number
  }
}

extension Dictionary where Value == Int {
  /// The number of a key. A new key gets the number of keys so far.
  mutating func number(of key: Key) -> Int {
    func read(_ number: inout Int) -> Int { number }
    let next = count
    return read(&self[key, default: next])
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
