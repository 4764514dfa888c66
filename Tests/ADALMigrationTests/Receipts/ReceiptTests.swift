// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration
import MigrationDocuments
@testable import MigrationPolicies
@testable import MigrationReceipts

/// A store whose items anybody changes, and that counts how often it is read and written.
private final class CountedStore: ItemStore, @unchecked Sendable {
  // Each test has its own, in one thread.
  var content: [KeychainItem]
  private(set) var reads = 0
  private(set) var writes = 0

  init(_ content: [KeychainItem]) { self.content = content }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    reads += 1
    for item in content.sorted(by: { $0.key < $1.key }) { try body(item) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    writes += 1
    content += items
    return []
  }
}

/// The data that an app keeps between its starts.
@Suite struct ReceiptTests {
  private let store: CountedStore
  private let now: Double
  private let receipt: TokenCacheMigration.Receipt

  init() throws {
    let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" })
    now = vector.now
    store = CountedStore(try vector.items())
    #expect(try Self.migration(store, now).run().summary.written == 5)
    receipt = try #require(try Self.migration(store, now).run(since: nil).receipt)
  }

  private static func migration(
    _ store: CountedStore, _ now: Double, policy: Policy = Policy(), groups: Set<String>? = nil,
    into group: String? = nil
  ) -> Migration {
    Migration(
      from: .items(store), into: .items(store, accessGroup: group), policy: policy,
      accessGroups: groups, now: { Date(timeIntervalSince1970: now) })
  }

  private func holds(_ migration: Migration? = nil) throws -> Bool {
    let before = store.content
    let (report, _) = try (migration ?? Self.migration(store, now)).run(since: receipt)
    store.content = before
    return report == nil
  }

  @Test("a run that wrote gives none, and one that found nothing to do gives one") func given()
    throws
  {
    let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" })
    let store = CountedStore(try vector.items())
    let migration = Self.migration(store, now)
    let first = try migration.run(since: nil)
    #expect(first.report?.summary.written == 5 && first.receipt == nil)
    let second = try migration.run(since: nil)
    #expect(second.report?.summary.written == 0)
    #expect(second.receipt == receipt)
    #expect(second.report?.summary == receipt.summary)
    #expect(
      second.report?.findings.map(\.reason) == receipt.findings.map(\.reason)
        && second.report?.findings.map(\.rows) == receipt.findings.map(\.rows))
  }

  @Test("with it, nothing to do is one look at the store") func oneLook() throws {
    let (reads, writes) = (store.reads, store.writes)
    var events: [Migration.Event] = []
    let (report, again) = try Self.migration(store, now).run(since: receipt) { events.append($0) }
    #expect(report == nil && again == receipt && events.isEmpty)
    #expect(store.reads == reads + 1 && store.writes == writes)
  }

  @Test("accounts for every row") func summary() {
    #expect(receipt.summary.rows == 7)
    #expect(receipt.summary.converted == 0)
    #expect(receipt.summary.alreadyThere == 7)
    #expect(receipt.summary.notConverted == 0)
    #expect(receipt.summary.accountsSignedIn == 1)
  }

  @Test("runs away from the main actor") @MainActor func async() async throws {
    #expect(try await Self.migration(store, now).run(since: receipt).report == nil)
    let (report, again) = try await Self.migration(store, now).run(
      since: nil, onEvent: { _ in #expect(!Thread.isMainThread) })
    #expect(report?.summary.written == 0 && again == receipt)
  }

  @Test("any change of one of ADAL's rows ends it") func changedRows() throws {
    #expect(try holds())
    let rows = store.content.indices.filter { store.content[$0].type == nil }
    #expect(rows.count == 3)
    for row in rows {
      let item = store.content[row]
      func ends(_ change: (inout KeychainItem) -> Void) throws -> Bool {
        change(&store.content[row])
        defer { store.content[row] = item }
        return try !holds()
      }
      // Reveal: the bytes of a vector, of which one is changed.
      var data = item.data?.reveal() ?? []
      if !data.isEmpty { data[data.count - 1] ^= 1 }
      #expect(try ends { $0.data = data.isEmpty ? TokenSecret("x") : TokenSecret(data) })
      #expect(try ends { $0.modified = ($0.modified ?? 0) + 1 })
      #expect(try ends { $0.generic = [1] })
      #expect(try ends { $0.service += "x" })
      #expect(try ends { $0.account += "x" })
      store.content.remove(at: row)
      #expect(try !holds())
      store.content.insert(item, at: row)
    }
    var other = store.content[rows[0]]
    other.account += "2"
    store.content.append(other)
    #expect(try !holds())
  }

  @Test("of one of ADAL's rows all counts, also where it has a number of MSAL's") func typedRows()
    throws
  {
    for type in [2002, 3000, 1003] {
      let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-single-mrrt" })
      let store = CountedStore(
        try vector.items().map { item in
          var item = item
          item.type = type
          return item
        })
      let migration = Self.migration(store, now)
      _ = try migration.run(since: nil)
      let receipt = try #require(try migration.run(since: nil).receipt)
      let row = try #require(
        store.content.firstIndex { $0.generic == Array(LegacyItem.library.utf8) })
      store.content[row].data = TokenSecret("another archive")
      #expect(try migration.run(since: receipt).report != nil)
    }
  }

  @Test("of MSAL's entries only the keys count") func unified() throws {
    let entries = store.content.indices.filter { store.content[$0].type != nil }
    #expect(entries.count == 5)
    for entry in entries {
      let item = store.content[entry]
      store.content[entry].data = TokenSecret("no JSON at all")
      store.content[entry].modified = 1
      #expect(try holds())
      store.content[entry].service += "x"
      #expect(try !holds())
      store.content[entry] = item
      store.content.remove(at: entry)
      #expect(try !holds())
      store.content.insert(item, at: entry)
    }
  }

  private static let line = AccountMap.Entry(
    homeOID: "3db03fac-0000-4000-8000-000000000001",
    homeTID: "3db03fac-0000-4000-8000-000000000002",
    tid: "3db03fac-0000-4000-8000-000000000002", oid: "3db03fac-0000-4000-8000-000000000001",
    upn: "somebody@contoso.com")

  /// Policies that differ from the usual one in what a key of the policy's file is about.
  private static func policies(of key: PolicyFile.CodingKeys) throws -> [Policy] {
    switch key {
    case .clientIds: [Policy(clientIDs: []), Policy(clientIDs: ["*"])]
    case .accessTokens: [Policy(accessTokens: false)]
    case .accountMap:
      [
        Policy(accountMap: try AccountMap([line])),
        Policy(accountMap: AccountMap().before(try AccountMap([line]))),
      ]
    case .allowedHosts: [Policy(allowedHosts: ["login.contoso.example"])]
    case .minimumConfidence: [Policy(minimumConfidence: .exact)]
    case .joinGuests: [Policy(joinsGuests: true)]
    }
  }

  @Test("each changed field of a policy ends it", arguments: PolicyFile.CodingKeys.allCases)
  func wishes(key: PolicyFile.CodingKeys) throws {
    for policy in try Self.policies(of: key) {
      #expect(try !holds(Self.migration(store, now, policy: policy)), "\(policy)")
    }
  }

  @Test("a map that says anything else ends it", arguments: AccountMap.Entry.CodingKeys.allCases)
  func mapped(key: AccountMap.Entry.CodingKeys) throws {
    func fingerprint(_ line: AccountMap.Entry) throws -> TokenCacheMigration.Receipt? {
      let policy = Policy(accountMap: try AccountMap([line]))
      return try Self.migration(store, now, policy: policy).run(since: nil).receipt
    }
    var other = Self.line
    switch key {
    case .homeOID: other.homeOID = "3db03fac-0000-4000-8000-000000000003"
    case .homeTID: other.homeTID = "3db03fac-0000-4000-8000-000000000003"
    case .tid: other.tid = "3db03fac-0000-4000-8000-000000000003"
    case .oid: other.oid = "3db03fac-0000-4000-8000-000000000003"
    case .upn: other.upn = "other@contoso.com"
    case .usernameOverride: other.usernameOverride = "other@contoso.com"
    case .environment: other.environment = "login.microsoftonline.us"
    }
    let usual = try #require(try fingerprint(Self.line))
    let (same, changed) = (try fingerprint(Self.line), try fingerprint(other))
    #expect(same == usual && changed != usual && changed != nil)
  }

  @Test("another group, of the source or of the target, ends it") func groups() throws {
    let group = store.content[0].accessGroup
    #expect(try !holds(Self.migration(store, now, groups: [group])))
    #expect(try !holds(Self.migration(store, now, into: group)))
    #expect(try holds(Self.migration(store, now, policy: Policy(accountMap: AccountMap()))))
  }

  @Test("the clock that goes on does not end it, and one that was put back does") func clock()
    throws
  {
    #expect(try holds(Self.migration(store, now + 1e9)))
    #expect(try !holds(Self.migration(store, now - 1)))
  }

  @Test("another source or none ends it") func sources() throws {
    func migration(_ sources: [Source]) -> Migration {
      Migration(
        from: sources, into: .items(store), now: { [now] in Date(timeIntervalSince1970: now) })
    }
    #expect(try holds(migration([.items(store)])))
    #expect(try !holds(migration([.items(MemoryStore(store.content))])))
    #expect(try !holds(migration([.items(store), .items(MemoryStore())])))
    #expect(try !holds(migration([.items(MemoryStore()), .items(store)])))
    #expect(try !holds(migration([])))
  }

  @Test("bytes of a blob count as they are") func otherSources() throws {
    let blobs = try Vectors.adal.filter { $0.isMac }.prefix(2).map { try $0.blob() }
    let vector = try #require(Vectors.adal.first { $0.isMac })
    let blob = try #require(blobs.first)
    let target = MemoryStore()
    func run(_ bytes: [UInt8], since receipt: TokenCacheMigration.Receipt?) throws -> (
      report: Report?, receipt: TokenCacheMigration.Receipt?
    ) {
      try Migration(
        from: .blob(bytes), into: .items(target, accessGroup: ADALVector.macGroup),
        now: vector.clock
      ).run(since: receipt)
    }
    #expect(try run(blob, since: nil).receipt == nil)
    let receipt = try #require(try run(blob, since: nil).receipt)
    #expect(try run(blob, since: receipt).report == nil)
    #expect(try run(try #require(blobs.last), since: receipt).report != nil)
    let entry = try #require(try target.items().first)
    _ = try target.remove([entry.key]) { _ in true }
    #expect(try run(blob, since: receipt).report?.summary.written == 1)
  }

  @Test("a target that is a document gives none") func document() throws {
    let document = MemoryDocument()
    let migration = Migration(
      from: .items(store), into: .document(document),
      now: { [now] in Date(timeIntervalSince1970: now) })
    for _ in 0..<2 { #expect(try migration.run(since: receipt).receipt == nil) }
  }

  @Test("is stored as JSON that names no user") func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let text = String(decoding: try encoder.encode(receipt), as: UTF8.self)
    func note(_ reason: String, _ rows: String) -> String {
      #"{"reason":"\#(reason)","rows":[\#(rows)],"severity":"note"}"#
    }
    let findings = [
      note("keep.account", "4,5"), note("keep.appmeta", "4,5"), note("keep.at", "5"),
      note("keep.identical", "0,1,2,3,4,6"), note("keep.idtoken", "4,5"),
      note("resource.aad-graph-retired", "5"),
    ].joined(separator: ",")
    let summary =
      #"{"accounts":1,"accountsSignedIn":1,"accountsSignedOut":0,"accountsToSignIn":0,"#
      + #""alreadyThere":7,"converted":0,"foreign":1,"notConverted":0,"rows":7,"written":0}"#
    #expect(receipt.fingerprint.wholeMatch(of: /[0-9a-f]{8,16}/) != nil)
    #expect(
      text == #"{"findings":[\#(findings)],"fingerprint":"\#(receipt.fingerprint)","#
        + #""summary":\#(summary),"time":1700000000}"#)
    #expect(
      try JSONDecoder().decode(TokenCacheMigration.Receipt.self, from: Data(text.utf8)) == receipt)
  }
}
