// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// How new a refresh token is, and which of several is preferred (mapping-rules §4.c).
@Suite struct TokenAgeTests {
  private let ann = World.ann

  /// The age of the first row among the others.
  private func age(_ first: SyntheticRow, _ others: [SyntheticRow] = []) throws -> Double? {
    let table = try PlannerRows.table([first] + others)
    return TokenAges(table.rows, now: World.now).age(of: try #require(table.rows.first))
  }

  private func refresh(
    _ secret: String = "rt", issued: Double? = nil, _ change: SyntheticRow.Change = { _ in }
  ) -> SyntheticRow {
    let token = ann.token(["iat": issued.map { Int($0) }])
    return .refresh(secret, ann.upn, token, change)
  }

  /// An access token that was issued then, and lives as long as usual.
  private func access(issued: Double, _ change: SyntheticRow.Change = { _ in }) -> SyntheticRow {
    let lasting = issued + LegacyToken.usualLifetime - World.now
    return .access("at", ann.upn, ann.token(["iat": nil]), lasting: lasting, change)
  }

  @Test func theKeychainKnowsBest() throws {
    let row = refresh(issued: World.now - 10) { $0.modified = World.now - 500 }
    #expect(try age(row, [access(issued: World.now - 20)]) == World.now - 500)
  }

  @Test func elseTheLatestOfWhatTheRowSays() throws {
    #expect(try age(refresh()) == nil)
    #expect(try age(refresh(issued: World.now - 10)) == World.now - 10)
    let cached = refresh(issued: World.now - 10) {
      $0.generation = .twoSeven
      $0.cachedAt = World.now - 5
    }
    #expect(try age(cached) == World.now - 5)
  }

  @Test func accessTokensThatCameWithItTellWhenThatWas() throws {
    let tokens = [access(issued: World.now - 300), access(issued: World.now - 100)]
    #expect(try age(refresh(), tokens) == World.now - 100)
    #expect(try age(refresh(issued: World.now - 50), tokens) == World.now - 50)
    // 2.7 says itself when it stored a token, however long that lives.
    let stored = access(issued: World.now + 5000) {
      $0.generation = .twoSeven
      $0.cachedAt = World.now - 7
    }
    #expect(try age(refresh(), [stored]) == World.now - 7)
  }

  @Test func aTokenThatLivesLongerThanUsualTellsNothing() throws {
    #expect(try age(refresh(), [access(issued: World.now + 1)]) == nil)
    #expect(try age(refresh(), [access(issued: World.now)]) == World.now)
  }

  @Test func onlyTokensOfTheSameUserClientAndAuthorityCount() throws {
    let others: [SyntheticRow.Change] = [
      { $0.userID = "bob@contoso.com" }, { $0.clientID = World.otherClient },
      { $0.authority = World.tenant(World.contoso) },
    ]
    for other in others {
      #expect(try age(refresh(), [access(issued: World.now - 100, other)]) == nil)
    }
    let spelled = access(issued: World.now - 100) {
      $0.authority = World.common.uppercased()
      $0.clientID = World.client.uppercased()
    }
    #expect(try age(refresh(), [spelled]) == World.now - 100)
  }

  // MARK: Preference

  /// The secrets of the rows, the preferred first, however they come.
  private func preferred(_ rows: [SyntheticRow]) throws -> Set<[String]> {
    let home = try #require(ann.homeAccountID)
    return Set(
      try PlannerRows.orders(rows).map { rows in
        let table = try PlannerRows.table(of: home, rows)
        let ages = TokenAges(table.rows, now: World.now)
        var secrets: [String] = []
        var rest = table.rows
        while let best = ages.preferred(rest, home: home, table) {
          secrets.append(table.tokens[best.index].token.refresh?.revealText() ?? "")
          rest.removeAll { $0.index == best.index }
        }
        return secrets
      })
  }

  @Test func theNewerIsPreferred() throws {
    let rows = [30.0, 10, 20].map { ago in
      refresh("rt-\(Int(ago))") { $0.modified = World.now - ago }
    }
    #expect(try preferred(rows) == [["rt-10", "rt-20", "rt-30"]])
    // A token of unknown age comes last.
    #expect(try preferred(rows + [refresh("rt")]) == [["rt-10", "rt-20", "rt-30", "rt"]])
  }

  @Test func oneForEveryResourceComesBeforeANewerForOne() throws {
    let single = SyntheticRow.refresh("single", ann.upn, ann.token()) {
      $0.resource = World.graph
      $0.modified = World.now
    }
    #expect(try PlannerRows.table([single]).rows.map(\.kind) == [.singleResourceToken])
    let multi = refresh("multi") { $0.modified = World.now - 1000 }
    #expect(try preferred([single, multi]) == [["multi", "single"]])
  }

  @Test func ofOneAgeTheOneOfTheHomeAuthority() throws {
    let visited = refresh("visited") { $0.authority = World.tenant(World.tailspin) }
    let home = refresh("home") { $0.authority = World.tenant(World.contoso) }
    #expect(try preferred([visited, home]) == [["home", "visited"]])
  }

  @Test("of one age a domain's counts as the home's where the ID token is of the home tenant")
  func homeByDomain() throws {
    let eveInContoso = World.eve.guestToken(of: World.contoso, as: World.eveInContoso)
    func preferred(_ domain: String, over visited: String) throws -> Set<[String]> {
      // Whichever the secrets would prefer.
      try self.preferred([
        refresh(domain) { $0.authority = World.tenant("contoso.com") },
        refresh(visited) { $0.authority = World.tenant(World.tailspin) },
      ])
    }
    #expect(try preferred("rt-a", over: "rt-b") == [["rt-a", "rt-b"]])
    #expect(try preferred("rt-b", over: "rt-a") == [["rt-b", "rt-a"]])
    // One that was visited counts as no home.
    let home = try #require(World.eve.homeAccountID)
    for (visited, own) in [("rt-a", "rt-b"), ("rt-b", "rt-a")] {
      let table = try PlannerRows.table(
        of: home,
        [
          .refresh(visited, World.eve.upn, eveInContoso, at: World.tenant("contoso.com")) {
            $0.modified = 1
          },
          .refresh(own, World.eve.upn, World.eve.token()) { $0.modified = 1 },
        ])
      let first = TokenAges(table.rows, now: World.now)
        .preferred(table.rows, home: home, table)
      #expect(first.flatMap { table.tokens[$0.index].token.refresh } == TokenSecret(own))
    }
  }

  @Test func tiesAreBrokenByTheSecretAndNotByTheOrder() throws {
    #expect(try preferred((1...4).map { refresh("rt-\($0)") }).count == 1)
  }
}
