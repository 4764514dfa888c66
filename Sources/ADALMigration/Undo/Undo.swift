// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension Journal {
  /// What became of a journal's entries.
  public struct Outcome: Sendable, Hashable {
    /// They were as they had been added, and are gone; in a dry run, would be.
    public var removed: [Entry] = []
    /// They have changed since, and stay.
    public var changed: [Entry] = []
    /// They were not there any more.
    public var missing: [Entry] = []

    /// Of no entries.
    init() {}
  }

  /// Removes from a store exactly what is still as it was added.
  ///
  /// - Parameters:
  ///   - store: where the items were added.
  ///   - dryRun: whether nothing is removed, only said.
  /// - Throws: `StoreError` when the store cannot be read or written.
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

  /// Removes from a cache document exactly what is still as it was added.
  ///
  /// - Parameters:
  ///   - document: where the entries were added.
  ///   - dryRun: whether nothing is removed, only said.
  /// - Throws: `StoreError` when the document cannot be read or written, or is none.
  public func undo(in document: any DocumentStore, dryRun: Bool = false) throws -> Outcome {
    try undo(entries, in: document, dryRun: dryRun)
  }

  /// Removes from the documents of a folder exactly what is still as it was added.
  ///
  /// - Parameters:
  ///   - folder: where the documents are, under the names that the run gave them.
  ///   - dryRun: whether nothing is removed, only said.
  /// - Returns: what became of the entries.
  /// - Throws: `StoreError` when a document cannot be read or written, or is none; those before it are done
  ///   then, and taking back once more does the rest.
  public func undo(in folder: any DocumentFolder, dryRun: Bool = false) throws -> Outcome {
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
      let undone = try undone(try CacheDocument(old, of: store.name), old, entries)
      outcome = undone.outcome
      return undone.document
    }
    if dryRun { _ = try change(store.read()) } else { try store.update(change) }
    return outcome
  }

  private func undone(
    _ document: CacheDocument, _ bytes: [UInt8], _ entries: [Entry]
  ) throws -> (document: [UInt8], outcome: Outcome) {
    var document = document
    var removed: Set<Entry> = []
    var found: Set<Entry> = []
    for entry in Set(entries) {
      guard let section = entry.section.flatMap(DocumentSection.init(rawValue:)),
        let key = entry.key, let object = document.object(in: section, key: key)
      else { continue }
      found.insert(entry)
      guard object.digest == entry.sha256 else { continue }
      document.remove(section, key: key)
      removed.insert(entry)
    }
    let outcome = outcome(entries) { found.contains($0) ? removed.contains($0) : nil }
    return (removed.isEmpty ? bytes : document.encoded(), outcome)
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
