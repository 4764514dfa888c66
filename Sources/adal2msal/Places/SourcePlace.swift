// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import PlatformFoundation
import KeychainItems
import MigrationFiles

/// The SOURCE argument: one cache, or the caches of a folder.
struct SourcePlace {
  let caches: [Source]
  let notes: [String]
  /// The files of a folder that look like caches and cannot be read as one.
  private let unread: [Report.Cache]
  /// Whether it is a folder, which as a whole cannot be a target.
  let isFolder: Bool

  /// The store that a migration in place would write to; nil if there is none, as for a keychain dump.
  var store: (any ItemStore)? {
    isFolder || caches.contains { $0.isDump } ? nil : caches.first?.store
  }

  /// - Parameter zone: of the machine that wrote a list; nil for this one's.
  /// - Throws: ``Failure`` or `StoreError` when it does not exist, cannot be read or is no cache.
  init(_ place: PlaceArgument, zone: TimeZone?) throws {
    switch place.kind {
    case .scheme(let scheme, let name):
      switch scheme.open(name, .isAnError) {
      case .items(let store): self.init([.items(store, file: place.path)])
      case .document, .folder: self.init([try Source.document(at: name)])
      }
    case .standardInput:
      let file = CacheFile(bytes: try CacheFile.standardInput(), name: "standard input")
      guard file.kind != .snapshot else {
        throw Failure(
          .usage, "a keychain snapshot cannot be read from standard input; name its path")
      }
      try self.init(file, zone: zone)
    case .path(let path):
      if let paths = try CacheFile.files(inFolder: path) {
        try self.init(folder: path, paths, zone)
      } else if let items = Source.itemFile(at: path) {
        self.init([items])
      } else {
        self.init(try Source.found(in: CacheFile(settledAt: path), path: path, zone))
      }
    }
  }

  /// Adds bytes that are not in a file and not a snapshot.
  init(_ bytes: CacheFile, zone: TimeZone? = nil) throws {
    self.init(try Source.found(in: bytes, path: nil, zone))
  }

  private init(
    _ caches: [Source], isFolder: Bool = false, notes: [String] = [],
    unread: [Report.Cache] = []
  ) {
    self.caches = caches
    self.isFolder = isFolder
    self.notes = notes
    self.unread = unread
  }

  /// The same source. A file that is also the target is read as the target: once for both (D38), and safely beside
  /// other programs that write to it.
  func sharing(_ target: TargetPlace, at path: String?) throws -> SourcePlace {
    guard !isFolder, caches.count == 1, case .items(let store) = target, let path,
      let source = caches.first?.store, let name = caches.first?.file,
      type(of: store) == type(of: source),
      try OutputFile(path: path).isSame(as: name)
    else { return self }
    return SourcePlace([.items(store, file: name)], notes: notes)
  }

  /// The report of a run with the result of each file, if the source is a folder.
  func listed(in report: Report, failingWhere isFailure: (Report.Severity) -> Bool) -> Report {
    isFolder
      ? report.listing(caches.lazy.compactMap(\.file), unread: unread, failingWhere: isFailure)
      : report
  }

  /// Opens the existing place, and prints remarks about it.
  static func opened(_ place: PlaceArgument, zone: TimeZone? = nil) throws -> SourcePlace {
    let source = try Terminal.working(on: place.words) {
      try SourcePlace(place, zone: zone)
    }
    for note in source.notes { Terminal.note("note: \(note)") }
    return source
  }

  private static let named = 20

  /// The names to show, and the number of the others.
  private static func first(of names: [String], separator: String) -> String {
    let more = names.count > named ? "\(separator)… and \(names.count - named) more" : ""
    return names.prefix(named).joined(separator: separator) + more
  }

  /// Adds every cache of a folder, and notes the files that are not caches.
  private init(folder: String, _ paths: [String], _ zone: TimeZone?) throws {
    var caches: [Source] = []
    var others: [String] = []
    var notes: [String] = []
    var unread: [Report.Cache] = []
    for path in paths {
      do {
        let found: [Source]
        if let items = Source.itemFile(at: path) {
          found = [items]
        } else {
          let file = try CacheFile(path: path)
          guard file.kind != .unknown else {
            others.append(path)
            continue
          }
          found = try Source.found(in: file, path: path, zone)
        }
        // A file that cannot be read is to be known before the run.
        caches += try found.map { source in
          try Failure.reading([source]) { try source.read() }
        }
      } catch {
        let failure = Failure(error)
        guard failure.status == .notACache else { throw error }
        notes.append("skipped: \(failure.message)")
        unread.append(
          Report.Cache(
            file: path, status: Int(failure.status.rawValue), objection: failure.message))
      }
    }
    if !others.isEmpty {
      notes.append("skipped, not token caches: \(Self.first(of: others, separator: ", "))")
    }
    guard !caches.isEmpty else {
      let folders = try CacheFile.folders(inFolder: folder)
      if !folders.isEmpty {
        notes.append(
          "subfolders are not searched: \(Self.first(of: folders, separator: ", "))")
      }
      throw Failure(
        .notACache, "no file in the folder \(folder) is a token cache",
        hint: notes.isEmpty ? nil : Self.first(of: notes, separator: "; "))
    }
    self.init(caches, isFolder: true, notes: notes, unread: unread)
  }
}

extension Source {
  /// An items file, which is read when the run reads it, so that its text is not in memory while rows are planned; nil
  /// for another file.
  fileprivate static func itemFile(at path: String) -> Source? {
    CacheFile.isItemFile(at: path) ? .items(ItemFile(path: path), file: path) : nil
  }

  /// The caches of a file that may be none.
  fileprivate static func found(
    in file: CacheFile, path: String?, _ zone: TimeZone?
  ) throws -> [Source] {
    do {
      return try caches(of: file, path: path, timeZone: zone)
    } catch let error as StoreError where file.kind == .unknown {
      var failure = Failure(error)
      failure.hint = file.isText ? kinds : "\(kinds). \(protection)"
      throw failure
    }
  }

  private static let kinds =
    "a cache is a keychain snapshot, an items file, a cache document, an archive of ADAL's, or the bytes or "
    + "list of another ADAL"
  private static let protection =
    "Encrypted data cannot be recognized: let the app itself pass the bytes after "
    + "MachineKey.Unprotect"
}

extension Failure {
  /// The meaning of an error of a run over these caches. An error of an unknown type comes from the archive reader, and
  /// names the problem of a blob.
  static func reading<Result>(_ caches: [Source], _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      let failure = Failure(error)
      let blobs = caches.filter { if case .blob = $0.content { true } else { false } }
      guard failure.status == .bug, !(error is MigrationError), !blobs.isEmpty
      else { throw failure }
      let names = blobs.map { $0.file ?? "standard input" }.joined(separator: ", ")
      throw Failure(.notACache, "\(names) is not a token cache: \(error)")
    }
  }
}

extension PlaceArgument {
  /// The files to read: the path itself, and its files if it is a folder.
  var files: [String] {
    get throws {
      // A redirected standard input is also a file.
      if kind == .standardInput { return ["/dev/stdin"] }
      guard let path else { return [] }
      return try [path] + (CacheFile.files(inFolder: path) ?? [])
    }
  }
}
