// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache

extension Target {
  /// The same target, and what is added to it is written down. Of a folder of documents nothing is: each would
  /// need a journal of its own.
  ///
  /// - Parameter write: gets the journal before anything is added, with what is about to be, and once more
  ///   afterwards, with what was; what it throws the first time ends the run before anything is written.
  public func recording(_ write: @escaping @Sendable (Journal) throws -> Void) -> Target {
    let recorder = Recorder(write)
    switch content {
    case .items(let store): return with(.items(RecordingStore(store: store, recorder: recorder)))
    case .document(let store):
      return with(.document(RecordingDocument(store: store, recorder: recorder)))
    case .folder: return self
    }
  }
}

/// What was added so far, in however many calls.
private final class Recorder: @unchecked Sendable {
  // Guarded by `lock`; that is what makes the class Sendable.
  private var journal = Journal()
  private let lock = NSLock()
  private let write: @Sendable (Journal) throws -> Void

  init(_ write: @escaping @Sendable (Journal) throws -> Void) { self.write = write }

  /// Writes what is about to be added beside what was.
  func announce(_ add: (inout Journal) -> Void) throws {
    var next = lock.withLock { journal }
    add(&next)
    try write(next)
  }

  func record(_ add: (inout Journal) -> Void) throws {
    let next = lock.withLock {
      add(&journal)
      return journal
    }
    try write(next)
  }
}

private struct RecordingStore: PlacedStore {
  let store: any ItemStore
  let recorder: Recorder

  func isSamePlace(as other: any ItemStore) -> Bool {
    (store as? any PlacedStore)?.isSamePlace(as: other) ?? false
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

  func read() throws -> [UInt8] { try store.read() }

  func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    var added: [DocumentObject] = []
    try store.update { old in
      let new = try change(old)
      added = new == old ? [] : try CacheDocument(new).objects(besides: try CacheDocument(old))
      if !added.isEmpty { try recorder.announce { $0.add(added) } }
      return new
    }
    if !added.isEmpty { try recorder.record { $0.add(added) } }
  }
}
