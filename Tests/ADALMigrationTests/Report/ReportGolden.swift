// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Expected texts in files. `RECORD_GOLDENS=1` rewrites them and then fails, so that a recording
/// never passes for a test.
enum Golden {
  /// A file of this package.
  static func package(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(path)
  }

  /// Whether files are rewritten instead of compared.
  static var isRecording: Bool {
    ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"
  }

  /// Compares `text` with the golden file of this name.
  static func check(_ text: String, _ name: String) throws {
    let file = package("Tests/Goldens").appendingPathComponent(name)
    if isRecording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("\(name) was recorded")
    } else {
      compare(text, try String(contentsOf: file, encoding: .utf8), name)
    }
  }

  /// Compares `text` with what stands in a Markdown file between the comments
  /// `<!-- NAME: begin … -->` and `<!-- NAME: end -->`.
  static func check(_ text: String, inSection name: String, of file: URL) throws {
    let whole = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(whole.range(of: "<!-- \(name): begin"))
    let open = try #require(whole[begin.upperBound...].range(of: "-->\n"))
    let end = try #require(whole[open.upperBound...].range(of: "<!-- \(name): end -->"))
    let section = open.upperBound..<end.lowerBound
    let wanted = "\n\(text)\n"
    if isRecording {
      let changed = whole.replacingCharacters(in: section, with: wanted)
      try Data(changed.utf8).write(to: file)
      Issue.record("section \(name) of \(file.lastPathComponent) was recorded")
    } else {
      compare(wanted, String(whole[section]), file.lastPathComponent)
    }
  }

  /// Says which line differs first; the whole texts would bury it.
  private static func compare(_ actual: String, _ expected: String, _ name: String) {
    guard !actual.utf8.elementsEqual(expected.utf8) else { return }
    let actual = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(actual, expected).prefix { $0.0.utf8.elementsEqual($0.1.utf8) }.count
    Issue.record(
      """
      \(name), line \(same + 1):
      expected: \(expected.dropFirst(same).first ?? "(end)")
      actual:   \(actual.dropFirst(same).first ?? "(end)")
      """)
  }
}
