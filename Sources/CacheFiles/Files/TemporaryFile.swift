// SPDX-License-Identifier: MIT
import Foundation

/// A file that is filled before anybody knows it by its own name, in the folder of the file whose place
/// it will take: `.adal2msal-….tmp`, with mode 0600.
///
/// Whoever fills it has a lock on it, which goes with the process. So a file without one is what a
/// process left that was killed, and who fills the same file next removes it: it may hold tokens.
struct TemporaryFile: ~Copyable {
  let path: String
  let file: OpenFile

  /// Files at one time for one name, which as many processes can fill.
  private static let places = 8

  /// Makes an empty file for the one that will be called `name`.
  init(for name: String, inFolder folder: String) throws(PosixError) {
    Self.removeLeftovers(for: name, inFolder: folder)
    // Where all places are somebody's, be it a stranger's in a folder for everybody, a name that nobody
    // guesses is free.
    let candidates =
      Self.paths(for: name, inFolder: folder)
      + (0..<Self.places).map { _ in
        Self.path(String(UInt64.random(in: .min ... .max), radix: 36), inFolder: folder)
      }
    for candidate in candidates {
      let file: OpenFile
      do {
        file = try OpenFile(creating: candidate)
      } catch  where error.number == EEXIST {
        continue
      }
      // Who tidies up may have come before the lock.
      if file.lock() != .held, file.isStill(at: candidate) {
        self.path = candidate
        self.file = file
        return
      }
    }
    throw PosixError(number: EEXIST)
  }

  /// Removes what processes left that were killed while they filled the file called `name`.
  static func removeLeftovers(for name: String, inFolder folder: String) {
    for path in paths(for: name, inFolder: folder) {
      guard let file = try? OpenFile(existing: path), file.isRegular, file.isOwn,
        file.lock() == .taken, file.isStill(at: path)
      else { continue }
      unlink(path)
    }
  }

  private static func paths(for name: String, inFolder folder: String) -> [String] {
    (0..<places).map { path("\(hash(of: name))-\($0)", inFolder: folder) }
  }

  /// The path of a file that belongs to another whose name may be as long as a name can be.
  static func path(of file: AtomicFile, _ end: String) -> String {
    path(hash(of: file.name), end, inFolder: file.folder)
  }

  private static func path(_ middle: String, _ end: String = end, inFolder folder: String) -> String
  {
    "\(folder)/\(start)\(middle)\(end)"
  }

  /// FNV-1a.
  private static func hash(of name: String) -> String {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 36)
  }

  private static let start = ".adal2msal-"
  static let end = ".tmp"

  /// Whether a file is called as these are.
  static func isOne(_ name: String) -> Bool { name.hasPrefix(start) && name.hasSuffix(end) }
}
