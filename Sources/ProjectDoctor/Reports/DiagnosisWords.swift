// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ProjectFiles

/// The sentences about a diagnosis that several reports say.
extension ProjectDiagnosis {
  /// `3 places are`, `1 place is`.
  static func countIs(_ number: Int, _ noun: String) -> String {
    "\(number.counted(noun)) \(number == 1 ? "is" : "are")"
  }

  /// The command that writes the plan.
  var planning: String {
    "adal2msal doctor \(ShellWord.quoted(PlainText.show(path))) --plan plan.md"
  }

  var headline: String { headline(path: placeShown) }

  /// The folder in a sentence. A `.` would look strange before the full stop.
  private var placeShown: String { path == "." ? "this folder" : PlainText.show(path) }

  /// The same with the path as code.
  var headlineInMarkdown: String {
    // Names are shown without control characters, so a null character stands for the path alone.
    let pieces = headline(path: "\u{0}").split(separator: "\u{0}", omittingEmptySubsequences: false)
    return pieces.map { MarkdownWords.escape(String($0)) }
      .joined(separator: path == "." ? placeShown : MarkdownWords.code(shown: placeShown))
  }

  private func headline(path: String) -> String {
    let findings = counted
    switch library {
    case .none where findings.isEmpty && dependsOnMSAL:
      return "MSAL is a dependency that no code uses: nothing to migrate."
    case .none where findings.isEmpty: return "No trace of ADAL or MSAL in \(path)."
    case .msal:
      let more = " \(Self.countIs(findings.count, "setting")) missing for MSAL."
      return "MSAL only: nothing to migrate.\(findings.isEmpty ? "" : more)"
    default: break
    }
    if !adalOnlyThrough.isEmpty {
      let names = adalOnlyThrough.map(PlainText.show).joined(separator: ", ")
      return "ADAL comes with \(names) only."
    }
    let errors = findings.count { $0.severity == .error }
    let way = errors == 0 ? "No blocking problems" : errors.counted("blocking problem")
    let places = findings.placeCount
    let change = places == 1 ? "place in the code needs" : "places in the code need"
    return "\(way); \(places) \(change) to change."
  }

  /// The sentence about the read and skipped files, and that nothing was changed.
  var sentenceOfReading: String {
    let kinds = ProjectFileKind.allCases.compactMap { kind in
      readKinds[kind].map { $0.counted(kind.rawValue) }
    }
    let names = kinds.isEmpty ? "Nothing" : kinds.joined(separator: ", ")
    let verb = readFiles == 1 ? "was" : "were"
    let who = librarySentence.map { $0 + ": " } ?? ""
    let leftOut = "\(skipped.count.counted("entry")) \(skipped.count == 1 ? "was" : "were")"
    let left = skipped.isEmpty ? "" : " \(leftOut) left out."
    return "\(who)\(names) in \(placeShown) \(verb) read.\(left) Nothing was changed."
  }

  /// `ADAL 6 (by its names) in 1 target`.
  private var librarySentence: String? {
    guard !adalVersions.isEmpty else { return nil }
    let versions = adalVersions.map { version in
      let how =
        switch version.source {
        case .lock: " (locked)"
        case .declared: " (as declared)"
        case .names: version.version == nil ? "" : " (by its names)"
        }
      return "ADAL" + (version.version.map { " " + PlainText.show($0) } ?? "") + how
    }
    return versions.each.prefix(4).joined(separator: ", ")
      + (targets.isEmpty ? "" : " in \(targets.count.counted("target"))")
  }

  /// Entries of the baseline that are gone, suppressions that do nothing.
  var remarks: [String] {
    let idle = idleSuppressions.map { "The suppression at \($0.shown) has no effect." }
    guard baselineStale > 0 else { return idle }
    let entries = baselineStale.counted("entry")
    let occur = baselineStale == 1 ? "occurs" : "occur"
    return ["\(entries) of the baseline no longer \(occur)."] + idle
  }
}

extension Occurrence {
  /// Lines and columns, as SARIF has them; nil in a cache.
  var region: [String: Int]? {
    span.map {
      [
        "startLine": $0.start.line, "startColumn": $0.start.column, "endLine": $0.end.line,
        "endColumn": $0.end.column,
      ]
    }
  }

  /// The reason why it does not count, or an empty text.
  var mark: String { isSuppressed ? " (suppressed)" : isBaselined ? " (baseline)" : "" }

  /// `App/SignIn.m:12`, harmless.
  var shown: String {
    PlainText.show(file) + (span.map { ":\($0.start.line)" } ?? "")
  }
}

extension Finding {
  /// The case, escaped; or the replacement, if that says more.
  var shownMessage: String {
    if severity == .note, let becomes {
      return becomes.hasPrefix("nothing")
        ? "\(PlainText.show(message)): \(becomes)" : "becomes \(becomes)"
    }
    let more = becomes.map { $0.hasPrefix("nothing") ? "" : "; becomes \($0)" } ?? ""
    return PlainText.show(message) + more
  }

  var shownRemedy: String { PlainText.show(remedy) }
}

extension Facts {
  /// The values that reports show, with the name of each kind.
  var named: [(name: String, fact: Fact)] {
    let kinds = ValueKind.allCases.filter { $0 != .savedUserID }
    return kinds.flatMap { kind in self[kind].map { (kind.rawValue, $0) } }
  }
}

extension [Finding] {
  var placeCount: Int { reduce(0) { $0 + $1.places.count } }

  var eachPlace: [(finding: Finding, place: Occurrence)] {
    flatMap { finding in finding.places.map { (finding, $0) } }
  }
}
