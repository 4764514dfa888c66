// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import Testing
import UnifiedVectors

@testable import MSALLookup

/// An entry that is at hand is looked up as its item would be, payload and all.
@Suite struct LookupEntryTests {
  private static let group = "T.group"

  /// The entry and the item that is written for it.
  private static func written(_ item: KeychainItem) -> (LookupEntry, KeychainItem)? {
    switch MSALItem(item) {
    case .credential(let credential):
      (
        .credential(credential, credential.attributes),
        credential.item(accessGroup: group, at: 1)
      )
    case .account(let account):
      (.account(account, account.attributes), account.item(accessGroup: group, at: 1))
    case .appMetadata(let metadata):
      (.appMetadata(metadata, metadata.attributes), metadata.item(accessGroup: group, at: 1))
    default: nil
    }
  }

  private static func expectTheSame(_ items: [KeychainItem]) -> Int {
    let pairs = items.compactMap(written)
    let byItems = LookupIndex(pairs.map(\.1))
    var byEntries = LookupIndex([])
    for (entry, _) in pairs { byEntries.add(entry, accessGroup: group) }
    #expect(byEntries.credentials.map(parts) == byItems.credentials.map(parts))
    // In the parts they are not shown.
    #expect(byEntries.credentials.map(\.secret) == byItems.credentials.map(\.secret))
    #expect(byEntries.accounts == byItems.accounts)
    #expect(byEntries.appMetadata == byItems.appMetadata)
    return pairs.count
  }

  /// All that a row says, member by member.
  private static func parts(_ row: CredentialRow) -> [String] {
    Mirror(reflecting: row).children.map { "\($0.label ?? ""): \(String(reflecting: $0.value))" }
  }

  @Test func aRowHasParts() throws {
    let account = Credential(
      kind: .refreshToken, homeAccountID: "u.t", environment: "h", clientID: "C",
      secret: Secret("rt"))
    let index = LookupIndex([account.item(accessGroup: "g", at: 1)])
    let parts = try #require(index.credentials.first.map(Self.parts))
    #expect(parts.count == 24)
    #expect(parts.contains(#"homeAccountID: Optional("u.t")"#))
  }

  @Test func ofWhatMSALWrote() throws {
    var count = 0
    for folder in try Vectors.files(in: Vectors.own("msal-reference")) {
      for file in try Vectors.files(in: folder) where file.lastPathComponent.hasPrefix("msal-items")
      {
        count += Self.expectTheSame(
          try Vectors.json(file).elements.map { KeychainItem(vector: $0) })
      }
    }
    #expect(count > 500)
  }

  @Test func ofFieldsThatFewEntriesHave() {
    let token = Credential(
      kind: .accessTokenWithAuthScheme, homeAccountID: "UID.utid", environment: "Host",
      clientID: " Client", secret: Secret("<tombstone>"), realm: "Tenant", target: "a  B",
      expiresOn: "1", cachedAt: "x", refreshOn: "2", familyID: "1", tokenType: "Pop",
      requestedClaims: "{}", enrollmentID: "e", applicationIdentifier: "app",
      additional: [
        "kid": .string("k"), "session_key": .string("AAAA"), "bound_device_id": .string("d"),
      ])
    let account = Account(
      homeAccountID: "x.y", environment: "h", username: "Ann",
      additional: ["alternative_account_id": .string("other")])
    let items = [
      token.item(accessGroup: "g", at: nil), account.item(accessGroup: "g", at: nil),
      AppMetadata(clientID: "C", environment: "h", familyID: "").item(accessGroup: "g", at: nil),
    ]
    #expect(Self.expectTheSame(items) == 3)
  }
}
