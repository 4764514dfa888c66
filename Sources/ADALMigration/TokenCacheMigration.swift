// SPDX-License-Identifier: MIT
import CacheJSON
import PlatformFoundation
import KeychainItems
import MSALCache

/// Moves the sign-ins of an app from ADAL's cache to MSAL's.
///
/// A run reads, decides, checks and then writes. It only adds entries, and running it again changes nothing.
/// It never changes ADAL's rows, so an app of the same keychain group that still uses ADAL stays signed in.
///
/// ```swift
/// let report = try await TokenCacheMigration().run()
/// let account = report.account(forADALUserID: saved)
/// settings.accountIdentifier = account?.identifier  // nil: the user signs in once; account?.reasons say why
/// ```
public struct TokenCacheMigration: Sendable {
  package let sources: [Source]
  package let target: Target
  package let policy: Policy
  package let accessGroups: Set<String>?
  /// The filters that must fit something.
  private var strictFilters: Set<UnmatchedFilter.Kind> = []
  package let now: @Sendable () -> Date
  private var onStep: (@Sendable (Step) -> Void)?

  /// A migration, which reads nothing before ``plan()`` or `run(onEvent:)`.
  ///
  /// - Parameters:
  ///   - source: the place of ADAL's rows and of entries in MSAL's form (default: the system keychain's group that
  ///     ADAL and MSAL share).
  ///   - target: the place to add to (default: the same group).
  ///   - policy: the decisions of the team.
  ///   - accessGroups: the only groups to read in sources that have groups (default: all).
  ///   - now: the current time.
  public init(
    from source: Source = .keychain(), into target: Target = .keychain(), policy: Policy = Policy(),
    accessGroups: Set<String>? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      from: [source], into: target, policy: policy, accessGroups: accessGroups, now: now)
  }

  /// A migration of several sources, which are one cache.
  ///
  /// The other parameters are those of a migration of one source.
  public init(
    from sources: [Source], into target: Target, policy: Policy = Policy(),
    accessGroups: Set<String>? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.sources = sources
    self.target = target
    self.policy = policy
    self.accessGroups = accessGroups
    self.now = now
  }

  /// The same migration, which throws ``UnmatchedFilter`` before anything is written when
  /// a value of these filters fits no row. Without it such a value is a finding.
  package func requiring(_ filters: Set<UnmatchedFilter.Kind>) -> Migration {
    var migration = self
    migration.strictFilters = filters
    return migration
  }

  /// The same migration, which reports each step in the thread that works.
  package func counted(_ onStep: (@Sendable (Step) -> Void)?) -> Migration {
    var migration = self
    migration.onStep = onStep
    return migration
  }

  /// The report of a run that writes nothing.
  ///
  /// - Throws: as `run(onEvent:)`, except for errors of writing.
  public func plan() throws -> Report {
    try decide(at: now().timeIntervalSince1970).report(.dryRun)
  }

  /// The report of a run into any target: as ``plan()``, but rows need no access group.
  package func preview() throws -> Report {
    try decide(at: now().timeIntervalSince1970, needsGroups: false).report(.dryRun)
  }

  /// Adds MSAL's entries for ADAL's rows to the target.
  ///
  /// You can call it at every start, and in several processes at once: it changes no existing entry, and it
  /// decides again if another process writes during the run.
  ///
  /// - Parameter onEvent: gets each event of the run.
  /// - Returns: the result of every row, and the accounts that stay signed in.
  /// - Throws: `StoreError` if a place cannot be read or written, ``MigrationError`` if rows need an access
  ///   group, `CancellationError` if the surrounding task is canceled before the run writes.
  public func run(onEvent: (Event) -> Void = { _ in }) throws -> Report {
    let now = now().timeIntervalSince1970
    let checked = try decide(at: now, onEvent: onEvent)
    try Task.checkCancellation()
    let final =
      switch target.content {
      case .items(let store): try add(checked, to: store, at: now, onEvent)
      case .document(let store): try add(checked, to: [("", store)], at: now)
      case .folder(let folder): try add(checked, to: folder, at: now)
      }
    onEvent(.written(entries: final.plan.decisions.additions.count))
    return final.report(.applied)
  }

  /// Migrates, away from the caller's actor: reading a keychain can take a while, and must not be waited
  /// for on the main actor.
  ///
  /// - Throws: as the synchronous form.
  nonisolated public func run(onEvent: @Sendable (Event) -> Void = { _ in }) async throws -> Report
  {
    let migrate: (Migration, (Event) -> Void) throws -> Report = { try $0.run(onEvent: $1) }
    return try migrate(self, onEvent)
  }

  /// The contents of ADAL's or MSAL's caches: a report without outcomes, for the clients of the policy. It writes
  /// nothing.
  ///
  /// - Throws: as `run(onEvent:)`, except for errors of writing.
  package static func inspect(
    _ sources: [Source], policy: Policy = Policy(), accessGroups: Set<String>? = nil,
    now: Date = Date(), requiring filters: Set<UnmatchedFilter.Kind> = [],
    onStep: (@Sendable (Step) -> Void)? = nil
  ) throws -> Inspection {
    let now = now.timeIntervalSince1970
    // A store is inspected as a migration in place would find it.
    let only = sources.count == 1 ? sources.first?.store : nil
    let target = Target.items(only ?? MemoryStore())
    let inventory = try Inventory(
      of: sources, into: target, accessGroups: accessGroups, onStep: onStep)
    let unmatched = inventory.unmatchedFilters(policy, accessGroups)
    try refuse(unmatched, filters)
    var checked = CheckedPlan(inventory, form: target.form, policy: policy, now: now)
    checked.unmatched = unmatched
    return Inspection(checked)
  }

  private func decide(
    at now: Double, documents: [String: [UInt8]] = [:], written: Written? = nil,
    needsGroups: Bool = true, onEvent: (Event) -> Void = { _ in }
  ) throws -> CheckedPlan {
    var inventory = try Inventory(
      of: sources, into: target, accessGroups: accessGroups, documents: documents,
      written: written, onStep: onStep)
    if case .folder(let folder) = target.content {
      try inventory.distribute(among: folder, for: target.reader, policy, documents)
    }
    onEvent(.read(rows: inventory.rows.count, otherItems: inventory.foreign))
    let unmatched = inventory.unmatchedFilters(policy, accessGroups)
    try Self.refuse(unmatched, strictFilters)
    try Task.checkCancellation()
    var checked = CheckedPlan(inventory, form: target.form, policy: policy, now: now)
    checked.unmatched = unmatched
    checked.unmatchedSeverity = target.severityOfUnmatchedFilters
    if needsGroups, target.form == .keychainItems,
      checked.plan.decisions.additions.contains(where: { $0.group == .none })
    {
      throw MigrationError.accessGroupNeeded
    }
    onEvent(.planned(entries: checked.plan.decisions.additions.count))
    return checked
  }

  private static func refuse(
    _ unmatched: [UnmatchedFilter], _ strict: Set<UnmatchedFilter.Kind>
  ) throws {
    if let filter = unmatched.first(where: { strict.contains($0.kind) }) {
      throw filter
    }
  }

  /// The most times that a run starts over when other processes keep writing in between.
  private static let attempts = 8

  /// Adds keychain items. An item whose key another process took in the meantime is skipped, and the run plans again
  /// beside the other process's item.
  private func add(
    _ checked: consuming CheckedPlan, to store: any ItemStore, at now: Double,
    _ onEvent: (Event) -> Void
  ) throws -> CheckedPlan {
    if checked.inventory.target.lacksPrefix, !checked.plan.decisions.additions.isEmpty {
      try Target.opening { try Destination.learn(target) }
      checked = try decide(at: now, onEvent: onEvent)
    }
    var written: Written?
    for _ in 0..<Self.attempts {
      let items = checked.plan.decisions.additions.map { checked.plan.item(of: $0) }
        .filter { !(written?.contains($0.key) ?? false) }
      guard !items.isEmpty else { return checked }
      let taken = try Target.opening { Set(try store.add(items).map(\.key)) }
      if taken.isEmpty { return checked }
      var more = written ?? Written(beside: checked.inventory)
      more.insert(items.lazy.map(\.key).filter { !taken.contains($0) })
      written = more
      onEvent(.startedOver)
      checked = try decide(at: now, written: more, onEvent: onEvent)
    }
    throw StoreError(.locked, "other processes keep writing to the target; try again")
  }

  /// Adds to the documents of a folder.
  private func add(
    _ checked: consuming CheckedPlan, to folder: any DocumentFolder, at now: Double
  ) throws -> CheckedPlan {
    let symbols = checked.plan.table.symbols
    let additions = Dictionary(grouping: checked.plan.decisions.additions) { symbols[$0.group] }
    let groups = additions.keys.ordered()
    let announced = folder as? any AnnouncedFolder
    try announced?.announce(
      groups.map { group in
        let old = checked.inventory.target[group].document ?? CacheDocument()
        var new = old
        for addition in additions[group] ?? [] { new.add(addition, of: checked.plan) }
        return (group, new.objects(besides: old))
      })
    let final = try add(
      checked, to: groups.map { ($0, folder.document(named: $0)) },
      at: now)
    try announced?.finish()
    return final
  }

  /// Adds to documents, each under its lock. If a document has changed since the plan, the run plans again. In a
  /// folder, the documents before a failing one are written.
  private func add(
    _ checked: consuming CheckedPlan, to documents: [(group: String, store: any DocumentStore)],
    at now: Double
  ) throws -> CheckedPlan {
    // The bytes of each document before the run, so that an entry that this run adds does not count as there.
    var before = checked.inventory.target.caches.mapValues(\.bytes)
    var written = 0
    for (group, store) in documents {
      guard !checked.documents.isEmpty else { return checked }
      try Target.opening(after: written, of: documents.count) {
        try store.update { bytes in
          if bytes != before[group] {
            // A document that was read and is gone is not created again: another program has removed it.
            if bytes.isEmpty, before[group]?.isEmpty == false {
              throw StoreError(
                .locked, "\(store.name ?? "the document") was removed by another program meanwhile")
            }
            before[group] = bytes
            checked = try decide(at: now, documents: before)
          }
          return checked.documents[group]?.encoded() ?? bytes
        }
        if checked.documents[group] != nil { written += 1 }
      }
    }
    return checked
  }
}

extension Migration {
  /// A step of the work, small enough to show progress.
  package enum Step: Sendable {
    /// Reading begins, possibly again.
    case reading
    /// Rows are read.
    case rows(Int)
    /// Planning begins, possibly again.
    case planning
    /// One account is planned.
    case account
  }

  /// An event of a run, to log. It has no secret and no personal data.
  public enum Event: Sendable, Hashable {
    /// The sources are read.
    case read(rows: Int, otherItems: Int)
    /// Everything is decided and checked.
    case planned(entries: Int)
    /// Another process wrote in between. The run starts over with the entries of that process.
    case startedOver
    /// The entries are in the target; 0 if there was nothing to add.
    case written(entries: Int)
  }
}

extension TokenCacheMigration {
  /// The contents of a cache.
  package struct Inspection: Sendable {
    /// The report. Ignore its outcomes, writes and findings: reports of an inspection do not print them.
    package let report: Report
    /// The users of rows that have no home account ID: for each the environment, the user name, and the tenant and
    /// the object that the row names, in the order of these.
    package let unresolvedUsers: [[String]]

    init(_ checked: borrowing CheckedPlan) {
      let others = checked.inventory.rows.filter { !checked.plan.lists($0) }
      report = checked.report(.inspection).leavingOut(Set(others.map(\.number)))
      var users: Set<[String]> = []
      let table = checked.plan.table
      for row in table.rows where row.isConvertible && row.account == nil {
        let object = table.certainObject(of: row)
        guard object != nil || row.userName != .none else { continue }
        users.insert([
          table.symbols[row.cloud], table.symbols[row.userName], object?.tid ?? "",
          object?.oid ?? "",
        ])
      }
      unresolvedUsers = users.ordered { $0.lexicographicallyPrecedes($1) }
    }
  }
}

extension CacheDocument {
  /// Adds an entry, unless it is there.
  mutating func add(_ addition: Addition, of plan: borrowing Plan) {
    let key = addition.documentKey.map { plan.table.symbols[$0] }
    _ = add(plan.entry(of: addition), under: key)
  }
}

/// A folder that learns the additions to all of its documents before the first one is written.
package protocol AnnouncedFolder: DocumentFolder {
  /// Takes the additions to each document.
  func announce(_ documents: [(name: String, added: [DocumentObject])]) throws
  /// Notes that no more additions follow.
  func finish() throws
}
