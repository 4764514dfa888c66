// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A file with a cache document, which other programs use at the same time.
///
/// Replacing it happens under the lock that MSAL's extension libraries take, `PATH.lockfile`, and
/// atomically: temporary file, fsync, rename, fsync of the folder. A new file has mode 0600.
public struct DocumentFile: DocumentStore {
  /// The path as it was given.
  public let path: String
  /// The path, for messages.
  public var name: String? { path }
  private let patience: Lock.Patience
  private let limit: Int
  /// Whether a change removes leftovers of an interrupted one. For a folder with many documents, the folder's place
  /// does that once.
  private let tidiesUp: Bool

  /// The file at `path`, which is opened by the methods only.
  ///
  /// - Parameters:
  ///   - path: where it is, or is to be made.
  ///   - lockTimeout: how long to wait for another program's lock, in seconds.
  public init(path: String, lockTimeout: Double = 5) {
    self.init(path: path, lockTimeout: lockTimeout, limit: CacheFile.largest)
  }

  /// A document of a folder. The folder's place removes leftovers.
  package init(inFolderAt path: String) {
    self.init(path: path, lockTimeout: 5, limit: CacheFile.largest, tidiesUp: false)
  }

  init(path: String, lockTimeout: Double, limit: Int, tidiesUp: Bool = true) {
    self.path = path
    self.limit = limit
    self.tidiesUp = tidiesUp
    let pause: UInt32 = 250
    let attempts = Int(max(0, min(lockTimeout, 3600)) * 1000) / Int(pause)
    patience = Lock.Patience(attempts: attempts, pause: pause)
  }

  /// The document as it is; nothing where there is no file. Half a document is read again while another
  /// program has the lock: MSAL for Python writes in place.
  ///
  /// - Throws: `StoreError.locked` when that program keeps the lock and the document stays half, another
  ///   `StoreError` when the file cannot be read.
  public func read() throws -> [UInt8] { try whole() ?? [] }

  /// Replaces the document by the result of `change`, under the lock. If the bytes are the same, no file is made, not
  /// even a lock. `change` may be called twice, because the first bytes may be half of another program's write. An
  /// error of the first call is ignored.
  ///
  /// - Throws: `StoreError.locked` if another program keeps the lock, `.unwritable` if the file cannot be written,
  ///   `.interrupted` if the disk is full or fails. The file then stays as it was. Also the errors of `change`.
  public func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
    try replace { content in
      let old = content ?? []
      let new = try change(old)
      return new == old ? nil : new
    }
  }

  /// The content of the file, or nil if there is no file; read again as ``read()`` does.
  package func whole() throws -> [UInt8]? {
    guard let place = try FilePlace.find(path, for: .reading) else { return nil }
    do {
      return try Lock(for: place).settled(patience, isSettled: { $0 != [] }) {
        let bytes = try content()
        guard Self.isWhole(bytes ?? []) else { throw Objection(words: "it is half a document") }
        return bytes
      }
    } catch is Objection {
      // No program is writing, so the reader of the document reports the problem.
      return try content()
    }
  }

  /// Whether the bytes are nothing or one JSON text, and not the beginning of one.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    var scanner = JSONScanner(bytes)
    do {
      try scanner.skipValue()
      try scanner.expectEnd()
      return true
    } catch {
      return false
    }
  }

  /// The content of the file, or nil if there is no file. Reading takes no lock, so a program may be writing the file
  /// in place at the same time.
  func content() throws -> [UInt8]? {
    guard try FilePlace.exists(path, for: .reading) else { return nil }
    return try CacheFile.bytes(of: path, limit: limit)
  }

  /// The content of this open file.
  func content(of file: borrowing OpenFile) throws(StoreError) -> [UInt8] {
    try CacheFile.rest(of: file, path, after: [], limit: limit)
  }

  /// The number of bytes of this open file.
  func size(of file: borrowing OpenFile) throws(StoreError) -> Int {
    try CacheFile.size(of: file, path, limit: limit)
  }

  /// Replaces the content by the result of `change`. `change` gets nil if there is no file, and returns nil to write
  /// nothing. It may be called twice, and an error of the first call is ignored.
  func replace(_ change: ([UInt8]?) throws -> [UInt8]?) throws {
    // Without a change, no file is made, not even a lock. An error may come from another program's write in place.
    if case .success(nil) = Result(catching: { try change(try content()) }) { return }
    let place = try FilePlace(path, for: .writing)
    try Lock(for: place).whileHeld(patience) {
      guard let new = try change(try content()) else { return }
      // Content that cannot be read again is not written.
      guard new.count <= limit else {
        throw StoreError(.unwritable, "\(path) would become larger than \(limit) bytes")
      }
      if tidiesUp { place.removeLeftovers() }
      try place.replace(with: new)
    }
  }
}
