// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Why an access token stays, in the order that a reader would ask, and how a carried one is bound (D2, D28).
@Suite struct AccessTokenRuleTests {
  private let ann = World.ann

  private func reasons(_ access: SyntheticRow, _ policy: Policy = Policy()) throws -> [Reason] {
    let rows = [.stored(ann.home, .refresh("rt", ann.upn, ann.token())), access]
    let entry = try #require(
      try FoundRun.inPlace(rows.map(\.item), policy: policy).report.entries.first {
        $0.kind == .accessToken
      })
    #expect(entry.outcome == .notConverted)
    return entry.reasons.filter { $0.code.hasPrefix("at.") }
  }

  @Test("the report names a fault of the token before a missing ID token")
  func order() throws {
    func access(
      for resource: String = World.graph, lasting seconds: Double = 3600,
      _ change: SyntheticRow.Change = { _ in }
    ) -> SyntheticRow {
      .stored(
        ann.home, .access("at", for: resource, ann.upn, nil, lasting: seconds, change))
    }
    #expect(try reasons(access()) == [.atNoIDToken])
    #expect(try reasons(access(lasting: -60)) == [.atExpired])
    #expect(try reasons(access(lasting: -60) { $0.accessTokenType = "PoP" }) == [.atForeignType])
    #expect(try reasons(access(for: "two words", lasting: 3600)) == [.atScopeShape])
    #expect(try reasons(access(for: World.client)) == [.atNotCarried])
    #expect(try reasons(access(lasting: -60), Policy(accessTokens: false)) == [.atNotCarried])
  }

  @Test("a resource's advice is said of its row, whether the token is carried or not")
  func advice() throws {
    func said(_ resource: String, lasting seconds: Double) throws -> [Reason] {
      let rows = [
        SyntheticRow.refresh("rt", ann.upn, ann.token()),
        .access("at", for: resource, ann.upn, ann.token(), lasting: seconds),
      ]
      return try FoundRun.inPlace(rows.map(\.item)).report.entries
        .filter { $0.kind == .accessToken }.flatMap(\.reasons)
        .filter { $0.code.hasPrefix("resource.") }
    }
    for lasting in [3600.0, -60] {
      #expect(try said(World.graph, lasting: lasting) == [])
      #expect(
        Set(try said("https://graph.windows.net/", lasting: lasting)) == [
          .resourceAADGraphRetired, .resourceTrailingSlash,
        ])
    }
  }

  @Test("a token that is bound to an app is so in a keychain, and bound to none in a document")
  func boundTokens() throws {
    let rows = [
      SyntheticRow.stored(ann.home, .refresh("rt", ann.upn, ann.token())),
      .stored(
        ann.home,
        .access("at", ann.upn, ann.token()) { $0.applicationIdentifier = "com.contoso.app" }),
    ].map(\.item)
    let carried = try FoundRun.intoNew(rows).added.filter { $0["secret"] == "at" }
    #expect(carried.map { $0["application_cache_identifier"] } == ["com.contoso.app"])
    let document = MemoryDocument()
    _ = try Migration(
      from: .items(MemoryStore(rows)), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    let tokens = try CacheDocument(document.bytes).credentials.map(\.value)
      .filter { $0.kind == .accessToken }
    #expect(tokens.map(\.secret) == [TokenSecret("at")])
    #expect(tokens.map(\.applicationIdentifier) == [nil])
  }

  @Test("of tokens for one scope, bound to several apps, a document has the one that lasts longest")
  func boundTokensOfOneScope() throws {
    func access(_ secret: String, of app: String?, lasting seconds: Double) -> SyntheticRow {
      .stored(
        ann.home,
        .access(secret, ann.upn, ann.token(), lasting: seconds) { $0.applicationIdentifier = app })
    }
    let (a, b) = ("com.contoso.a", "com.contoso.b")
    // Whichever app comes first.
    for apps in [[a, b, nil], [b, a, nil], [nil, a, b]] {
      let rows = zip(apps, [3600.0, 7200, 1800]).map { app, seconds in
        access("at-\(Int(seconds))", of: app, lasting: seconds)
      }
      let document = MemoryDocument()
      let refresh = SyntheticRow.stored(ann.home, .refresh("rt", ann.upn, ann.token()))
      let report = try Migration(
        from: .items(MemoryStore(([refresh] + rows).map(\.item))), into: .document(document),
        now: { Date(timeIntervalSince1970: World.now) }
      ).run()
      let tokens = try CacheDocument(document.bytes).credentials.map(\.value)
        .filter { $0.kind == .accessToken }
      #expect(tokens.map(\.secret) == [TokenSecret("at-7200")])
      let reasons = report.entries.filter { $0.kind == .accessToken }.map {
        $0.reasons.filter { [.okAT, .atSuperseded, .targetCorrupt].contains($0) }
      }
      #expect(reasons.count == 3 && Set(reasons) == [[.okAT], [.atSuperseded]])
    }
  }
}
