// SPDX-License-Identifier: MIT
import Testing

@testable import ADALMigration

/// The golden vectors of mapping-rules §6.
@Suite struct GoldenTests {
  static let all =
    GoldenCase.people + GoldenCase.tokens + GoldenCase.accessTokens + GoldenCase.places
    + GoldenCase.targets

  @Test(arguments: all) func isAsExpected(_ golden: GoldenCase) throws {
    try golden.check()
  }

  /// v50 is the law of order; v54 and v55 are out of scope.
  @Test func everyVectorIsThere() {
    let numbers = Set(Self.all.compactMap { Int($0.name.dropFirst().prefix(2)) })
    #expect(numbers == Set(1...60).subtracting([50, 54, 55]))
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }

  /// One item spelled out, so that the rest can rely on the rules of `SyntheticEntry`.
  @Test func anItemIsAsMSALWritesIt() throws {
    let store = GoldenCase.v01.store
    _ = try GoldenCase.v01.migration(in: store).run()
    let home = "11111111-aaaa-4000-8000-000000000001.6fd1f5cd-a94c-4335-889b-6c598e6d8048"
    let token = try #require(try store.items().first { $0.type == 2002 })
    #expect(token.account == "\(home)-login.windows.net")
    #expect(token.service == "refreshtoken-27922004-5251-4030-b22d-91ecd9a37ea4--")
    #expect(
      token.generic == Array("refreshtoken-27922004-5251-4030-b22d-91ecd9a37ea4-".utf8))
    #expect(token.accessibility == "cku")
    let account = try #require(try store.items().first { $0.type == 1003 })
    #expect(account.account == "\(home)-login.windows.net")
    #expect(account.service == "6fd1f5cd-a94c-4335-889b-6c598e6d8048")
    #expect(account.generic == Array("ann@contoso.com".utf8))
    let metadata = try #require(try store.items().first { $0.type == 3001 })
    #expect(metadata.account == "login.windows.net")
    #expect(metadata.service == "appmetadata-27922004-5251-4030-b22d-91ecd9a37ea4")
    #expect(metadata.generic == [])
    let idToken = try #require(try store.items().first { $0.type == 2003 })
    #expect(
      idToken.service
        == "idtoken-27922004-5251-4030-b22d-91ecd9a37ea4-6fd1f5cd-a94c-4335-889b-6c598e6d8048-")
    #expect(
      idToken.generic
        == Array(
          "idtoken-27922004-5251-4030-b22d-91ecd9a37ea4-6fd1f5cd-a94c-4335-889b-6c598e6d8048".utf8))
  }
}
