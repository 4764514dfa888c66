// SPDX-License-Identifier: MIT
import PlatformFoundation

/// Findings that are known and do not count: without line numbers, messages or absolute paths, so that
/// it stays true while the project changes.
package struct Baseline: Sendable, Hashable {
  package struct Entry: Sendable, Hashable, Codable, Comparable {
    package var rule: String
    package var file: String
    package var fingerprint: String

    init(_ check: Check, _ place: Occurrence) {
      rule = check.code
      file = place.file
      fingerprint = place.fingerprint
    }

    package static func < (left: Entry, right: Entry) -> Bool {
      (left.file, left.rule, left.fingerprint) < (right.file, right.rule, right.fingerprint)
    }
  }

  package var entries: Set<Entry>

  package init(entries: Set<Entry>) { self.entries = entries }

  /// Everything that was found, suppressed places left out.
  package init(_ diagnosis: ProjectDiagnosis) {
    entries = Set(
      diagnosis.findings.flatMap { finding in
        finding.places.filter { !$0.isSuppressed }.map { Entry(finding.check, $0) }
      })
  }

  /// The reason why a file is not a baseline.
  package enum Refusal: Error, Sendable, Hashable {
    case notABaseline
    case otherVersion(Int)
  }

  /// The content of a file. Findings of another version are ignored.
  private struct Document: Codable {
    var format = "adal2msal-baseline"
    var version = 1
    var findings: [Entry]

    init(_ findings: [Entry]) { self.findings = findings }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      let known = Document([])
      format = try members.decode(String.self, forKey: .format)
      version = try members.decode(Int.self, forKey: .version)
      let isKnown = format == known.format && version == known.version
      findings = isKnown ? try members.decode([Entry].self, forKey: .findings) : []
    }
  }

  package init(json: [UInt8]) throws(Refusal) {
    let known = Document([])
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      document.format == known.format
    else { throw .notABaseline }
    guard document.version == known.version else { throw .otherVersion(document.version) }
    entries = Set(document.findings)
  }

  /// The file: sorted and indented, ending in a line break.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Document(entries.sorted())) else {
      preconditionFailure("a baseline consists of strings, which JSON has")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
