// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

/// The lock beside a cache file that MSAL's extension libraries take: the file `PATH.lockfile`.
///
/// The program that creates this file has the lock. The file contains `PID NAME` and disappears with the lock
/// (`filelock.py` of msal-extensions for Python). The older Python library and .NET's also lock the file itself, so
/// this package does both (`cache_lock.py`, `CrossPlatLock.cs`). Its lock file appears with its content and already
/// locked, so an empty or unlocked file belongs to another program.
struct Lock {
  /// The time to wait for another program's lock.
  struct Patience: Sendable {
    var attempts: Int
    /// In milliseconds.
    var pause: UInt32

    /// Five seconds, looking every quarter second, as the Python library does.
    static let standard = Patience(attempts: 20, pause: 250)
  }

  private let place: FilePlace
  var path: String { place.real }

  init(for file: FilePlace) {
    let name = file.name + Self.suffix
    // A name that no library of MSAL's can lock has another lock, for our own processes.
    let isTooLong = name.utf8.count > Int(NAME_MAX)
    place = file.beside(isTooLong ? Self.short(name) : name)
  }

  /// The lock file of this name in a folder, of any process; nil when the name is not that of a lock file.
  init?(named name: String, inFolder folder: FilePlace) {
    guard name.hasSuffix(Self.suffix) else { return nil }
    place = folder.inside(name)
  }

  private static let suffix = ".lockfile"
  /// So long, in milliseconds, is no lock file of a living program empty: the libraries write their words
  /// as soon as they have made it.
  private static let longestEmpty: UInt32 = 250

  /// A name of a fixed length that follows from another one (FNV-1a).
  private static func short(_ name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return TemporaryFile.start + String(hash, radix: 36) + suffix
  }

  /// A lock file of this process. It stays locked while it is open.
  private struct Held: ~Copyable {
    let folder: OpenFolder
    let file: OpenFile
  }

  /// Runs `body` while holding the lock.
  ///
  /// - Throws: `StoreError.locked` if another program keeps the lock, `.unwritable` or `.interrupted` if the lock file
  ///   cannot be made; the errors of `body`.
  func whileHeld<Result>(_ patience: Patience = .standard, _ body: () throws -> Result) throws
    -> Result
  {
    var empty: Emptiness = (nil, 0)
    for turn in 0..<max(patience.attempts, 1) {
      if turn > 0 {
        usleep(patience.pause * 1000)
        empty.lasts += patience.pause
      }
      if let result = try finishing({ try attempt(&empty, body) }) { return result }
    }
    throw held
  }

  /// The result of `body` under the lock; nil if another program has it.
  private func attempt<Result>(
    _ empty: inout Emptiness, _ body: () throws -> Result
  ) throws -> Result? {
    guard let held = try take(&empty) else { return nil }
    let result = Swift.Result { try body() }
    // The name goes first, then the lock on the file. A name that now belongs to another program stays.
    if (try? held.folder.holds(held.file.status, as: place.name)) != false {
      held.folder.remove(place.name)
    }
    _ = consume held
    return try result.get()
  }

  /// A lock file that has been seen empty, and for how long, in milliseconds.
  private typealias Emptiness = (file: FileStatus.Identity?, lasts: UInt32)

  private static var name: String { ProcessInfo.processInfo.processName }
  private static var words: [UInt8] {
    Array("\(ProcessInfo.processInfo.processIdentifier) \(name)".utf8)
  }

  /// The lock file, locked; nil when it is another program's.
  private func take(_ empty: inout Emptiness) throws -> Held? {
    do throws(PosixError) {
      let folder = try OpenFolder(place.folder)
      if let file = try takeOver(in: folder, &empty) {
        try file.clear()
        try file.write(Self.words)
        return Held(folder: folder, file: file)
      }
      guard try folder.look(at: place.name) == nil, let file = try create(in: folder)
      else { return nil }
      return Held(folder: folder, file: file)
    } catch {
      throw [ENOENT, ENOTDIR].contains(error.number)
        ? StoreError.noFolder(of: path)
        : error.failure(.unwritable, "cannot lock the cache: ", about: path)
    }
  }

  /// Makes the lock file, which has our words in it, and our lock on it, from its first moment; nil when one
  /// is there.
  private func create(in folder: borrowing OpenFolder) throws(PosixError) -> OpenFile? {
    let temporary = try TemporaryFile(in: folder)
    do {
      try temporary.file.write(Self.words)
      try folder.link(temporary.name, as: place.name)
      folder.remove(temporary.name)
      return temporary.file
    } catch {
      folder.remove(temporary.name)
      if error.number == EEXIST { return nil }
      guard !error.isOfDisk else { throw error }
      return try createWithoutLinks(in: folder)
    }
  }

  /// Not every file system has hard links.
  private func createWithoutLinks(in folder: borrowing OpenFolder) throws(PosixError) -> OpenFile? {
    do throws(PosixError) {
      let file = try folder.create(place.name)
      // A program that waits for a lock on the file itself may have been quicker; the file is its own then.
      guard file.lock() != .held else { return nil }
      do {
        try file.write(Self.words)
      } catch {
        folder.remove(place.name)
        throw error
      }
      return file
    } catch  where error.number == EEXIST {
      return nil
    }
  }

  /// The lock file that a process of this program left when it was killed; nil when it is not that.
  ///
  /// This package locks the file itself before it writes its name into it. A lock file with this package's name and
  /// without that lock is therefore abandoned. The meaning of another program's file is known only to that program. The
  /// older Python library empties the file that it waits for, so a file that stays empty and unlocked is abandoned too.
  private func takeOver(
    in folder: borrowing OpenFolder, _ empty: inout Emptiness
  ) throws(PosixError) -> OpenFile? {
    guard let file = try? folder.open(place.name), file.status.isRegular, file.status.isOwn,
      let content = try? file.read(atMost: 256)
    else { return nil }
    if content.isEmpty {
      guard file.status.identity == empty.file, empty.lasts >= Self.longestEmpty else {
        if file.status.identity != empty.file { empty = (file.status.identity, 0) }
        return nil
      }
    } else {
      let words = content.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard words.count == 2, Int(String(decoding: words[0], as: UTF8.self)) != nil,
        words[1].elementsEqual(Self.name.utf8)
      else { return nil }
    }
    guard file.lock() == .taken, try folder.holds(file.status, as: place.name) else { return nil }
    return file
  }

  /// Removes the lock file that a process of this program left when it was killed.
  func removeIfAbandoned() {
    var empty: Emptiness = (nil, 0)
    guard let folder = try? OpenFolder(place.folder),
      let file = try? takeOver(in: folder, &empty)
    else { return }
    folder.remove(place.name)
    _ = consume file
  }

  /// Whether a program has the lock, or died with it.
  private func isHeld() throws(StoreError) -> Bool { try FileStatus.ofCompanion(path) != nil }

  /// The result of `look` while no program writes. MSAL for Python writes in place, so a reader may see half a file. If
  /// `look` fails or calls its result unsettled, it is called again while the lock exists, and once after that.
  ///
  /// - Throws: `StoreError.locked` if the lock stays and `look` still refuses; the errors of `look`.
  func settled<Value>(
    _ patience: Patience = .standard, isSettled: (Value) -> Bool = { _ in true },
    _ look: () throws -> Value
  ) throws -> Value {
    var looks = 0
    while true {
      let wasHeld = try isHeld()
      let found = Result { try look() }
      let isInUse = try wasHeld || isHeld()
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
      "\(path) is the lock of another program that uses the cache; "
        + "if no program does, delete that file and run the command again")
  }
}
