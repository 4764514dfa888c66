// SPDX-License-Identifier: MIT
import KeychainItems

/// A file that is read and replaced as a whole: MSAL's portable cache document, or an items file.
///
/// Replacing it happens under the lock that MSAL's extension libraries take, `PATH.lockfile`, and
/// atomically: temporary file, fsync, rename, fsync of the folder. A new file has mode 0600.
public struct DocumentFile: Sendable {
  /// The path as it was given.
  public let path: String
  private let patience: Lock.Patience
  private let limit: Int

  /// The file at `path`, which is opened by the methods only.
  ///
  /// - Parameter lockTimeout: how long to wait for another program's lock, in seconds.
  public init(path: String, lockTimeout: Double = 5) {
    self.init(path: path, lockTimeout: lockTimeout, limit: CacheFile.largest)
  }

  init(path: String, lockTimeout: Double, limit: Int) {
    self.path = path
    self.limit = limit
    let pause: UInt32 = 250
    let attempts = Int(max(0, min(lockTimeout, 3600)) * 1000) / Int(pause)
    patience = Lock.Patience(attempts: attempts, pause: pause)
  }

  /// What is in the file, or nil when there is none. Reading takes no lock, so the file may be met while
  /// a program that writes in place is at it.
  ///
  /// - Throws: ``StoreError`` when it cannot be read.
  public func read() throws -> [UInt8]? {
    guard AtomicFile(path: path).exists else { return nil }
    return try CacheFile.bytes(of: path, limit: limit)
  }

  /// What is in the file, or nil when there is none. What is empty or what `check` refuses is read again
  /// while another program has the lock.
  ///
  /// - Throws: `StoreError.locked` when that program keeps the lock and `check` goes on refusing, another
  ///   ``StoreError`` when the file cannot be read, what `check` throws.
  public func read(checkedBy check: ([UInt8]) throws -> Void) throws -> [UInt8]? {
    try Lock(for: path).settled(patience, isSettled: { $0 != [] }) {
      let bytes = try read()
      if let bytes { try check(bytes) }
      return bytes
    }
  }

  /// Replaces the content by what `change` makes of it. It gets nil when there is no file, and gives nil
  /// when nothing is to be written; it may be called twice, and what it throws the first time is ignored.
  ///
  /// - Throws: `StoreError.locked` when another program keeps the lock, `.unwritable` when the file
  ///   cannot be written, `.interrupted` when the disk is full or fails; the file is then as it was.
  ///   What `change` throws.
  public func update(_ change: ([UInt8]?) throws -> [UInt8]?) throws {
    // Without anything to write, nothing is made, not even a lock. What goes wrong may be of another
    // program's writing in place.
    if case .success(nil) = Result(catching: { try change(try read()) }) { return }
    try Lock(for: path).whileHeld(patience) {
      guard let new = try change(try read()) else { return }
      // What cannot be read again is not written.
      guard new.count <= limit else {
        throw StoreError(.unwritable, "\(path) would become larger than \(limit) bytes")
      }
      try AtomicFile(path: path).replace(with: new)
    }
  }
}
