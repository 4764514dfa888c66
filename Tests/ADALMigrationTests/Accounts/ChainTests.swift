// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// People who are known only through a row between them and their evidence.
@Suite struct ChainTests {
  private static let tid = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"
  private static let oid = "4c9e4509-7080-4408-8985-f9032eb84631"
  private static let visited = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490"

  private func row(_ tid: String, _ oid: String, _ token: String, client: String) -> KeychainItem {
    var row = SyntheticRow()
    row.clientID = client
    row.refreshToken = token
    row.userID = "jane@contoso.com"
    var claims: [String: Any] = ["oid": oid, "tid": tid, "ver": "1.0", "iat": 1_699_999_000]
    if tid == Self.tid {
      claims["upn"] = "jane@contoso.com"
    } else {
      row.authority = "https://login.windows.net/\(tid)"
      claims["email"] = "jane@contoso.com"
      claims["idp"] = "https://sts.windows.net/\(Self.tid)/"
    }
    row.idToken = SyntheticRow.idToken(claims)
    return row.item
  }

  @Test("a guest's other client is joined in the first run, not only in the second")
  func guest() throws {
    let guest = "2c2f83c5-e692-4c12-8425-3255467eacff"
    let client = "27922004-5251-4030-b22d-91ecd9a37ea4"
    let store = MemoryStore([
      row(Self.tid, Self.oid, "synthetic-rt-shared", client: client),
      row(Self.visited, guest, "synthetic-rt-shared", client: client),
      row(
        Self.visited, guest, "synthetic-rt-other", client: "d3590ed6-52b3-4102-aeff-aad2292ab01c"),
    ])
    let migration = Migration(
      from: .items(store), into: .items(store),
      now: { Date(timeIntervalSince1970: 1_700_000_000) })
    let first = try migration.run()
    #expect(
      first.entries.map(\.homeAccountID) == Array(repeating: "\(Self.oid).\(Self.tid)", count: 3))
    #expect(first.accounts.map(\.signedIn) == [.yes])
    #expect(try migration.run().summary.written == 0)
  }
}
