// SPDX-License-Identifier: MIT
import ProjectFiles

@testable import ProjectDoctor

/// A folder that is in memory only.
struct MemoryFolder: FolderAccess {
  var files: [String: [UInt8]]

  init(_ files: [String: String]) {
    self.files = files.mapValues { Array($0.utf8) }
  }

  func entries(of folder: String) throws(FolderAccessError) -> [FolderEntry] {
    var entries: Set<FolderEntry> = []
    for path in files.keys where RelativePath.isInside(path, folder) && path != folder {
      let below = folder.isEmpty ? path[...] : path.dropFirst(folder.count + 1)
      let name = String(below.prefix { $0 != "/" })
      entries.insert(
        FolderEntry(name: name, kind: name.utf8.count == below.utf8.count ? .file : .folder))
    }
    return Array(entries)
  }

  func bytes(of file: String, atMost count: Int) throws(FolderAccessError) -> [UInt8] {
    guard let bytes = files[file] else { throw FolderAccessError(why: "gone") }
    return Array(bytes.prefix(count + 1))
  }
}

extension Doctor {
  /// A doctor who knows a few hosts.
  static let ofTests = Doctor(
    hosts: AuthorityHosts(
      known: ["login.microsoftonline.com", "login.windows.net", "login.microsoftonline.us"],
      closed: ["login.microsoftonline.de"]))

  /// What is found in files.
  func diagnose(_ files: [String: String], excluding patterns: [String] = []) -> ProjectDiagnosis {
    let access = MemoryFolder(files)
    return diagnose(
      ".", ProjectFolder(access, excluding: patterns.map(PathPattern.init)), access)
  }
}

extension ProjectDiagnosis {
  /// The places of a rule as `file:line`, with the severity where it is not the rule's own.
  func places(_ check: Check) -> [String] {
    findings.filter { $0.check == check }.flatMap { finding in
      finding.places.map { place in
        let line = place.span.map { ":\($0.start.line)" } ?? ""
        let severity = finding.severity == check.severity ? "" : " \(finding.severity.rawValue)"
        return "\(place.file)\(line)\(severity)"
      }
    }.sorted()
  }
}
