// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ProjectFiles

/// The sentences about a diagnosis that several reports say.
extension ProjectDiagnosis {
  /// `3 places`, `1 place`.
  static func count(_ number: Int, _ noun: String) -> String {
    let plural = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
    return "\(number) \(number == 1 ? noun : String(plural))"
  }

  /// The command that writes the plan.
  var planning: String {
    "adal2msal doctor \(ShellWord.quoted(PlainText.show(path))) --plan plan.md"
  }

  /// What it comes to, in one sentence.
  var headline: String { headline(path: PlainText.show(path)) }

  /// The same with the path as code.
  var headlineInMarkdown: String {
    // Names are shown without control characters, so a null character stands for the path alone.
    let pieces = headline(path: "\u{0}").split(separator: "\u{0}", omittingEmptySubsequences: false)
    return pieces.map { MarkdownWords.escape(String($0)) }
      .joined(separator: MarkdownWords.code(shown: PlainText.show(path)))
  }

  private func headline(path: String) -> String {
    let findings = counted
    let errors = findings.filter { $0.severity == .error }.count
    switch library {
    case .none where findings.isEmpty && dependsOnMSAL:
      return "MSAL is a dependency that no code uses: nothing to migrate."
    case .none where findings.isEmpty: return "No trace of ADAL or MSAL in \(path)."
    case .msal:
      let missing = findings.count
      let more =
        missing == 0
        ? ""
        : missing == 1
          ? " 1 setting is missing for MSAL." : " \(missing) settings are missing for MSAL."
      return "MSAL only: nothing to migrate.\(more)"
    default: break
    }
    if !adalOnlyThrough.isEmpty {
      let names = adalOnlyThrough.map(PlainText.show).joined(separator: ", ")
      return "ADAL comes with \(names) only."
    }
    let way =
      errors == 0
      ? "No blocking problems"
      : errors == 1
        ? "1 blocking problem" : "\(errors) blocking problems"
    let places = findings.reduce(0) { $0 + $1.places.count }
    let change = places == 1 ? "place in the code needs" : "places in the code need"
    return "\(way); \(places) \(change) to change."
  }

  /// What was read, what was left out, that nothing was changed.
  var sentenceOfReading: String {
    let kinds = ProjectFileKind.allCases.map(\.noun).each.compactMap { noun in
      let number = read.kinds.filter { $0.key.noun == noun }.values.reduce(0, +)
      return number > 0 ? Self.count(number, noun) : nil
    }
    let names = kinds.isEmpty ? "Nothing" : kinds.joined(separator: ", ")
    let verb = read.files == 1 ? "was" : "were"
    let who = librarySentence.map { $0 + ": " } ?? ""
    let leftOut = skipped.count
    let left =
      leftOut == 0
      ? "" : " \(Self.count(leftOut, "entry")) \(leftOut == 1 ? "was" : "were") left out."
    return "\(who)\(names) in \(PlainText.show(path)) \(verb) read.\(left) Nothing was changed."
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
    let number = targets.count
    return versions.each.prefix(4).joined(separator: ", ")
      + (number == 0 ? "" : " in \(Self.count(number, "target"))")
  }

  /// Entries of the baseline that are gone, suppressions that do nothing.
  var remarks: [String] {
    var remarks: [String] = []
    if baselineStale > 0 {
      let entries = Self.count(baselineStale, "entry")
      remarks.append(
        "\(entries) of the baseline no longer \(baselineStale == 1 ? "occurs" : "occur")."
      )
    }
    for place in idleSuppressions {
      remarks.append("The suppression at \(place.shown) has no effect.")
    }
    return remarks
  }
}

extension ProjectFileKind {
  /// The usual name of such a file.
  fileprivate var noun: String {
    switch self {
    case .source: "source file"
    case .project: "project"
    case .settings: "xcconfig file"
    case .propertyList, .entitlements: "property list"
    case .podfile: "Podfile"
    case .podfileLock: "Podfile.lock"
    case .podspec: "podspec"
    case .cartfile: "Cartfile"
    case .gitmodules: ".gitmodules file"
    case .packageManifest: "package manifest"
    case .packageResolved: "Package.resolved file"
    case .pluginXML: "plugin.xml file"
    case .configXML: "config.xml file"
    case .packageJSON: "package.json file"
    }
  }
}

extension ProjectDiagnosis.Occurrence {
  /// Why it does not count, or nothing.
  var mark: String { isSuppressed ? " (suppressed)" : isBaselined ? " (baseline)" : "" }

  /// `App/SignIn.m:12`, harmless.
  var shown: String {
    PlainText.show(file) + (span.map { ":\($0.start.line)" } ?? "")
  }
}

extension ProjectDiagnosis.Finding {
  /// What is the case, harmless; what it becomes, where that says more.
  var shownMessage: String {
    if severity == .note, let becomes {
      return becomes.hasPrefix("nothing")
        ? "\(PlainText.show(message)): \(becomes)" : "becomes \(becomes)"
    }
    let more = becomes.map { $0.hasPrefix("nothing") ? "" : "; becomes \($0)" } ?? ""
    return PlainText.show(message) + more
  }

  /// What to do, harmless.
  var shownRemedy: String { PlainText.show(remedy) }
}

extension ProjectDiagnosis.Facts {
  /// The values that reports show, with the name of each kind.
  var named: [(name: String, facts: [ProjectDiagnosis.Fact])] {
    [
      ("client id", clientIDs), ("authority", authorities), ("resource", resources),
      ("redirect URI", redirectURIs), ("keychain group", keychainGroups),
    ]
  }
}
