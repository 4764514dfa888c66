// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration
import MigrationDocuments

/// Identifiers that are one to Unicode and two by their bytes: they are two people's, and two clients'.
@Suite struct FoundIdentifierTests {
  /// Composed and not; the Kelvin sign, which is a `k` in lower case; a dotted capital.
  static let pairs = [
    ("caf\u{E9}.tid", "cafe\u{301}.tid"), ("kim.tid", "\u{212A}im.tid"),
    ("i\u{307}d.tid", "\u{130}d.tid"),
    ("a.caf\u{E9}", "a.cafe\u{301}"),
  ]
  private static let group = "ABCDE12345.contoso"
  private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_700_000_000) }

  /// A cache document with an account and a refresh token for each id.
  private func document(_ ids: [String], clients: [String] = ["c0", "c1"]) -> [UInt8] {
    var accounts: [String] = []
    var tokens: [String] = []
    for (index, id) in ids.enumerated() {
      accounts.append(
        """
        "account \(index)": {"home_account_id": "\(id)", "environment": "login.windows.net",
          "realm": "t", "local_account_id": "l\(index)", "username": "u\(index)@contoso.com",
          "authority_type": "MSSTS"}
        """)
      tokens.append(
        """
        "token \(index)": {"home_account_id": "\(id)", "environment": "login.windows.net",
          "client_id": "\(clients[index])", "credential_type": "RefreshToken",
          "secret": "SECRET-OF-\(index)-AAAAAAAAAAAA"}
        """)
    }
    let text = """
      {"Account": {\(accounts.joined(separator: ","))},
        "RefreshToken": {\(tokens.joined(separator: ","))}}
      """
    return Array(text.utf8)
  }

  @Test("each has a document of its own", arguments: pairs)
  func documents(pair: (String, String)) throws {
    let folder = MemoryFolder()
    let report = try Migration(
      from: .document(document([pair.0, pair.1])), into: .folder(folder), now: now
    ).run()
    #expect(folder.written.count == 2)
    for bytes in folder.written.values {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("SECRET-OF-0") != text.contains("SECRET-OF-1"))
    }
    #expect(report.accounts.count == 2)
    #expect(report.accounts.allSatisfy { $0.signedIn == .yes })
  }

  @Test("each is an account of the report", arguments: pairs, ["items", "document"])
  func accounts(pair: (String, String), target: String) throws {
    let items = MemoryStore()
    let written = MemoryDocument()
    let migration = Migration(
      from: .document(document([pair.0, pair.1])),
      into: target == "items" ? .items(items, accessGroup: Self.group) : .document(written),
      now: now)
    let report = try migration.run()
    #expect(report.accounts.count == 2)
    #expect(Set(report.accounts.compactMap(\.userID)) == ["u0@contoso.com", "u1@contoso.com"])
    // Where MSAL's own key is one for both, whoever is left out is told: nobody gets the other's token.
    let parts =
      target == "items"
      ? try items.items().map { $0.data.map { String(decoding: $0.reveal(), as: UTF8.self) } ?? "" }
      : try CacheDocument(written.bytes).credentials.map {
        "\($0.value.homeAccountID ?? "") \($0.value.secret.revealText() ?? "")"
      }
    for (index, id) in [pair.0, pair.1].enumerated() {
      let own = parts.filter { $0.contains("SECRET-OF-\(index)") }
      let id = Array(try #require(HomeAccountID(id)).description.utf8)
      #expect(own.allSatisfy { $0.identifier.utf8.contains(id) })
      let account = report.accounts.first { $0.userID == "u\(index)@contoso.com" }
      #expect(account?.signedIn != .yes || own.count == 1)
    }
    #expect(report.accounts.contains { $0.signedIn == .yes })
    if report.accounts.contains(where: { $0.signedIn != .yes }) {
      #expect(report.findings.contains { $0.severity == .error })
    }
    let again = try migration.run()
    #expect(again.summary.written == 0)
    #expect(again.accounts.map(\.signedIn) == report.accounts.map(\.signedIn))
  }

  @Test("each client has its tokens") func clients() throws {
    let items = MemoryStore()
    let report = try Migration(
      from: .document(document(["a.b", "a.b"], clients: ["caf\u{E9}", "cafe\u{301}"])),
      into: .items(items, accessGroup: Self.group), now: now
    ).run()
    #expect(report.accounts.first?.clients.count == 2)
    let tokens = try items.items().filter { $0.service.hasPrefix("refreshtoken-") }
    #expect(tokens.count == 2)
  }

  @Test("keys are compared by their bytes", arguments: pairs)
  func keys(pair: (String, String)) throws {
    let (a, b) = (try #require(HomeAccountID(pair.0)), try #require(HomeAccountID(pair.1)))
    #expect(a != b && Set([a, b]).count == 2)
    #expect(AccountKey(cloud: "c", home: a) != AccountKey(cloud: "c", home: b))
    #expect(ClientKey(cloud: "c", client: pair.0) != ClientKey(cloud: "c", client: pair.1))
    let account = AccountKey(cloud: "c", spelled: "")
    for (one, other) in [
      (
        MSALEntry.Key(.idToken, account, owner: pair.0),
        MSALEntry.Key(.idToken, account, owner: pair.1)
      ),
      (
        MSALEntry.Key(.idToken, account, realm: pair.0),
        MSALEntry.Key(.idToken, account, realm: pair.1)
      ),
    ] {
      #expect(one != other)
    }
    #expect(
      ObjectID(tid: "t", oid: pair.0) != ObjectID(tid: "t", oid: pair.1)
        && ObjectID(tid: pair.0, oid: "o") != ObjectID(tid: pair.1, oid: "o"))
    #expect(PersonalDocument.name(of: a) != PersonalDocument.name(of: b))
  }

  @Test("ASCII's letters have no case, and ends no white space")
  func sameIdentifiers() throws {
    #expect(HomeAccountID(" Ab.CD\n") == HomeAccountID("ab.cd"))
    #expect("\u{C9}A".identifier == "\u{C9}a")
    #expect(ExactText("a") < ExactText("b") && !(ExactText("\u{E9}") == ExactText("e\u{301}")))
  }

  @Test("a user name is one as MSAL folds it")
  func names() {
    let keys = ["Caf\u{E9}@contoso.com", "cafe\u{301}@CONTOSO.com", " caf\u{E9}@contoso.com "]
      .map { UserNameKey(cloud: "c", name: $0) }
    #expect(Set(keys).count == 1)
  }
}
