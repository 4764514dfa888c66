// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments
@testable import MigrationPolicies

/// A migration of a generated cache, made and run, for laws to look at.
struct LawsCase: Sendable {
  /// Where the cache is read and what is written.
  enum Route: Sendable {
    /// A keychain, into itself.
    case inPlace
    /// A keychain, into an empty one.
    case elsewhere
    /// ADAL's rows of one group as macOS keeps them, into an empty keychain.
    case blob
    /// A keychain, into a document, which is empty but for shapes.
    case document
  }

  let cache: SyntheticCache
  let route: Route
  let policy: Policy
  /// ADAL's rows that the route reads.
  let rows: [TrueRow]
  let before: [KeychainItem]
  /// The target's content after the run.
  let after: [KeychainItem]
  /// The written items, in order; empty for a document.
  let added: [KeychainItem]
  /// The records of the document, if that is what was written.
  let document: [UInt8]
  let planned: Report
  let report: Report

  /// - Parameter shapes: what may be laid over the cache of the seed.
  init(seed: UInt64, shapes: Set<SyntheticShape>) throws {
    cache = SyntheticCache(seed: seed, shapes: shapes)
    route = [.inPlace, .inPlace, .inPlace, .elsewhere, .blob, .document][Int(seed % 6)]
    policy = Self.policy(cache, variant: Int(seed / 6 % 4))
    rows = Self.rows(of: cache, route)
    before = route == .inPlace ? cache.items : []

    let store = OrderedStore(before)
    let document = MemoryDocument(route == .document ? cache.document.bytes : [])
    let migration = Self.migration(cache, route, rows, policy, into: store, document)
    planned = try migration.plan()
    report = try migration.run()
    added = store.added
    after = try store.items()
    self.document = document.read()
  }

  /// Whether the cache is one of the few large ones.
  var isLarge: Bool { cache.people.count > 20 }

  /// A migration of this case's cache into these places.
  ///
  /// - Parameter later: how many seconds after the cache's own time.
  func migration(
    into store: any ItemStore, _ document: MemoryDocument, later: Double = 0
  ) -> Migration {
    Self.migration(cache, route, rows, policy, into: store, document, later: later)
  }

  private static func migration(
    _ cache: SyntheticCache, _ route: Route, _ rows: [TrueRow], _ policy: Policy,
    into store: any ItemStore, _ document: MemoryDocument, later: Double = 0
  ) -> Migration {
    let now = cache.now + later
    let clock: @Sendable () -> Date = { Date(timeIntervalSince1970: now) }
    switch route {
    case .inPlace:
      return Migration(
        from: [.items(store)], into: .items(store), policy: policy, now: clock)
    case .elsewhere:
      return Migration(
        from: [.items(MemoryStore(cache.items))], into: .items(store), policy: policy, now: clock)
    case .blob:
      return Migration(
        from: [.blob(SyntheticRow.blob(rows.map(\.row)))],
        into: .items(store, accessGroup: SyntheticCache.group), policy: policy, now: clock)
    case .document:
      return Migration(
        from: [.items(MemoryStore(cache.items))], into: .document(document), policy: policy,
        now: clock)
    }
  }

  private static func rows(of cache: SyntheticCache, _ route: Route) -> [TrueRow] {
    guard route == .blob else { return cache.rows }
    // A blob has no groups and no service; its key tells rows apart by less.
    var taken: Set<RowKey> = []
    return cache.rows.filter {
      $0.row.accessGroup == SyntheticCache.group && $0.row.clientSlot == nil
        && taken.insert(RowKey($0.row, in: "")).inserted
    }
  }

  private static func policy(_ cache: SyntheticCache, variant: Int) -> Policy {
    let lines = cache.mapped.map {
      AccountMap.Entry(homeOID: $0[0], homeTID: $0[1], tid: $0[2], oid: $0[3])
    }
    var policy = Policy.map(lines)
    switch variant {
    case 1: policy.accessTokens = false
    case 2: policy.clientIDs = [cache.clients[0].id.lowercased()]
    case 3: policy.allowedHosts = ["login.contoso.example"]
    default: break
    }
    switch cache.seed / 24 % 8 {
    case 3: policy.minimumConfidence = .exact
    case 5: policy.minimumConfidence = .homeAuthority
    case 7: policy.minimumConfidence = .tenantMember
    default: break
    }
    return policy
  }

  /// The access group that a row is planned for.
  func group(of row: TrueRow) -> String {
    switch route {
    case .inPlace, .elsewhere: row.row.accessGroup
    case .blob: SyntheticCache.group
    case .document: ""
    }
  }

  /// The person of a home account id in the cloud of a host.
  func whose(home: String?, environment: String?) -> TruePerson? {
    cache.people.first { person in
      person.home == home && person.cloud.hosts.contains(environment ?? "")
    }
  }

  /// The entries of the report with the true rows that they are about.
  func entriesOfRows() throws -> [(entry: Report.Entry, truth: TrueRow)] {
    var truths: [RowKey: TrueRow] = [:]
    for row in rows { truths[RowKey(row.row, in: route == .blob ? "" : nil)] = row }
    return report.entries.compactMap { entry in
      truths.removeValue(forKey: RowKey(entry, isOfBlob: route == .blob)).map { (entry, $0) }
    }
  }

  /// The cloud of a host, by its usual host.
  func cloud(of host: String?) -> String {
    let host = host ?? ""
    return TrueCloud.hostsOfClouds.first { $0.hosts.contains(host) }?.hosts[0] ?? host
  }

  /// Whether an entry is of somebody who is none of the people.
  func isStranger(home: String?, environment: String?) -> Bool {
    cache.strangers.contains { $0[0] == home && cloud(of: $0[1]) == cloud(of: environment) }
  }

  /// The entries that were written, whatever the form.
  func written() throws -> [(entry: SyntheticEntry, group: String)] {
    if route != .document {
      return try added.map { (try #require(SyntheticEntry($0)), $0.accessGroup) }
    }
    let before = try Self.sections(cache.document.bytes)
    return try Self.sections(document).flatMap { section, entries in
      try entries.filter { before[section]?[$0.key] == nil }.map {
        (SyntheticEntry(try #require($0.value as? [String: String])), "")
      }
    }
  }

  /// The sections of a document as their JSON is read.
  static func sections(_ document: [UInt8]) throws -> [String: [String: Any]] {
    guard !document.isEmpty else { return [:] }
    return try #require(
      try JSONSerialization.jsonObject(with: Data(document)) as? [String: [String: Any]])
  }

  /// The final entries of the target, as far as they can be read.
  func targetEntries() throws -> [(entry: SyntheticEntry, group: String)] {
    guard route == .document else {
      return try before.compactMap { item in
        SyntheticEntry(item).flatMap { item.type == nil ? nil : ($0, item.accessGroup) }
      } + written()
    }
    return try Self.sections(document).values.flatMap { $0 }.compactMap { key, value in
      guard var payload = value as? [String: String] else { return nil }
      // MSAL for Python keeps the family in the client's own entry.
      if key.contains("-refreshtoken-\(payload["client_id"]?.lowercased() ?? "")-") {
        payload["family_id"] = nil
      }
      return (SyntheticEntry(payload), "")
    }
  }
}

/// By what an entry of a report and a row are known to be the same.
struct RowKey: Hashable {
  private var parts: [String?]

  init(_ row: SyntheticRow, in group: String?) {
    if group == nil {
      let key = row.item.key
      parts = [key.accessGroup, key.account, key.service]
    } else {
      parts = [
        row.userID ?? "", row.authority?.lowercased(), row.resource?.lowercased(),
        row.clientID?.lowercased(),
      ]
    }
  }

  init(_ entry: Report.Entry, isOfBlob: Bool) {
    parts =
      isOfBlob
      ? [
        entry.place.account ?? "", entry.authority?.lowercased(), entry.resource?.lowercased(),
        entry.clientID?.lowercased(),
      ] : [entry.place.accessGroup, entry.place.account, entry.place.service]
  }
}

/// A store that gives its items in the order in which it got them, and remembers what is added.
final class OrderedStore: ItemStore, @unchecked Sendable {
  private let lock = NSLock()
  private var all: [KeychainItem]
  private var keys: Set<KeychainItem.Key>
  private var additions: [KeychainItem] = []

  init(_ items: [KeychainItem]) {
    all = items
    keys = Set(items.map(\.key))
  }

  var added: [KeychainItem] { lock.withLock { additions } }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    for item in lock.withLock({ all }) { try body(item) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    lock.withLock {
      items.filter { item in
        guard keys.insert(item.key).inserted else { return true }
        all.append(item)
        additions.append(item)
        return false
      }
    }
  }
}
