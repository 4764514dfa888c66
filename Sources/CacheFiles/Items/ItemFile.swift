// SPDX-License-Identifier: MIT
import KeychainItems

/// Keychain items in a JSON file (contract §4).
///
/// Items of other classes than generic password are kept and not returned. A changed file is replaced as a whole, under
/// the lock that ``DocumentFile`` also takes. Its existing text stays as it was, byte for byte.
public struct ItemFile: RemovableStore {
  static let format = "keychain-items"

  enum Origin {
    case file(DocumentFile, missing: SnapshotFile.Missing)
    case bytes([UInt8], name: String)
  }

  let place: Origin

  /// The path as it was given; nil for items that are not in a file.
  package var path: String? {
    if case .file(let file, _) = place { file.path } else { nil }
  }

  /// The items file at `path`, which is opened by the methods only.
  ///
  /// - Parameters:
  ///   - path: where it is, or is to be made.
  ///   - missing: the meaning of a missing file.
  ///   - lockTimeout: how long to wait for another program's lock, in seconds.
  public init(path: String, missing: SnapshotFile.Missing = .isAnError, lockTimeout: Double = 5) {
    place = .file(DocumentFile(path: path, lockTimeout: lockTimeout), missing: missing)
  }

  /// Items that are not in a file, such as standard input. Nothing can be added to them.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the name for messages.
  public init(bytes: [UInt8], name: String) {
    place = .bytes(bytes, name: name)
  }

  public func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    switch place {
    case .bytes(let bytes, let name): try Self.document(bytes, name).forEachItem(body)
    case .file(let file, let missing):
      guard try FilePlace.exists(file.path, for: .reading) else {
        guard missing == .isEmpty else {
          throw StoreError(.unreadable, "\(file.path) does not exist")
        }
        return
      }
      try Self.forEachItem(of: OpenFile(reading: file.path), file, body)
    }
  }

  /// Calls `body` with the items of a file. An ordinary file is read twice, in pieces: first for the places of the
  /// items, then for their values.
  private static func forEachItem(
    of open: borrowing OpenFile, _ file: DocumentFile, _ body: (KeychainItem) throws -> Void
  ) throws {
    guard open.status.isRegular else {
      return try document(file.content(of: open), file.path).forEachItem(body)
    }
    let changed = StoreError(.locked, "\(file.path) was written while it was read; try again")
    func bytes(_ range: Range<Int>) throws -> [UInt8] {
      let bytes = try reading(file.path) { () throws(PosixError) in try open.read(range) }
      guard let bytes else { throw changed }
      return bytes
    }
    func expectUnchanged() throws {
      let isAsOpened = try reading(file.path) { () throws(PosixError) in try open.isAsOpened() }
      guard isAsOpened else { throw changed }
    }
    open.waitUntilWritesShow()
    do {
      let places = try asItems(file.path) { try ItemPlaces(size: file.size(of: open), bytes) }
      try places.order.forEachItem(
        in: { ItemOrder.Part(bytes: try bytes($0), start: $0.lowerBound) }, body)
    } catch let error as StoreError where error.code == .notACache {
      // Pieces of two moments contradict each other.
      try expectUnchanged()
      throw error
    }
    try expectUnchanged()
  }

  public func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    guard case .file(let file, let missing) = place else {
      throw StoreError(.unwritable, "standard input cannot be a target")
    }
    guard !items.isEmpty else { return [] }
    var taken: [KeychainItem] = []
    try file.replace { bytes in
      guard bytes != nil || missing == .isEmpty else {
        throw StoreError(.unwritable, "\(file.path) does not exist")
      }
      var document = try bytes.map { try Self.document($0, file.path) } ?? ItemDocument()
      taken = document.add(items)
      return taken.count < items.count ? document.bytes : nil
    }
    return taken
  }

  /// Removes items; see `RemovableStore`.
  public func remove(
    _ keys: Set<KeychainItem.Key>, where isMeant: (KeychainItem) -> Bool
  ) throws -> Set<KeychainItem.Key> {
    guard case .file(let file, _) = place else {
      throw StoreError(.unwritable, "entries cannot be removed from standard input")
    }
    var removed: Set<KeychainItem.Key> = []
    try file.replace { bytes in
      guard let bytes else { return nil }
      let rest = try Self.document(bytes, file.path).removing {
        keys.contains($0.key) && isMeant($0)
      }
      removed = rest.removed
      return removed.isEmpty ? nil : rest.bytes
    }
    return removed
  }

  static func document(_ bytes: [UInt8], _ name: String) throws -> ItemDocument {
    try asItems(name) { try ItemDocument(bytes) }
  }

  private static func asItems<Items>(_ name: String, _ read: () throws -> Items) throws -> Items {
    do {
      return try read()
    } catch let error as StoreError {
      throw error
    } catch {
      let words = Objection(error).words
      throw StoreError(.notACache, "\(name) is not a file of keychain items: \(words)")
    }
  }

  static func inOrder(_ items: [KeychainItem]) -> [KeychainItem] {
    // Positions are moved, not items of thirty parts.
    items.withUnsafeBufferPointer { items in
      items.indices.sorted { precedes(items[$0], items[$1]) }.map { items[$0] }
    }
  }

  /// The order of keys. A file can hold a key twice; which comes first must then not depend on where
  /// they are in the file.
  static func precedes(_ a: KeychainItem, _ b: KeychainItem) -> Bool {
    let order = a.key.compare(b.key)
    guard order == 0 else { return order < 0 }
    // Reveal: only to put the two items in an order.
    let (left, right) = (a.data?.reveal() ?? [], b.data?.reveal() ?? [])
    guard left == right else { return left.lexicographicallyPrecedes(right) }
    return (a.modified ?? 0) < (b.modified ?? 0)
  }
}

extension ItemFile {
  /// Whether both are one place; see `ItemStore`.
  public func isSamePlace(as other: any ItemStore) -> Bool {
    guard let other = other as? ItemFile else { return false }
    return switch (place, other.place) {
    case (.file(let file, _), .file(let another, _)):
      OutputFile.areSame(file.path, another.path)
    // One array is equal to itself at once.
    case (.bytes(let bytes, let name), .bytes(let others, let another)):
      name == another && bytes == others
    case (.file, .bytes), (.bytes, .file): false
    }
  }
}
