// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import MigrationFiles
import MigrationPolicies
import ProjectDoctor
import ProjectFiles

/// The files of a repository that a dry run can use. They are only read.
struct RepositorySurvey {
  /// The folder of the app's project, `.` for the root.
  var project: String?
  var caches: [String] = []
  var accountMap: String?
  var baseline: String?
  /// The files that were found and are not used.
  private(set) var notes: [String] = []

  /// A fixture is small. Larger files are ignored.
  private static let largest = 16 << 20
  /// Each cache is a step of its own.
  private static let mostCaches = 5

  /// - Parameter isNamed: whether the caller names the caches, so that skipped ones need no note.
  init(_ root: String, cachesAreNamed isNamed: Bool) {
    let folder = ProjectFolder(DiskFolder(path: root))
    project = Self.project(folder.files)
    var maps: [String] = []
    var baselines: [String] = []
    for path in folder.others.sorted(by: RelativePath.isBefore) {
      let place = root + "/" + path
      if Self.isCache(place) {
        caches.append(path)
        continue
      }
      let kind = RelativePath.fileExtension(of: path)
      guard ["csv", "json"].contains(kind),
        let bytes = try? CacheFile.bytes(of: place, limit: Self.largest)
      else { continue }
      if kind == "csv", (try? AccountMap(file: bytes)) != nil { maps.append(path) }
      if kind == "json", (try? Baseline(json: bytes)) != nil { baselines.append(path) }
    }
    accountMap = only(maps, "account maps", "map")
    baseline = only(baselines, "baselines", "baseline")
    if caches.count > Self.mostCaches {
      let skipped = caches.count - Self.mostCaches
      if !isNamed {
        notes.append("\(skipped) more caches were skipped; name the caches to try with --cache")
      }
      caches = Array(caches.prefix(Self.mostCaches))
    }
  }

  private mutating func only(_ paths: [String], _ what: String, _ input: String) -> String? {
    if paths.count > 1 {
      notes.append("there are \(paths.count) \(what); name one as '\(input)' in the workflow")
    }
    return paths.count == 1 ? paths.first : nil
  }

  /// The folder that all Xcode projects are below; without any, that of the other files which declare targets or
  /// dependencies; else the root, when there is source at all.
  private static func project(_ files: [ProjectFolder.File]) -> String? {
    guard !files.isEmpty else { return nil }
    let projects = files.filter { $0.kind == .project }.map {
      RelativePath.folder(of: RelativePath.folder(of: $0.path))
    }
    let declaring: Set<ProjectFileKind> = [.podfile, .packageManifest, .cartfile]
    let others = files.filter { declaring.contains($0.kind) }.map {
      RelativePath.folder(of: $0.path)
    }
    let folders = projects.isEmpty ? others : projects
    guard var common = folders.first else { return "." }
    for folder in folders {
      while !RelativePath.isInside(folder, common) { common = RelativePath.folder(of: common) }
    }
    return common.isEmpty ? "." : common
  }

  /// Whether a file is a cache with something of ADAL's in it, by its bytes.
  private static func isCache(_ path: String) -> Bool {
    guard let file = try? CacheFile(path: path, limit: largest), file.kind != .unknown,
      let caches = try? Source.caches(of: file, path: path, timeZone: .current),
      let report = try? Migration.inspect(caches).report
    else { return false }
    return report.entries.contains {
      $0.kind != .unreadable && !$0.kind.rawValue.hasPrefix("unified-")
    }
  }
}
