// SPDX-License-Identifier: MIT
import Foundation

/// Findings that are known and do not count: without line numbers, messages or absolute paths, so that
/// it stays true while the project changes.
package struct Baseline: Sendable, Hashable {
  /// A place that is known.
  package struct Entry: Sendable, Hashable, Codable, Comparable {
    package var rule: String
    package var file: String
    package var fingerprint: String

    /// By file, rule and fingerprint.
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
        finding.places.filter { !$0.isSuppressed }.map {
          Entry(rule: finding.check.id, file: $0.file, fingerprint: $0.fingerprint)
        }
      })
  }

  private struct Document: Codable {
    var format: String
    var version: Int
    var findings: [Entry]
  }

  /// Why a file is not a baseline.
  package enum Refusal: Error, Sendable, Hashable {
    /// It is something else.
    case notABaseline
    /// It is one of another version.
    case otherVersion(Int)
  }

  private static let format = "adal2msal-baseline"
  private static let version = 1

  package init(json: [UInt8]) throws(Refusal) {
    struct Head: Decodable {
      var format: String
      var version: Int
    }
    let data = Data(json)
    guard let head = try? JSONDecoder().decode(Head.self, from: data), head.format == Self.format
    else { throw .notABaseline }
    guard head.version == Self.version else { throw .otherVersion(head.version) }
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
      throw .notABaseline
    }
    entries = Set(document.findings)
  }

  /// The file: sorted and indented, ending in a line break.
  package var json: String {
    let document = Document(format: Self.format, version: Self.version, findings: entries.sorted())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document) else {
      preconditionFailure("a baseline consists of strings, which JSON has")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
