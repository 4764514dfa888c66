// SPDX-License-Identifier: MIT
import CacheFiles
import CacheJSON
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import Testing

@testable import ADALMigration

/// Lists of accounts of which the report, look-ups and MSAL's own reader said different things
/// (`Tests/Vectors/found/listing`).
@Suite struct FoundListingTests {
  @Test(
    "the report says when MSAL may list a user without identifier",
    arguments: [
      ("N1-nameless-listing-http", true), ("N1-nameless-listing-adfs", true),
      ("N1-nameless-listing-b2c", true), ("N1-nameless-listing-unknown-host-told-control", true),
      ("N1b-control-same-case", false), ("N1b-name-case-ascii", true),
      ("N1b-name-case-ascii-other-host", true),
      ("N1c-row-whose-id-token-has-no-tid", true),
      ("N1c-row-whose-id-token-has-no-tid-family", true),
      ("N1d-msal-rt-and-row-no-tid", true), ("N1d-msal-rt-and-row-no-tid-other-host", true),
    ])
  func nameless(name: String, isTold: Bool) throws {
    let run = try FoundRun.inPlace("listing/\(name)")
    let told = run.report.findings.filter { $0.reason == .coexistenceNamelessListing }
    #expect(told.map(\.severity) == (isTold ? [.warning] : []), "\(run.rows)")
    let contradictions = Contradictions(
      run.report, try run.target.items(), clients: Contradictions.clients(of: run.report),
      now: FoundRun.now)
    #expect(contradictions.sentences == [])
  }

  @Test(
    "a row that MSAL cannot decode is not found, and the report does not count on it",
    arguments: [
      ("resource-NSNull", false), ("familyId-NSNull", false), ("familyId-1", false),
      ("expiresOn-NSNull", false), ("expiresOn-number", false), ("expiresOn-text", false),
      ("accessTokenType-NSNull", false), ("additionalServer-NSNull", false),
      ("additionalServer-array", false), ("additionalServer-ok", true),
      ("additionalServer-url", true), ("additionalClient-NSNull", true),
    ])
  func secureCoding(name: String, isFound: Bool) throws {
    let items = try FoundRun.items("listing/N2-\(name)")
    let lookup = Lookup(
      MSALIndex(items: items), fallbackRows: ADALFallbackRow.rows(of: items), now: FoundRun.now)
    for query in try queries("N2") {
      #expect(
        lookup.answer(query).json { _ in ("secret", "") }.object?["found"] == .bool(isFound),
        "\(query)")
    }
    let run = try FoundRun.inPlace(items)
    #expect(run.report.accounts.map(\.signedIn) == [isFound ? .byUserName : .no])
    #expect(run.report.worstSeverity == (isFound ? .warning : .error))
  }

  /// Each answer's number of variants, and whether each is found.
  @Test(
    "answers that the order decides have all variants",
    arguments: [
      ("L1-claims-of-legacy-account", [[true, true], [true, true]]),
      ("L2-account-alias-copies", [[true, true], [false]]),
      ("L3-rt-by-shared-name", [[true, true]]),
      ("L3b-rt-by-shared-name-found", [[false, true], [true, false]]),
    ])
  func chance(name: String, found: [[Bool]]) throws {
    let items = try FoundRun.items("listing/\(name)")
    let lookups = [items, items.reversed()].map { items in
      Lookup(
        MSALIndex(items: items.filter { $0.type != nil }),
        fallbackRows: ADALFallbackRow.rows(of: items),
        now: FoundRun.now)
    }
    for (query, found) in zip(try queries(name), found) {
      let answers = lookups.map { lookup in
        lookup.possibleAnswers(query).map {
          $0.json { ("secret", $0.revealText() ?? "") }
        }
      }
      #expect(answers[0].count == found.count, "\(query)")
      #expect(Set(answers[0].map(\.text)).count == found.count)
      // In another order of the keychain the same variants come in another order.
      #expect(Set(answers[0].map(\.text)) == Set(answers[1].map(\.text)), "\(query)")
      #expect(
        answers[0].map { $0.object?["found"] == .bool(true) }.sorted { !$0 && $1 }
          == found.sorted { !$0 && $1 })
    }
  }

  private func queries(_ name: String) throws -> [LookupQuery] {
    let file = Vectors.folder.appendingPathComponent("found/listing/\(name).queries.json")
    let json = try JSONValue(Array(try Data(contentsOf: file)))
    guard case .array(let queries)? = json.object?["queries"] else { return [] }
    return try queries.map { try LookupQuery($0) }
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}
