// SPDX-License-Identifier: MIT
import FolderModel
import ProjectFiles

@testable import ProjectDoctor

extension Doctor {
  /// A doctor who knows a few hosts.
  static let ofTests = Doctor(
    knownHosts: ["login.microsoftonline.com", "login.windows.net", "login.microsoftonline.us"],
    closedHosts: ["login.microsoftonline.de"])

  /// The findings in files.
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
