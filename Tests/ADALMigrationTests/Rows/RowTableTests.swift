// SPDX-License-Identifier: MIT
import SyntheticCaches
import Testing

@testable import ADALMigration

/// ADAL's rows as numbers.
@Suite struct RowTableTests {
  private let ann = World.ann
  private let eve = World.eve

  @Test func rowsThatSayTheSameHaveTheSameNumbers() throws {
    let rows = try PlannerRows.table([
      .refresh("rt", ann.upn, ann.token()), .refresh("rt", ann.upn, ann.token()),
      .refresh("other", ann.upn, ann.token(["iat": 1])) {
        $0.clientID = World.client.uppercased()
        $0.authority = World.tenant(World.contoso)
      },
    ]).rows
    #expect(rows[0].refreshToken == rows[1].refreshToken)
    #expect(rows[0].refreshToken != rows[2].refreshToken)
    #expect(rows[0].idToken == rows[1].idToken && rows[0].idToken != rows[2].idToken)
    #expect(rows[0].authority != rows[2].authority && rows[0].cloud == rows[2].cloud)
    // As they are spelled the clients differ, as they are compared they do not.
    #expect(rows[0].spelledClient != rows[2].spelledClient && rows[0].client == rows[2].client)
    #expect(rows[0].derivation == rows[1].derivation && rows[0].derivation != rows[2].derivation)
  }

  @Test func halfAWordHoldsANumberOrNone() {
    for number in [nil, 0, 1, Int(Int32.max)] as [Int?] {
      #expect(HalfWord(wrappedValue: number).wrappedValue == number)
    }
    var word = HalfWord(wrappedValue: nil)
    word.wrappedValue = 7
    #expect(word.wrappedValue == 7)
    #expect(MemoryLayout<HalfWord>.size == 4)
  }

  @Test func aRowIsFoundByItsNumberInTheInventory() throws {
    var reader = RowReader(Policy())
    let tokens = try PlannerRows.table([
      .refresh("first", ann.upn, ann.token()), .refresh("second", ann.upn, ann.token()),
    ]).tokens
    for (number, token) in zip([3, 7], tokens) { reader.add(token, number: number, group: "") }
    let table = reader.table
    #expect(table[3]?.index == 0 && table[7]?.index == 1)
    #expect(table[0] == nil && table[8] == nil && table[-1] == nil)
    #expect(table.token(of: 7)?.refreshToken?.revealText() == "second")
  }

  @Test func rowsOfTwoNamesAreTwoUsersThoughNothingElseTellsThemApart() throws {
    let lines = [ann, eve].map {
      AccountMap.Entry(homeOID: $0.oid, homeTID: $0.tid, upn: $0.upn)
    }
    var reader = try PlannerRows.reader(
      [.access("at-ann", ann.upn, nil), .access("at-eve", eve.upn, nil)], .map(lines))
    reader.resolve([])
    let table = reader.table
    #expect(table.rows[0].derivation == table.rows[1].derivation)
    #expect(
      table.rows.map { table.answer(for: $0).homeAccountID?.description } == [ann.home, eve.home])
  }

  @Test func aRowWithoutANameIsNotAnsweredAsOneThatHasOne() throws {
    for rows in PlannerRows.orders([
      SyntheticRow.access("at-ann", ann.upn, nil), .access("at-nobody", nil, nil),
    ]) {
      var reader = try PlannerRows.reader(rows)
      reader.resolve([])
      let table = reader.table
      #expect(
        Set(table.rows.map { table.answer(for: $0).reasons.first }) == [
          .homeUsernameOnly, .homeEmptyUser,
        ])
      #expect(Set(table.rows.map { table.answer(for: $0).confidence }) == [.usernameOnly, .none])
    }
  }
}
