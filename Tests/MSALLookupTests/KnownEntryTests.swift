// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import Testing
import UnifiedVectors

@testable import LookupAnswers
@testable import MSALLookup

/// An entry that is at hand is looked up as its item would be.
@Suite struct KnownEntryTests {
  private static func expectTheSame(_ items: [KeychainItem]) {
    var read = MSALIndex()
    var known = MSALIndex()
    for item in items {
      read.addRow(item)
      known.addRow(item, MSALItem(item)?.entry)
    }
    for (a, b) in [
      (read.tokens, known.tokens), (read.accounts, known.accounts),
      (read.appMetadata, known.appMetadata),
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
      secret: TokenSecret("rt")
    ).item(accessGroup: "g", at: nil)
    stray.type = nil
    Self.expectTheSame([both, stray])
    var index = MSALIndex()
    index.insert(both, as: MSALItem(both))
    index.insert(stray, as: MSALItem(stray))
    #expect(index.tokens.map(\.entry.secret) == [TokenSecret("s"), TokenSecret("rt")])
    #expect(index.accounts.map(\.alternativeAccountID) == ["other"])
  }
}
