// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// Texts as numbers.
@Suite struct SymbolsTests {
  // The same letter in one character and in two, which Unicode calls equivalent.
  private let one = "Ren\u{E9}"
  private let two = "Rene\u{301}"

  @Test func aSymbolIsOfTheVeryBytes() {
    var symbols = Symbols()
    let first = symbols.symbol(of: one)
    #expect(symbols.symbol(of: one) == first)
    #expect(symbols.symbol(of: two) != first)
    #expect(symbols[first] == one && symbols[first].utf8.elementsEqual(one.utf8))
    #expect(symbols.known(one) == first)
    #expect(symbols.known("nobody") == nil)
  }

  @Test func textsKeepTheirSymbolsHoweverManyCome() {
    var symbols = Symbols()
    let texts = (0..<1000).map { "text \($0)" }
    let found = texts.map { symbols.symbol(of: $0) }
    #expect(Set(found).count == texts.count && found.map { symbols[$0] } == texts)
    #expect(texts.map { symbols.known($0) } == found && symbols.known("text 1000") == nil)
    #expect(texts.map { symbols.symbol(of: $0) } == found)
  }

  @Test func anotherFormOfATextHasASymbolOfItsOwn() {
    var symbols = Symbols()
    let (upper, lower) = (symbols.symbol(of: "A"), symbols.symbol(of: "a"))
    #expect(symbols.symbol(of: upper, as: { $0.lowercased() }) == lower)
    #expect(symbols.symbol(of: lower, as: { $0.lowercased() }) == lower)
    #expect(symbols.symbol(of: upper, as: { _ in "" }) == .none)
  }

  @Test func equivalentNamesHaveOneSymbol() {
    var symbols = Symbols()
    let first = symbols.name(of: one)
    #expect(symbols.name(of: two) == first)
    #expect(symbols[first].utf8.elementsEqual(one.utf8))
    #expect(symbols.name(of: "rene") != first)
  }

  @Test func noTextAndAnEmptyOneAreTheSame() {
    var symbols = Symbols()
    #expect(symbols.symbol(of: nil) == .none && symbols.symbol(of: "") == .none)
    #expect(symbols.name(of: nil) == .none && symbols.known("") == Symbol.none)
    #expect(symbols[.none] == "")
  }

  @Test func symbolsSortByTheBytesOfTheirTexts() {
    var symbols = Symbols()
    let texts = ["b", "a", "\u{E9}", "B", "ab"]
    let found = texts.map { symbols.symbol(of: $0) }
    let sorted = found.sorted { symbols.order($0, $1) < 0 }.map { symbols[$0] }
    #expect(sorted == ["B", "a", "ab", "b", "\u{E9}"])
    #expect(symbols.order(found[0], found[0]) == 0)
  }

  @Test func textsThatBeginAlikeSortByAllTheirBytes() {
    var symbols = Symbols()
    let texts = [
      "", "\0", "\0\0", "a", "a\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0", "abcdefghi",
      "abcdefg\u{7F}", "abcdefg\u{E9}", "b", "\u{E9}", "\u{FFFD}", "\u{10FFFF}",
    ]
    let found = texts.map { symbols.symbol(of: $0) }
    for (a, one) in zip(texts, found) {
      for (b, other) in zip(texts, found) {
        let order = symbols.order(one, other)
        #expect((order < 0) == a.utf8.lexicographicallyPrecedes(b.utf8))
        #expect((order == 0) == a.utf8.elementsEqual(b.utf8))
      }
    }
  }

  @Test func groupsAreInTheOrderOfTextsAndKeepThatOfTheirElements() {
    var symbols = Symbols()
    let rows = ["b1", "a1", "b2", "a2", "b3"]
    let keys = Dictionary(
      uniqueKeysWithValues: rows.map { ($0, symbols.symbol(of: String($0.prefix(1)))) })
    let groups = rows.groups(by: { keys[$0] ?? .none }, symbols)
    #expect(groups.map { symbols[$0.key] } == ["a", "b"])
    #expect(groups.map(\.values) == [["a1", "a2"], ["b1", "b2", "b3"]])
    #expect(
      ["b1", "b2"].groups(by: { keys[$0] ?? .none }, symbols).map(\.values) == [["b1", "b2"]])
    #expect([String]().groups(by: { _ in .none }, symbols).isEmpty)
  }

  @Test func aMeaningIsFoundOnceForEachText() {
    var (numbers, symbols) = (TextNumbers(), Symbols())
    var meanings: [String] = []
    var asked: [String] = []
    func number(_ text: String?) -> Int? {
      numbers.number(of: text, &meanings, &symbols) { text, _ in
        asked.append(text)
        return text + "!"
      }
    }
    let found = [one, two, one, one, two].map { number($0) }
    #expect(found == [0, 1, 0, 0, 1] && number(nil) == nil)
    #expect(
      asked.count == 2 && meanings.map { $0.utf8.count } == [one, two].map { $0.utf8.count + 1 })
  }
}
