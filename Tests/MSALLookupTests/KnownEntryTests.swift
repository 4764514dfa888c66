// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import Testing
import UnifiedVectors

@testable import MSALLookup

/// An entry that is at hand is looked up as its item would be.
@Suite struct KnownEntryTests {
  private static func expectTheSame(_ items: [KeychainItem]) {
    var read = LookupIndex()
    var known = Lookup(items: [], now: 0)
    for item in items {
      read.add(item)
      known.add(item, MSALItem(item)?.entry)
    }
    for (a, b) in [
      (read.tokens, known.index.tokens), (read.accounts, known.index.accounts),
      (read.appMetadata, known.index.appMetadata),
    ] {
      #expect(a.map(\.entry) == b.map(\.entry))
      #expect(a.map(\.item) == b.map(\.item))
      #expect(a.map(\.index) == b.map(\.index))
      #expect(a.map(\.type) == b.map(\.type))
      #expect(a.map(\.generic) == b.map(\.generic))
    }
  }

  @Test func ofWhatMSALWrote() throws {
    var count = 0
    for folder in try Vectors.files(in: Vectors.own("msal-reference")) {
      for file in try Vectors.files(in: folder) where file.lastPathComponent.hasPrefix("msal-items")
      {
        let items = try Vectors.json(file).elements.map { KeychainItem(vector: $0) }
        Self.expectTheSame(items)
        count += items.count
      }
    }
    #expect(count > 500)
  }

  /// One that says more than its type is as much as its item says.
  @Test func ofWhatIsTwoThings() {
    let both = MSALEntry(
      accountOf: "x.y", environment: "h", username: "Ann",
      additional: ["secret": .string("s"), "alternative_account_id": .string("other")]
    ).item(accessGroup: "g", at: nil)
    var stray = MSALEntry(
      kind: .refreshToken, homeAccountID: "x.y", environment: "h", clientID: "c",
      secret: Secret("rt")
    ).item(accessGroup: "g", at: nil)
    stray.type = nil
    Self.expectTheSame([both, stray])
    var lookup = Lookup(items: [], now: 0)
    lookup.add(both, MSALItem(both)?.entry)
    lookup.add(stray, MSALItem(stray)?.entry)
    #expect(lookup.index.tokens.map(\.entry.secret) == [Secret("s"), Secret("rt")])
    #expect(lookup.index.accounts.map(\.alternativeAccountID) == ["other"])
  }
}
