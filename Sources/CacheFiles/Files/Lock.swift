// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// The lock beside a cache file that MSAL's extension libraries take: the file `PATH.lockfile`.
///
/// Who manages to create that file has the lock; it says `PID NAME` and goes away with the lock
/// (`filelock.py` of msal-extensions for Python). The older Python one and .NET's also lock the file
/// itself, so we do that too (`cache_lock.py`, `CrossPlatLock.cs`). Ours appears with its words in it and
/// locked, so that one without them is somebody else's.
struct Lock {
  /// How long to wait for somebody else's lock.
  struct Patience: Sendable {
    var attempts: Int
    /// In milliseconds.
    var pause: UInt32

    /// Five seconds, looking every quarter second, as the Python library does.
    static let standard = Patience(attempts: 20, pause: 250)
  }

  /// The lock file.
  private let lockFile: AtomicFile
  var path: String { lockFile.path }

  init(for file: String) {
    let name = AtomicFile.resolved(file) + Self.suffix
    let place = AtomicFile(path: name)
    // A name that no library of MSAL's can lock has another lock, for our own processes.
    let isTooLong = place.name.utf8.count > Int(NAME_MAX)
    lockFile =
      isTooLong ? AtomicFile(path: TemporaryFile.path(of: place, Self.suffix)) : place
  }

  private static let suffix = ".lockfile"

  /// Runs `body` while holding the lock.
  ///
  /// - Throws: `StoreError.locked` when another program keeps it, `.unwritable` or `.interrupted` when
  ///   the lock file cannot be made; what `body` throws.
  func whileHeld<Result>(_ patience: Patience = .standard, _ body: () throws -> Result) throws
    -> Result
  {
    for attempt in 0..<max(patience.attempts, 1) {
      if attempt > 0 { usleep(patience.pause * 1000) }
      guard let file = try take() else { continue }
      defer {
        // First the name, then the lock on what it named.
        unlink(path)
        withExtendedLifetime(file) {}
      }
      return try body()
    }
    throw held
  }

  private static var name: String { ProcessInfo.processInfo.processName }
  private static var words: [UInt8] {
    Array("\(ProcessInfo.processInfo.processIdentifier) \(name)".utf8)
  }

  /// The lock file, locked; nil when it is another program's.
  private func take() throws -> OpenFile? {
    do {
      if let file = takeOver() {
        try file.clear()
        try file.write(Self.words)
        return file
      }
      return try isHeld ? nil : lockFile.createLocked(Self.words)
    } catch {
      throw failure(error)
    }
  }

  /// The lock file that a process of this program left when it was killed; nil when it is not that.
  ///
  /// Ours write their name after they have locked the file itself, so one with our name and without that
  /// lock is nobody's any more. What the file of another program means, only that program knows.
  private func takeOver() -> OpenFile? {
    guard let file = try? OpenFile(existing: path), file.isRegular, file.isOwn,
      let content = try? file.read(atMost: 256)
    else { return nil }
    let words = content.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard words.count == 2, Int(String(decoding: words[0], as: UTF8.self)) != nil,
      words[1].elementsEqual(Self.name.utf8), file.lock() == .taken, file.isStill(at: path)
    else { return nil }
    return file
  }

  /// Removes the lock file that a process of this program left when it was killed.
  func removeIfAbandoned() {
    lockFile.removeLeftovers()
    guard let file = takeOver() else { return }
    unlink(path)
    _ = consume file
  }

  /// Whether a program has the lock, or died with it.
  var isHeld: Bool { AtomicFile(path: path).exists }

  /// What `look` finds when nobody writes. MSAL for Python writes in place, so half a file may be met:
  /// what `look` refuses, or calls unsettled, is looked at again while the lock is there, and once more
  /// after.
  ///
  /// - Throws: `StoreError.locked` when the lock stays and `look` goes on refusing; what `look` throws.
  func settled<Value>(
    _ patience: Patience = .standard, isSettled: (Value) -> Bool = { _ in true },
    _ look: () throws -> Value
  ) throws -> Value {
    var looks = 0
    while true {
      let wasHeld = isHeld
      let found = Result { try look() }
      let isInUse = wasHeld || isHeld
      looks += 1
      let isLast = looks >= (isInUse ? patience.attempts : 2)
      switch found {
      case .success(let value):
        if isSettled(value) || !isInUse || isLast { return value }
      case .failure(let error as StoreError): throw error
      case .failure(let error):
        if isLast { throw isInUse ? held : error }
      }
      usleep((isInUse ? patience.pause : 50) * 1000)
    }
  }

  private var held: StoreError {
    StoreError(
      .locked,
      "\(path) says that another program is using the cache; "
        + "if none is, remove that file and try again")
  }

  private func failure(_ error: PosixError) -> StoreError {
    switch error.number {
    case ENOENT, ENOTDIR:
      return StoreError(.unwritable, "\(path) cannot be made: its folder does not exist")
    default:
      let code: StoreError.Code = error.isOfDisk ? .interrupted : .unwritable
      return StoreError(code, "cannot lock the cache: " + error.sentence(about: path))
    }
  }
}
