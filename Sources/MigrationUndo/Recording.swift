// SPDX-License-Identifier: MIT
import ADALMigration
import PlatformFoundation
import KeychainItems
import MSALCache

extension Target {
  /// The same target, with a journal of the added entries. All documents of a folder share one journal, because
  /// a wrong map is wrong in all of them.
  ///
  /// - Parameter write: stores the journal. It gets the planned entries before the run adds them, and an error
  ///   ends the run before it writes. It gets the journal again if another program was quicker and the run added
  ///   other entries; an error then becomes `StoreError.interrupted`.
  public func recording(_ write: @escaping @Sendable (TokenCacheMigration.Journal) throws -> Void)
    -> TokenCacheMigration.Target
  {
    let recorder = Recorder(write)
    switch content {
    case .items(let store): return with(.items(RecordingStore(store: store, recorder: recorder)))
    case .document(let store):
      return with(.document(RecordingDocument(store: store, recorder: recorder)))
    case .folder(let folder):
      return with(.folder(RecordingFolder(folder: folder, recorder: recorder)))
    }
  }
}

/// The additions so far, over any number of calls.
private final class Recorder: Sendable {
  private struct Progress {
    var journal = Journal()
    var written = Journal()
    /// The entries of a folder's documents that were announced.
    var announced: Set<Journal.Entry> = []
  }

  private let progress = Locked(Progress())
  private let store: @Sendable (Journal) throws -> Void

  init(_ store: @escaping @Sendable (Journal) throws -> Void) { self.store = store }

  private func write(_ journal: Journal) throws {
    try store(journal)
    progress.withLock { $0.written = journal }
  }

  /// Notes additions that were made, all of which the journal names already.
  func note(_ entries: [Journal.Entry]) { progress.withLock { $0.journal.add(entries) } }

  /// Writes the additions that follow, beside those that were made.
  func announce(_ entries: [Journal.Entry]) throws {
    guard !entries.isEmpty else { return }
    var next = progress.withLock { $0.journal }
    next.add(entries)
    try write(next)
  }

  /// Writes the additions that follow to all documents of a folder.
  func announce(all entries: [Journal.Entry]) throws {
    progress.withLock { $0.announced.formUnion(entries) }
    try announce(entries)
  }

  /// Writes all that is or was about to be added to a folder, in no order, when a document that was changed
  /// meanwhile gets entries that were not announced.
  func announce(further entries: [Journal.Entry]) throws {
    let all = progress.withLock { progress -> Set<Journal.Entry>? in
      guard !progress.announced.isSuperset(of: entries) else { return nil }
      progress.announced.formUnion(entries)
      return progress.announced
    }
    guard let all else { return }
    var next = Journal()
    next.add(all)
    try write(next)
  }

  /// Writes the additions that were made, unless they are the announced ones.
  func record(_ entries: [Journal.Entry]) throws {
    let next = progress.withLock { progress in
      progress.journal.add(entries)
      return progress.journal == progress.written ? nil : progress.journal
    }
    guard let next else { return }
    do {
      try write(next)
    } catch {
      throw StoreError(
        .interrupted,
        "the target was written, but the journal also names entries that another program added: \(error)"
      )
    }
  }
}

private struct RecordingStore: ItemStore {
  let store: any ItemStore
  let recorder: Recorder

  func isSamePlace(as other: any ItemStore) -> Bool {
    store.isSamePlace(as: other)
  }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws { try store.forEachItem(body) }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard !items.isEmpty else { return [] }
    try recorder.announce(items.map { Journal.Entry($0) })
    let taken = try store.add(items)
    let keys = Set(taken.map(\.key))
    try recorder.record(items.filter { !keys.contains($0.key) }.map { Journal.Entry($0) })
    return taken
  }
}

private struct RecordingDocument: DocumentStore {
  let store: any DocumentStore
  let recorder: Recorder
  /// Its name in a folder, whose documents are announced and recorded together; nil outside a folder.
  var nameInFolder: String?
  var name: String? { store.name }

  func read() throws -> [UInt8] { try store.read() }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    var added: [Journal.Entry] = []
    try store.update { old in
      let new = try change(old)
      let objects = new == old ? [] : try CacheDocument(new).objects(besides: CacheDocument(old))
      added = objects.map { Journal.Entry($0, in: nameInFolder) }
      if nameInFolder == nil {
        try recorder.announce(added)
      } else {
        try recorder.announce(further: added)
      }
      return new
    }
    recorder.note(added)
  }
}

/// Documents whose entries are announced together before the first one is written, and recorded again after the last
/// one, so that the work does not grow with the square of their number.
private struct RecordingFolder: AnnouncedFolder {
  let folder: any DocumentFolder
  let recorder: Recorder

  func document(named name: String) -> any DocumentStore {
    RecordingDocument(
      store: folder.document(named: name), recorder: recorder, nameInFolder: name)
  }

  func announce(_ documents: [(name: String, added: [DocumentObject])]) throws {
    let entries = documents.flatMap { document in
      document.added.map { Journal.Entry($0, in: document.name) }
    }
    try recorder.announce(all: entries)
  }

  func finish() throws { try recorder.record([]) }
}
