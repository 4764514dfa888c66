// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation
import MSALCache
import MigrationReports
import ProjectDoctor
import ProjectFiles

/// What the words of `adal2msal doctor` mean.
extension Diagnose {
  /// The doctor with what the options say.
  ///
  /// - Throws: ``Failure`` when a rule is unknown, or a baseline or a cache cannot be read.
  func makeDoctor() throws -> ProjectDoctor.Doctor {
    var doctor = ProjectDoctor.Doctor(
      knownHosts: Set(Cloud.all.filter { !$0.isClosed }.flatMap(\.aliases)),
      closedHosts: Set(Cloud.all.filter(\.isClosed).flatMap(\.aliases)))
    doctor.msal = MSALRelease(msal) ?? .newest
    if !rules.isEmpty { doctor.rules = Set(try rules.flatMap(Self.checks)) }
    if let baseline { doctor.baseline = try Self.baseline(baseline) }
    doctor.evidence = try caches.map(evidence)
    return doctor
  }

  private static func checks(named name: String) throws -> [Check] {
    let checks = Check.named(name)
    guard checks.isEmpty else { return checks }
    throw Failure(
      .usage, "there is no rule '\(name)'", hint: "'adal2msal explain' lists them all")
  }

  private static func baseline(_ path: String) throws -> Baseline {
    do {
      return try Baseline(json: try CacheFile.bytes(of: path))
    } catch Baseline.Refusal.notABaseline {
      throw Failure(.notACache, "\(path) is not a baseline")
    } catch Baseline.Refusal.otherVersion(let version) {
      throw Failure(
        .usage,
        "\(path) is a baseline of version \(version); this program does not know that version")
    }
  }

  /// What a cache holds, as `inspect` reads it.
  private func evidence(of place: PlaceArgument) throws -> CacheEvidence {
    let source = try SourcePlace.opened(place)
    let groups = accessGroups.isEmpty ? nil : Set(accessGroups)
    let inspection = try Failure.reading(source.caches) {
      try Terminal.working(on: place.words) {
        try Migration.inspect(source.caches, accessGroups: groups, now: now?.date ?? .now)
      }
    }
    var evidence = CacheEvidence(place: place.text, clients: [:], groups: [:], resources: [:])
    for entry in inspection.report.entries {
      if let client = entry.clientID, !client.isEmpty {
        evidence.clients[client.normalized, default: 0] += 1
      }
      if let group = entry.place.accessGroup { evidence.groups[group, default: 0] += 1 }
      if let resource = entry.resource, !resource.isEmpty {
        evidence.resources[resource, default: 0] += 1
      }
    }
    return evidence
  }
}

/// What PATH is: a folder, or one file.
struct ProjectPlace {
  let folder: ProjectFolder
  let access: DiskFolder
  /// Its files as build services name them.
  let files: RepositoryFiles
  /// The folder that those names are below, as an address that ends in a slash.
  let address: String

  /// - Throws: ``Failure`` of status 66 when it does not exist, of status 65 when it is a file of a kind
  ///   that is not read.
  init(_ path: String, excluding exclusions: [String]) throws {
    var root = path
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    let name = RelativePath.name(of: root)
    let parent = root.contains("/") ? RelativePath.folder(of: root) : "."
    let above = parent.isEmpty ? "/" : parent
    let base: String
    switch try Self.found(path, { try DiskFolder.kind(of: root) }) {
    case .folder:
      let isPackage = ["xcodeproj", "xcworkspace"].contains(RelativePath.fileExtension(of: root))
      base = isPackage ? above : root
      let disk = DiskFolder(path: base)
      _ = try Self.found(base) { try disk.entries(of: "") }
      access = disk
      folder = ProjectFolder(disk, excluding: exclusions.map(PathPattern.init))
    case .file:
      guard let kind = ProjectFileKind(path: root) else {
        throw Failure(.notACache, "\(path) is not a file that doctor reads")
      }
      base = above
      let disk = DiskFolder(path: base)
      _ = try Self.found(path) { try disk.bytes(of: name, atMost: 0) }
      access = disk
      folder = ProjectFolder(file: name, kind: kind)
    case .link, .special, .unnamed, .unnamedFolder:
      throw Failure(.notACache, "\(path) is neither a folder nor a file")
    case nil: throw Failure(.noInput, "\(path) does not exist")
    }
    files = RepositoryFiles(above: base, namesFrom: base)
    let url = URL(fileURLWithPath: files.root ?? base, isDirectory: true).absoluteString
    address = url.hasSuffix("/") ? url : url + "/"
  }

  private static func found<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as Unreadable {
      throw Failure(.noInput, "\(path): \(error.why)")
    }
  }
}
