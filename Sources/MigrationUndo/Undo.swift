// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems
import MSALCache

extension Journal {
  /// The result for each entry of a journal.
  public struct Outcome: Sendable, Hashable {
    /// The unchanged entries, which were removed (in a dry run: would be).
    public var removed: [Entry] = []
    /// The entries that have changed since, which were kept.
    public var changed: [Entry] = []
    /// The entries that were already gone.
    public var missing: [Entry] = []

    package init() {}
  }

  /// Removes the unchanged entries from a store.
  ///
  /// - Parameters:
  ///   - store: the target of the run.
  ///   - dryRun: whether to only report.
  /// - Throws: `StoreError` if the store cannot be read or written.
  public func undo(in store: any RemovableStore, dryRun: Bool = false) throws -> Outcome {
    var digests: [KeychainItem.Key: String] = [:]
    for entry in entries {
      if let key = entry.itemKey { digests[key] = entry.sha256 }
    }
    var found: [KeychainItem.Key: Bool] = [:]
    try store.forEachItem { item in
      if let digest = digests[item.key] { found[item.key] = Self.digest(of: item) == digest }
    }
    let same = Set(found.filter(\.value).keys)
    let removed =
      dryRun || same.isEmpty
      ? same
      : try store.remove(same) { digests[$0.key] == Self.digest(of: $0) }
    return outcome(entries) { entry in
      guard let key = entry.itemKey, found[key] != nil else { return nil }
      return removed.contains(key)
    }
  }

  /// Removes the unchanged entries from a cache document.
  ///
  /// - Parameters:
  ///   - document: the target of the run.
  ///   - dryRun: whether to only report.
  /// - Throws: `StoreError` if the document cannot be read or written, or is not a cache document.
  public func undo(in document: any DocumentStore, dryRun: Bool = false) throws -> Outcome {
    try undo(entries, in: document, dryRun: dryRun)
  }

  /// Removes the unchanged entries from the documents of a folder.
  ///
  /// - Parameters:
  ///   - folder: the target of the run, with its documents under the same names.
  ///   - dryRun: whether to only report.
  /// - Returns: the result for each entry.
  /// - Throws: as for one document. The earlier documents are then done, and another call does the rest.
  public func undo(in folder: any DocumentFolder, dryRun: Bool = false) throws
    -> Outcome
  {
    var total = Outcome()
    let documents = Dictionary(grouping: entries.filter { $0.document != nil }) {
      $0.document ?? ""
    }
    for (name, entries) in documents.sorted(by: { $0.key < $1.key }) {
      let outcome = try undo(entries, in: folder.document(named: name), dryRun: dryRun)
      total.removed += outcome.removed
      total.changed += outcome.changed
      total.missing += outcome.missing
    }
    return total
  }

  /// Whether it is of a folder of documents.
  package var isOfFolder: Bool { entries.contains { $0.document != nil } }

  /// The journal of one document of a folder.
  package func of(document name: String) -> Journal {
    var journal = Journal()
    journal.add(entries.filter { $0.document == name })
    return journal
  }

  private func undo(
    _ entries: [Entry], in store: any DocumentStore, dryRun: Bool
  ) throws -> Outcome {
    var outcome = Outcome()
    func change(_ old: [UInt8]) throws -> [UInt8] {
      var document = try CacheDocument(old, of: store.name)
      var wasRemoved: [Entry: Bool] = [:]
      for entry in Set(entries) {
        guard let section = entry.section.flatMap(DocumentSection.init(rawValue:)),
          let key = entry.key, let object = document.object(in: section, key: key)
        else { continue }
        let isUnchanged = object.digest == entry.sha256
        wasRemoved[entry] = isUnchanged
        if isUnchanged { document.remove(section, key: key) }
      }
      outcome = self.outcome(entries) { wasRemoved[$0] }
      return wasRemoved.values.contains(true) ? document.encoded() : old
    }
    if dryRun { _ = try change(store.read()) } else { try store.update(change) }
    return outcome
  }

  /// Sorts the entries by whether they were removed; nil for those that are not there.
  private func outcome(_ entries: [Entry], _ wasRemoved: (Entry) -> Bool?) -> Outcome {
    var outcome = Outcome()
    for entry in entries {
      switch wasRemoved(entry) {
      case true?: outcome.removed.append(entry)
      case false?: outcome.changed.append(entry)
      case nil: outcome.missing.append(entry)
      }
    }
    return outcome
  }
}

extension Journal.Entry {
  fileprivate var itemKey: KeychainItem.Key? {
    guard let agrp, let acct, let svce else { return nil }
    return KeychainItem.Key(accessGroup: agrp, account: acct, service: svce)
  }
}
