// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import Testing

/// Caches that ADAL's own code wrote: what it reads back is what we read.
@Suite struct VectorTests {
  private func expected(_ name: String) throws -> [TokenFacts] {
    let document = try #require(
      try Vectors.json("adal/\(name)/expected.json") as? [String: Any])
    let tokens = try #require(document["tokens"] as? [[String: Any]])
    return tokens.map { token in
      var facts = TokenFacts(expected: token)
      // Written by 2.6.6 and read back by 2.7.18, whose access tokens have no family.
      if facts.accessToken == "synthetic-at-upC-jane" { facts.familyID = "1" }
      return facts
    }
  }

  @Test("every token of an iOS cache", arguments: try Vectors.adal("ios"))
  func keychain(name: String) throws {
    let items = try Vectors.items("adal/\(name)/items.json")
    #expect(!items.isEmpty)
    var tokens: [LegacyToken] = []
    for item in items {
      switch LegacyItem(item) {
      case .token(let token): tokens.append(token)
      case .unreadable(let row): Issue.record("unreadable: \(row)")
      case .cache: Issue.record("Xamarin's: \(item.service)")
      // MSAL's, by their type, or what ADAL notes of wiped users and of tombstones.
      case .foreign:
        let isNote = item.account == "TokenWipe" || item.service == "NextTombstoneCleanTime"
        #expect(item.type != nil || isNote, "\(item.service)")
      }
    }
    // ADAL hides tombstones from its own listing.
    let hidden = tokens.filter(\.isTombstone)
    #expect(hidden.count == (name == "ios-2.2.7-refresh-invalid-grant" ? 1 : 0))
    let facts = tokens.filter { !$0.isTombstone }.map(TokenFacts.init).counts
    #expect(facts == (try expected(name)).counts)
    #expect(tokens.allSatisfy { $0.droppedFields.isEmpty && !$0.hasPrimaryRefreshTokenKey })
    // The last step of the upgrade chain still has the three rows of 1.2.10.
    let isOld = name.hasPrefix("ios-1.")
    let unaware = tokens.filter { !$0.knowsFamilyID }.count
    #expect(unaware == (isOld ? tokens.count : name.hasSuffix("upgrade-d-2718") ? 3 : 0))
  }

  @Test("every token of a macOS cache", arguments: try Vectors.adal("mac"))
  func blob(name: String) throws {
    let blob = try LegacyBlob(Vectors.bytes("adal/\(name)/cache.bin"))
    #expect(blob.unreadable == [])
    #expect(blob.version == 1)
    #expect(blob.tokens.map(TokenFacts.init).counts == (try expected(name)).counts)
    #expect(blob.tokens.allSatisfy { $0.droppedFields.isEmpty && $0.knowsFamilyID })
  }

  @Test("the items that learn the team id", arguments: try Vectors.adal("ios"))
  func probes(name: String) throws {
    for item in try Vectors.items("adal/\(name)/other-items.json") {
      #expect(LegacyItem(item) == .foreign)
    }
  }
}
