// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// The home account ids of MSAL's accounts by user name, and who has tokens of them.
@Suite struct NamedHomesTests {
  private var symbols = Symbols()
  private var homes = NamedHomes()

  private mutating func symbol(_ text: String) -> Symbol { symbols.symbol(of: text) }

  private mutating func insert(_ id: String, _ spellings: String...) {
    for spelling in spellings { homes.insert(symbol(id), spelling: symbol(spelling), &symbols) }
  }

  private func texts(_ numbers: [Int]) -> [String] {
    numbers.compactMap { homes[$0].id.map { symbols[$0] } }.sorted()
  }

  @Test mutating func anAccountThatIsNotListedHidesItsSpelling() {
    insert("one", "Ann")
    insert("two", "ann")
    homes.insert(tokenOf: symbol("one"), symbol("1"), isFamily: true, &symbols)
    let (family, name, spelling) = (symbol("1"), symbol("ann"), symbol("Ann"))
    let list = homes.list(ofFamily: family, named: name)
    #expect(texts(Array(list.homes)) == ["one"])
    #expect(!homes.hides(spelling, list, [:]))
    #expect(homes.hides(name, list, [:]))
    // A client that lists the other account beside the family's.
    #expect(!homes.hides(name, list, [name: 1]))
    // One that has signed out of the family's account.
    #expect(homes.hides(spelling, list, [spelling: -1]))
    #expect(homes.list(ofFamily: name, named: name).homes.isEmpty)
  }

  @Test mutating func aSpellingCountsOnceForEachHome() {
    insert("one", "Ann", "Ann", "ann", "Ann", "ann")
    insert("two", "Ann")
    #expect((0..<2).map { homes[$0].names.map { symbols[$0] } } == [["Ann", "ann"], ["Ann"]])
    let (spelling, list) = (symbol("Ann"), homes.list(ofFamily: nil, named: nil))
    #expect(homes.hides(spelling, list, [spelling: 1]))
    #expect(!homes.hides(spelling, list, [spelling: 2]))
  }

  @Test mutating func theShorterListIsGoneThrough() {
    for number in 0..<5 { insert("\(number)", "ann") }
    insert("0", "other")
    let (client, name) = (symbol("client"), symbol("ann"))
    homes.insert(tokenOf: symbol("3"), client, isFamily: false, &symbols)
    homes.insert(tokenOf: symbol("of nobody"), client, isFamily: false, &symbols)
    #expect(texts(homes.numbers(ofClient: client, named: name, count: 0) { [] }) == ["3"])
    let zero = symbol("0")
    #expect(texts(homes.numbers(ofClient: client, named: name, count: 1) { [zero] }) == ["0", "3"])
    // With so many accounts noted, all of the name are fewer.
    let all = homes.numbers(ofClient: client, named: name, count: 3) {
      Issue.record("asked")
      return []
    }
    #expect(texts(all) == ["0", "1", "2", "3", "4"])
    #expect(homes.holdsToken(of: symbol("3"), client: client, family: nil))
    #expect(!homes.holdsToken(of: symbol("3"), client: nil, family: client))
    #expect(homes.ids(named: symbol("other")).map { symbols[$0] } == ["0"])
  }
}
