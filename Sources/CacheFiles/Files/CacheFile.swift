// SPDX-License-Identifier: MIT
import CacheJSON
import PlatformFoundation
import KeychainItems

/// A file, or standard input, with the kind that its first bytes show (contract §2). Its name does not count.
public struct CacheFile: Sendable {
  /// The kinds of files.
  public enum Kind: Sendable, Hashable {
    /// A SQLite file: open it as ``SnapshotFile``. Whether it is a snapshot of ours is not known yet.
    case snapshot
    /// Keychain items as JSON: open it as ``ItemFile``.
    case items
    /// MSAL's portable cache document.
    case document
    /// Keychain items that another tool wrote down: open it as ``KeychainDump``.
    case dump
    /// A binary property list, such as ADAL's macOS blob or one archived item.
    case archive
    /// ADAL.NET's blob, or a protected one.
    case blob
    /// A list of ADAL for Python or Node, or of Azure CLI.
    case list
    /// The format that ADAL.NET 4 and 5 wrote for MSAL.NET 2: a list of lists of entries.
    case unifiedList
    /// One of these in something else: open it as ``WrappedCache``.
    case wrapped
    /// Another file.
    case unknown
  }

  /// The largest file that is read or written as a whole, in bytes. A snapshot is not: it is read row by
  /// row.
  public static let largest = 1 << 30
  /// The largest archive that is read, in bytes: its reader refuses more, whatever is in it.
  package static let largestArchive = 48 << 20

  /// The path as it was given, or the name of the input for messages.
  public let path: String
  /// The kind that its first bytes show.
  public let kind: Kind
  /// All bytes; empty for a snapshot and for an unknown file, which is not read to its end.
  public let bytes: [UInt8]
  /// The number of bytes, read or not; for a pipe of an unknown kind, the number of checked bytes.
  package let size: Int
  package let isEmpty: Bool
  /// Whether an unknown file is text: its first bytes contain only control characters that occur in text.
  package let isText: Bool

  /// Opens the file at `path` and reads it.
  ///
  /// - Throws: `StoreError.unreadable` when it does not exist, is a folder, may not be read or is larger
  ///   than `limit`.
  public init(path: String, limit: Int = CacheFile.largest) throws {
    let file = try OpenFile(reading: path)
    let start = try reading(path) { () throws(PosixError) in
      try file.read(atMost: Self.startLength)
    }
    if start.starts(with: SnapshotHeader.magic) {
      guard file.status.isRegular else {
        throw StoreError(
          .unreadable, "\(path) is a snapshot, which must be an ordinary file to be read")
      }
      self.init(
        path: path, kind: .snapshot, bytes: [], size: file.status.size, start: start[...])
    } else if Self.mayBeCache(start) {
      let isArchive = start.starts(with: Self.archiveMagic)
      let bytes = try Self.rest(
        of: file, path, after: start, limit: isArchive ? min(limit, Self.largestArchive) : limit)
      self.init(bytes: bytes, name: path)
    } else {
      self.init(
        path: path, kind: .unknown, bytes: [], size: max(file.status.size, start.count),
        start: start[...])
    }
  }

  /// Opens and reads the file at `path`. It reads again while the kind is unknown and another program holds the lock of
  /// MSAL's extension libraries, because that program may be writing the file.
  ///
  /// - Throws: as ``init(path:limit:)``.
  public init(settledAt path: String) throws {
    guard let place = try FilePlace.find(path, for: .reading) else {
      throw StoreError(.unreadable, "\(path) does not exist")
    }
    self = try Lock(for: place).settled(isSettled: { $0.kind != .unknown }) {
      try CacheFile(path: path)
    }
  }

  /// Bytes that are not in a file, such as standard input.
  public init(bytes: [UInt8], name: String) {
    let kind = Self.kind(of: bytes)
    let isKept = kind != .unknown && kind != .snapshot
    self.init(
      path: name, kind: kind, bytes: isKept ? bytes : [], size: bytes.count,
      start: bytes.prefix(Self.startLength))
  }

  private init(
    path: String, kind: Kind, bytes: [UInt8], size: Int, start: ArraySlice<UInt8>
  ) {
    self.path = path
    self.kind = kind
    self.bytes = bytes
    self.size = size
    isEmpty = start.isEmpty
    isText = kind == .unknown && !start.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }
  }

  /// Whether the file at `path` says in its first bytes that it is an items file, which an ``ItemFile`` reads when it
  /// is asked. It is an ordinary one: other files can be read once, and descriptors may not be rewound.
  package static func isItemFile(at path: String) -> Bool {
    guard !path.hasPrefix("/dev/"),
      (try? FileStatus.at(path, followsLinks: true))??.isRegular ?? false,
      let file = try? OpenFile(reading: path), let start = try? file.read(atMost: startLength)
    else { return false }
    return kind(ofObject: start) == .items
  }

  /// All bytes of a file, whatever it is.
  ///
  /// - Throws: as ``init(path:limit:)``.
  public static func bytes(of path: String, limit: Int = CacheFile.largest) throws -> [UInt8] {
    try rest(of: try OpenFile(reading: path), path, after: [], limit: limit)
  }

  /// All bytes of standard input.
  package static func standardInput(limit: Int = CacheFile.largest) throws -> [UInt8] {
    let name = "standard input"
    let file = try reading(name) { () throws(PosixError) in try OpenFile(standardInput: ()) }
    return try rest(of: file, name, after: [], limit: limit)
  }

  /// The paths of the files in a folder, in the byte order of their names. Subfolders and leftovers of a killed run are
  /// not included. Nil if `path` is not a folder.
  ///
  /// - Throws: `StoreError.unreadable` when the folder cannot be read.
  public static func files(inFolder path: String) throws -> [String]? {
    try entries(ofFolder: path, \.isRegular)
  }

  /// The paths of the folders in a folder, in the same order.
  package static func folders(inFolder path: String) throws -> [String] {
    try entries(ofFolder: path, \.isFolder) ?? []
  }

  private static func entries(
    ofFolder path: String, _ isMeant: (FileStatus) -> Bool
  ) throws -> [String]? {
    let found = try reading(path) { () throws(PosixError) in
      try FileStatus.at(path, followsLinks: true)
    }
    guard found?.isFolder == true else { return nil }
    do {
      let (names, unnamed) = try OpenFolder(following: path).names()
      guard unnamed == 0 else {
        throw StoreError(
          .unreadable,
          "the folder \(path) has \(unnamed) \(unnamed == 1 ? "file" : "files") whose name is not UTF-8, "
            + "so that it cannot be opened; rename it")
      }
      return try names.filter { !TemporaryFile.isOne($0) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
        .filter { try FileStatus.at($0, followsLinks: true).map(isMeant) ?? false }
    } catch let error as PosixError {
      throw error.failure(.unreadable, "the folder cannot be read: ", about: path)
    }
  }

  static func rest(
    of file: borrowing OpenFile, _ path: String, after start: [UInt8], limit: Int
  ) throws(StoreError) -> [UInt8] {
    // Before it is read, where that can be known; a pipe ends when it ends.
    _ = try size(of: file, path, limit: limit)
    let bytes = try reading(path) { () throws(PosixError) in
      try file.read(atMost: limit + 1, after: start)
    }
    guard bytes.count <= limit else { throw tooLarge(path, limit) }
    return bytes
  }

  /// The number of bytes of a file; zero if unknown.
  static func size(
    of file: borrowing OpenFile, _ path: String, limit: Int
  ) throws(StoreError) -> Int {
    guard let size = file.size else { return 0 }
    guard size <= limit else { throw tooLarge(path, limit) }
    return size
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> StoreError {
    StoreError(.unreadable, "\(path) has more than \(limit) bytes, the limit")
  }
}

// The kind that the first bytes show.
extension CacheFile {
  // The number of bytes that tell the kind of a file.
  private static let startLength = 4096
  private static let archiveMagic = Array("bplist00".utf8)

  // The sections of MSAL's portable document. This module does not read their content.
  private static let sections: Set = [
    "AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata",
  ]

  /// Whether the bytes after `start` are worth reading.
  private static func mayBeCache(_ start: [UInt8]) -> Bool {
    var reader = JSONScanner(start)
    let first = reader.peek()
    // Text has no zero bytes. A file that only got its size is full of them.
    let isText = !start.contains(0)
    return start.starts(with: archiveMagic) || isText && KeychainDump.isSecurityDump(start)
      || isText && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
      || isBlob(start) || WrappedCache.wrapping(of: start) != nil
  }

  private static func kind(of bytes: [UInt8]) -> Kind {
    if bytes.starts(with: SnapshotHeader.magic) { return .snapshot }
    if bytes.starts(with: archiveMagic) { return .archive }
    if KeychainDump.isSecurityDump(bytes) { return .dump }
    var reader = JSONScanner(bytes)
    switch reader.peek() {
    case UInt8(ascii: "["): return kind(ofList: JSONScanner.keys(ofFirstIn: bytes))
    case UInt8(ascii: "{"): return kind(ofObject: bytes)
    default:
      if isBlob(bytes) { return .blob }
      return WrappedCache.wrapping(of: bytes) == nil ? .unknown : .wrapped
    }
  }

  /// Whether these are the first bytes of ADAL.NET's blob: a small 32-bit number, its schema. Data protected by Windows
  /// or ASP.NET Core matches too, and its reader reports it.
  static func isBlob(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x09, 0xF0, 0xC9, 0xF0])
      || (start.first ?? 0) > 0 && start.dropFirst().starts(with: [0, 0, 0])
  }

  /// The kind of a list whose first object has these members.
  private static func kind(ofList keys: Set<String>) -> Kind {
    if keys.isSuperset(of: KeychainDump.objectionKeys) { return .dump }
    if !keys.isDisjoint(with: ["_clientId", "_authority", "servicePrincipalId"]) { return .list }
    return keys.isSuperset(of: ["Key", "Value"]) ? .unifiedList : .items
  }

  /// The kind that an object's keys tell; of a broken one, those before the break.
  static func kind(ofObject bytes: [UInt8]) -> Kind {
    var keys: Set<String> = []
    var reader = JSONScanner(bytes)
    // Nil for a broken one.
    let isItems = try? isItems(&reader) { keys.insert($0) }
    if isItems == true { return .items }
    // MSAL's libraries write an empty cache as an empty object.
    let isDocument = keys.isEmpty ? isItems != nil : !keys.isDisjoint(with: sections)
    if isDocument { return .document }
    return keys.contains("Contexts") ? .wrapped : .unknown
  }

  /// Whether an object says that it is an items file, which is known before the rest of it is read.
  private static func isItems(
    _ reader: inout JSONScanner, _ note: (String) -> Void
  ) throws -> Bool {
    var isMore = try reader.opensObject()
    while isMore {
      let key = try reader.key()
      note(key)
      if key == "format", reader.peek() == UInt8(ascii: "\"") {
        if try reader.string() == ItemFile.format { return true }
      } else {
        try reader.skipValue()
      }
      isMore = try reader.continuesObject()
    }
    return false
  }
}
