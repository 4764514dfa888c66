// SPDX-License-Identifier: MIT
import PlatformFoundation

/// A file that is filled before it gets its final name, in the folder of the file that it will replace:
/// `.adal2msal-….tmp`, with mode 0600 and an unpredictable name.
///
/// The process that fills it holds a lock on it, which ends with the process. A file without that lock is a leftover of
/// a killed process. The next run that writes into the folder removes it, because it may contain tokens.
struct TemporaryFile: ~Copyable {
  let name: String
  let file: OpenFile

  /// The most attempts with new names. A file can be gone before it is locked, if another run removes leftovers.
  private static let attempts = 8

  init(in folder: borrowing OpenFolder) throws(PosixError) {
    for _ in 0..<Self.attempts {
      let name = Self.newName(Self.end)
      let file: OpenFile
      do {
        file = try folder.create(name)
      } catch  where error.number == EEXIST {
        continue
      }
      if file.lock() != .held, try folder.holds(file.status, as: name) {
        self.name = name
        self.file = file
        return
      }
    }
    throw PosixError(number: EEXIST)
  }

  /// Removes the files in a folder that processes left that were killed while they filled them.
  static func removeLeftovers(in folder: borrowing OpenFolder) {
    for name in (try? folder.names().names) ?? [] where isMade(name, end) {
      guard let file = try? folder.open(name), file.status.isRegular, file.status.isOwn,
        file.lock() == .taken, (try? folder.holds(file.status, as: name)) == true
      else { continue }
      folder.remove(name)
    }
  }

  /// Removes the other name of a file in the folder, which a process left that was killed as it gave the
  /// file its own.
  static func removeOtherName(of name: String, in folder: borrowing OpenFolder) {
    guard let file = try? folder.look(at: name), file.isRegular, file.isOwn else { return }
    for name in (try? folder.names().names) ?? [] where isMade(name, end) {
      if (try? folder.holds(file, as: name)) == true { folder.remove(name) }
    }
  }

  static func newName(_ end: String) -> String {
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    return start + String(repeating: "0", count: randomLength - random.count) + random + end
  }

  /// Whether a name is one that ``newName(_:)`` makes.
  static func isMade(_ name: String, _ end: String) -> Bool {
    guard name.hasPrefix(start), name.hasSuffix(end) else { return false }
    let random = name.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    return random.count == randomLength
      && random.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  static let start = ".adal2msal-"
  static let end = ".tmp"
  /// The number of digits of the largest 64-bit number in base 36.
  private static let randomLength = 13

  /// Whether a file is called as these are, by this version or another.
  static func isOne(_ name: String) -> Bool { name.hasPrefix(start) && name.hasSuffix(end) }
}
