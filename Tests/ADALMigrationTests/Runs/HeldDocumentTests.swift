// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

/// The effect of a document's existing entries on a row of the same user and client (D10, D23).
@Suite struct HeldDocumentTests {
  private let ann = World.ann

  /// Migrates one row of Ann's into a document with these entries, under these keys.
  private func run(
    _ entries: [(key: String, entry: SyntheticEntry)], family: String? = nil
  ) throws -> (row: Report.Entry, tokens: [String]) {
    var sections: [String: [String: [String: String]]] = [:]
    let account = ann.account()
    for (key, entry) in entries + [(account.documentKey, account)] {
      sections[entry.section, default: [:]][key] = entry.payload
    }
    let bytes = try JSONEncoder().encode(sections)
    let document = MemoryDocument([UInt8](bytes))
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()) { $0.familyID = family }
    let report = try Migration(
      from: .items(MemoryStore([row.item])), into: .document(document),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    #expect(report.accounts.map(\.signedIn) == [.yes])
    let tokens = try CacheDocument(document.bytes).credentials.map(\.value)
      .filter(\.isRefreshToken).compactMap { $0.secret.revealText() }
    return (
      try #require(report.entries.first { $0.kind == .multiResourceRefreshToken }), tokens.sorted()
    )
  }

  @Test("refresh tokens under two hosts are no conflict, as they are in a keychain")
  func twoHosts() throws {
    let tokens = ["login.windows.net", "login.microsoftonline.com"].map {
      ann.refreshToken("rt-of-\($0)", at: $0)
    }
    let found = try run(tokens.map { ($0.documentKey, $0) })
    #expect(found.row.outcome == .alreadyThere)
    #expect(!found.row.reasons.contains(.conflictTargetMultiple))
    #expect(found.tokens.count == 2)
    let items = tokens.map { $0.item(accessGroup: World.group, at: 1) }
    let row = SyntheticRow.refresh("rt", ann.upn, ann.token()).item
    let keychain = try FoundRun.inPlace([row] + items).report
    #expect(keychain.entries.contains { $0.reasons.contains(.conflictTargetMultiple) })
  }

  @Test("a family's token is a client's own under the key of the client alone, as Python keeps it")
  func familyToken() throws {
    let token = ann.refreshToken("frt", family: "1")
    let own = ann.refreshToken("frt")
    let ofClient = try run([(own.documentKey, token)], family: "1")
    #expect(ofClient.row.outcome == .alreadyThere)
    #expect(ofClient.tokens == ["frt"])
    let ofFamily = try run([(token.documentKey, token)], family: "1")
    #expect(ofFamily.row.outcome == .converted)
    #expect(ofFamily.tokens == ["frt", "rt"])
  }
}
