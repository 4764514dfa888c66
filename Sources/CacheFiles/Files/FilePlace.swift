// SPDX-License-Identifier: MIT
import CacheJSON
import PlatformFoundation
import KeychainItems

/// The end of a path: a folder, without links, and a name in it that is not a link.
///
/// Links are followed one by one, and not by the system, so that a link of a stranger can be told from one
/// of the user's own: the system's rule for `/tmp` (`fs.protected_symlinks`) holds only for a program that
/// opens the link, and a program that replaces the file at its end is not asked.
struct FilePlace: Sendable {
  /// The use of the place. It decides the meaning of a failure, and whether links are followed.
  enum Use {
    case reading, writing

    func failure(_ error: PosixError, _ path: String) -> StoreError {
      self == .reading ? error.reading(path) : error.writing(path)
    }
  }

  /// The path as it was given, for messages.
  let path: String
  /// The absolute path of the folder.
  let folder: String
  let name: String
  /// The absolute path.
  var real: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
}

extension FilePlace {
  /// The most links, as many as the systems follow.
  private static let mostLinks = 40

  /// - Throws: `StoreError.unreadable` or `.unwritable` by the use when the folder does not exist, a link
  ///   names nothing or is a stranger's, or the system does not say where the path leads.
  init(_ path: String, for use: Use) throws(StoreError) {
    guard let place = try Self.find(path, for: use) else {
      throw switch use {
      case .reading: StoreError(.unreadable, "\(path) does not exist")
      case .writing: StoreError.noFolder(of: path)
      }
    }
    self = place
  }

  /// The place of a path; nil where its folder does not exist.
  static func find(_ path: String, for use: Use) throws(StoreError) -> FilePlace? {
    do {
      return try followed(path, for: use)
    } catch let error as PosixError {
      throw use.failure(error, path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.unreadable, "\(path): \(error)")
    }
  }

  /// Whether a path exists, possibly as a broken link.
  static func exists(_ path: String, for use: Use) throws(StoreError) -> Bool {
    do {
      return try FileStatus.at(path, followsLinks: false) != nil
    } catch {
      throw use.failure(error, path)
    }
  }

  func beside(_ name: String) -> FilePlace {
    FilePlace(path: path, folder: folder, name: name)
  }

  func inside(_ name: String) -> FilePlace { FilePlace(path: path, folder: real, name: name) }

  private static func followed(_ path: String, for use: Use) throws -> FilePlace? {
    var current = path
    for _ in 0...mostLinks {
      guard let (above, name) = try split(current) else { return nil }
      let place = FilePlace(path: path, folder: above, name: name)
      guard let found = try FileStatus.at(place.real, followsLinks: false) else { return place }
      let target = found.isLink ? try destination(of: place.real) : nil
      if let target, try FileStatus.at(place.real, followsLinks: true) == nil {
        throw StoreError(
          use == .reading ? .unreadable : .unwritable,
          "\(path) is a link to \(target), which does not exist")
      }
      if use == .writing { try refuseFilesOfOthers(found, path, in: above) }
      guard let target else { return place }
      let next = target.hasPrefix("/") ? target : "\(above)/\(target)"
      // The system has links that name no path, such as those of /dev/fd.
      guard try FileStatus.at(next, followsLinks: false) != nil else { return place }
      current = next
    }
    throw PosixError(number: ELOOP)
  }

  /// The folder of a path, without links, and the last name; nil where the folder does not exist.
  private static func split(_ path: String) throws(PosixError) -> (folder: String, name: String)? {
    guard !path.isEmpty else { return nil }
    var path = path
    while path.utf8.count > 1, path.utf8.last == slash {
      path = String(path[..<path.utf8.index(before: path.endIndex)])
    }
    let (folder, name) = parts(of: path)
    // The last part of these paths is not a name.
    guard !["", ".", ".."].contains(name) else {
      return try real(path).map { whole in
        let (folder, name) = parts(of: whole)
        return (folder ?? "/", name)
      }
    }
    return try real(folder ?? ".").map { ($0, name) }
  }

  private static let slash = UInt8(ascii: "/")

  /// The parts before and after the last slash. It searches bytes, because a slash with a combining accent is one
  /// character.
  private static func parts(of path: String) -> (folder: String?, name: String) {
    guard let last = path.utf8.lastIndex(of: slash) else { return (nil, path) }
    let folder = last == path.startIndex ? "/" : String(path[..<last])
    return (folder, String(path[path.utf8.index(after: last)...]))
  }

  /// The absolute path without links; nil if the path does not exist.
  private static func real(_ path: String) throws(PosixError) -> String? {
    guard !path.utf8.contains(0) else { throw PosixError(number: EINVAL) }
    guard let found = realpath(path, nil) else {
      let error = PosixError()
      if error.isAbsence { return nil }
      throw error
    }
    defer { free(found) }
    // Another text would be the path of another file.
    guard let text = String(validatingCString: found) else { throw PosixError(number: EILSEQ) }
    return text
  }

  private static func destination(of link: String) throws(PosixError) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { raw in
      raw.bindMemory(to: CChar.self).baseAddress.map { readlink(link, $0, raw.count) } ?? -1
    }
    guard count > 0 else { throw PosixError(number: count == 0 ? ENOENT : errno) }
    guard count < bytes.count else { throw PosixError(number: ENAMETOOLONG) }
    guard let text = String(validUTF8: Array(bytes.prefix(count))) else {
      throw PosixError(number: EILSEQ)
    }
    return text
  }

  /// Applies the system's rules for folders like `/tmp`: a link (`fs.protected_symlinks`) or a file
  /// (`fs.protected_regular`) of another user may be a trap. For links they hold in every folder that others may write to.
  private static func refuseFilesOfOthers(
    _ found: FileStatus, _ path: String, in folder: String
  ) throws {
    guard !found.isOwn, let above = try FileStatus.at(folder, followsLinks: true),
      found.owner != above.owner
    else { return }
    if found.isLink, above.isShared {
      throw StoreError(
        .unwritable,
        "\(path) is a link of user \(found.owner) in a folder that others may write to; "
          + "name the file itself")
    }
    if found.isRegular, above.isStickyForAll {
      throw StoreError(
        .unwritable,
        "\(path) belongs to user \(found.owner) and is in a folder that others may write to; "
          + "write to another file, or remove it first")
    }
  }
}
