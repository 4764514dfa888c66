// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis for step summaries and comments: headline, findings with links, facts folded away.
  package func markdown(showingSuppressed: Bool = false) -> String {
    let words = DiagnosisWords(diagnosis: self)
    let shown = showingSuppressed ? findings : counted
    var blocks = [
      "### \(MarkdownWords.escape(words.headline))", MarkdownWords.escape(words.reading),
    ]
    if !words.remarks.isEmpty {
      blocks.append(words.remarks.map(MarkdownWords.escape).joined(separator: "\n"))
    }
    if !shown.isEmpty {
      let rows = shown.map { finding in
        [
          finding.severity.rawValue, MarkdownWords.code(finding.check.id),
          Self.links(finding.places),
          MarkdownWords.text(finding.shownMessage), MarkdownWords.text(finding.shownRemedy),
        ]
      }
      blocks.append(
        MarkdownWords.table(
          ["severity", "rule", "places", "what", "to do"], rows, budget: MarkdownWords.budget))
    }
    if !targets.isEmpty {
      let rows = targets.map { target in
        [
          MarkdownWords.code(target.name), target.platform,
          MarkdownWords.code(target.bundleID ?? ""),
          MarkdownWords.code(target.deploymentTarget ?? ""),
          target.keychainGroups.map(MarkdownWords.code).joined(separator: " "),
        ]
      }
      blocks.append(
        MarkdownWords.folded(
          "Targets",
          MarkdownWords.table(
            ["target", "platform", "bundle id", "deployment target", "keychain groups"], rows,
            budget: MarkdownWords.budget)))
    }
    let known = factRows
    if !known.isEmpty {
      blocks.append(
        MarkdownWords.folded(
          "Values in the project",
          MarkdownWords.table(["what", "value", "places"], known, budget: MarkdownWords.budget)))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var factRows: [[String]] {
    [
      ("client id", facts.clientIDs), ("authority", facts.authorities),
      ("resource", facts.resources), ("redirect URI", facts.redirectURIs),
      ("keychain group", facts.keychainGroups),
    ].flatMap { name, list in
      list.map { [name, MarkdownWords.code($0.value.maskedAddress), Self.links($0.places)] }
    }
  }

  private static let mostLinks = 20

  /// `[App/SignIn.m:12](App/SignIn.m#L12)` for each place.
  static func links(_ places: [Place]) -> String {
    let shown = places.prefix(mostLinks).map { place in
      let name = MarkdownWords.escape(place.shown)
      guard let line = place.span?.start.line else { return name }
      return "[\(name)](\(place.file.asRelativeReference)#L\(line))"
    }
    let more = places.count > shown.count ? " … \(places.count - shown.count) more" : ""
    return shown.joined(separator: " ") + more
  }
}

/// Text for Markdown in which nothing of the text acts.
enum MarkdownWords {
  /// GitHub takes a comment of 65,536 characters; there are three tables.
  static let budget = 20_000

  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in PlainText.show(text).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ",", ";", ".", "?", "/", "'", "%", "-", "(", ")",
        ":":
        result.unicodeScalars.append(scalar)
      case _ where !scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "&#\(scalar.value);"
      }
    }
    return result
  }

  static func code(_ text: String) -> String {
    text.isEmpty ? "" : "<code>\(escape(text))</code>"
  }

  /// Words of our own, in which backquotes mark code.
  static func text(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, piece in
      index % 2 == 1 ? code(String(piece)) : escape(String(piece))
    }.joined()
  }

  static func table(_ headings: [String], _ rows: [[String]], budget: Int) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    var lines = [line(headings), line(headings.map { _ in "---" })]
    var left = budget
    for (index, row) in rows.enumerated() {
      let text = line(row)
      left -= text.utf8.count + 1
      if left < 0 {
        lines += ["", "… and \(rows.count - index) more; the JSON report has them all."]
        break
      }
      lines.append(text)
    }
    return lines.joined(separator: "\n")
  }

  static func folded(_ title: String, _ content: String) -> String {
    "<details><summary>\(title)</summary>\n\n\(content)\n\n</details>"
  }
}
