// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation
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

/// What was added so far, in however many calls.
private final class Recorder: @unchecked Sendable {
  // Guarded by `lock`; that is what makes the class Sendable.
  private var journal = Journal()
  private var written = Journal()
  private let lock = NSLock()
  private let write: @Sendable (Journal) throws -> Void

  init(_ write: @escaping @Sendable (Journal) throws -> Void) { self.write = write }

  /// Notes what was added without writing it.
  func note(_ add: (inout Journal) -> Void) { lock.withLock { add(&journal) } }

  /// Writes what is about to be added beside what was.
  func announce(_ add: (inout Journal) -> Void) throws {
    var next = lock.withLock { journal }
    add(&next)
    try write(next)
    lock.withLock { written = next }
  }

  /// Writes all that is or was about to be added, in no order.
  func announce(only entries: Set<Journal.Entry>) throws {
    var next = Journal()
    next.add(entries)
    try write(next)
    lock.withLock { written = next }
  }

  /// Writes what was added, unless it is what was announced.
  func record(_ add: (inout Journal) -> Void) throws {
    let next = lock.withLock {
      add(&journal)
      return journal == written ? nil : journal
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
    lock.withLock { written = next }
  }
}

private struct RecordingStore: PlacedStore {
  let store: any ItemStore
  let recorder: Recorder

  func isSamePlace(as other: any ItemStore) -> Bool {
    store.isKnown(as: other)
  }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws { try store.forEachItem(body) }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard !items.isEmpty else { return [] }
    try recorder.announce { $0.add(items) }
    let taken = try store.add(items)
    let keys = Set(taken.map(\.key))
    try recorder.record { $0.add(items.filter { !keys.contains($0.key) }) }
    return taken
  }
}

private struct RecordingDocument: DocumentStore {
  let store: any DocumentStore
  let recorder: Recorder
  var name: String? { store.name }

  func read() throws -> [UInt8] { try store.read() }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    let added = try store.update(change) { added in
      if !added.isEmpty { try recorder.announce { $0.add(added) } }
    }
    if !added.isEmpty { try recorder.record { $0.add(added) } }
  }
}

extension DocumentStore {
  /// Changes the document.
  ///
  /// - Parameter announce: is told what will be added, before it is written.
  /// - Returns: what was added.
  fileprivate func update(
    _ change: ([UInt8]) throws -> [UInt8], announcing announce: ([DocumentObject]) throws -> Void
  ) throws -> [DocumentObject] {
    var added: [DocumentObject] = []
    try update { old in
      let new = try change(old)
      added = new == old ? [] : try CacheDocument(new).objects(besides: try CacheDocument(old))
      try announce(added)
      return new
    }
    return added
  }
}

/// Documents whose entries are announced all at once, before the first one is written, and written down once
/// more after the last one, so that the work does not grow with the square of their number.
private final class RecordingFolder: AnnouncedFolder, @unchecked Sendable {
  private let folder: any DocumentFolder
  private let recorder: Recorder
  // Guarded by `lock`; that is what makes the class Sendable.
  private var announced: Set<Journal.Entry> = []
  private let lock = NSLock()

  init(folder: any DocumentFolder, recorder: Recorder) {
    self.folder = folder
    self.recorder = recorder
  }

  func document(named name: String) -> any DocumentStore {
    FolderDocument(key: name, store: folder.document(named: name), folder: self)
  }

  /// Writes what is about to be added to every document.
  func announce(_ documents: [(name: String, added: [DocumentObject])]) throws {
    let entries = documents.flatMap { document in
      document.added.map { Journal.Entry($0, in: document.name) }
    }
    guard !entries.isEmpty else { return }
    lock.withLock { announced.formUnion(entries) }
    try recorder.announce { $0.add(entries) }
  }

  /// Writes what was added, once nothing more is.
  func finish() throws { try recorder.record { _ in } }

  private struct FolderDocument: DocumentStore {
    /// What the folder calls it.
    let key: String
    let store: any DocumentStore
    let folder: RecordingFolder
    var name: String? { store.name }

    func read() throws -> [UInt8] { try store.read() }

    func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
      let added = try store.update(change) { try folder.announce(further: $0, in: key) }
      folder.recorder.note { $0.add(added, in: key) }
    }
  }

  /// Writes the merged document after a concurrent change.
  private func announce(further added: [DocumentObject], in name: String) throws {
    let entries = added.map { Journal.Entry($0, in: name) }
    let all = lock.withLock { () -> Set<Journal.Entry>? in
      guard !announced.isSuperset(of: entries) else { return nil }
      announced.formUnion(entries)
      return announced
    }
    if let all { try recorder.announce(only: all) }
  }
}
