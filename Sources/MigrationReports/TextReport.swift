// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  /// The report as text: which accounts stay signed in, the accounts, the findings.
  func text(style: TextStyle) -> String {
    let report = content
    let lines =
      report.kind == .inspection
      ? TextInspection(report: report, style: style).lines
      : TextReport(report: report, style: style).lines
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The report of a migration or of a dry run, as text.
private struct TextReport {
  let report: Report
  let style: TextStyle
  private var words: ReportWords { ReportWords(report: report) }
  /// How many of those who stay signed in a terminal shows.
  private static let mostOfTheSignedIn = 20

  init(report: Report, style: TextStyle) {
    self.report = report
    self.style = style
  }

  var lines: [String] {
    var lines = fill(words.headline).map { style.apply(.bold, to: $0) }
    lines += fill(report.summary.rows > 0 ? words.counts : words.foreign ?? "")
    if !report.accounts.isEmpty { lines += [""] + accounts }
    if !documents.isEmpty { lines += [""] + documents }
    lines += FileLines(report: report, style: style).lines
    if !report.findings.isEmpty { lines += [""] + findings }
    if report.summary.rows > 0 || !report.findings.isEmpty { lines += [""] + closing }
    return lines
  }

  private func fill(_ text: String) -> [String] {
    TextLines.fill(text, width: style.width ?? .max)
  }

  /// The accounts, those that must sign in again first.
  private var accounts: [String] {
    let tallies = report.tallies
    var more: [String] = []
    var rows: [(account: Report.Account, tally: Tally)] = []
    for answer in Report.SignedIn.worstFirst {
      let indices = report.accounts.indices.filter { report.accounts[$0].signedIn == answer }
      // A terminal shows the accounts that matter most; files and pipes get all.
      let room = style.width != nil && answer == .yes ? Self.mostOfTheSignedIn : indices.count
      let shown = indices.count <= room + 1 ? indices.count : room
      rows += indices.prefix(shown).map { (report.accounts[$0], tallies[$0] ?? Tally()) }
      if shown < indices.count { more = ["  … and \(indices.count - shown) more, all signed in"] }
    }

    func numbers(_ heading: [String], _ value: (Tally) -> Int) -> TextTable.Column? {
      let cells = rows.map { value($0.tally) }
      guard cells.contains(where: { $0 != 0 }) else { return nil }
      return TextTable.Column(heading: heading, cells: cells.map(String.init))
    }
    var columns = [
      TextTable.Column(
        heading: ["signed", "in"], isNumeric: false, cells: rows.map(\.account.signedIn.shown),
        emphasis: rows.map { emphasis($0.account.signedIn) })
    ]
    if var all = numbers([words.rowNoun == "token" ? "tokens" : "entries"], \.all) {
      all.isOptional = true
      columns.append(all)
    }
    columns += [
      numbers(["converted"], \.converted), numbers(["already", "there"], \.alreadyThere),
      numbers(["not", "converted"], \.notConverted),
    ].compactMap { $0 }

    let table = TextTable(
      nameHeading: "account", names: rows.map(\.account.shownName), columns: columns)
    if let lines = table.lines(style: style) { return lines + more }
    return [style.apply(.dim, to: "  signed in  account")]
      + rows.flatMap { row in
        let answer = row.account.signedIn
        let padding = String.spaces(11 - answer.shown.count)
        return [
          "  \(style.apply(emphasis(answer), to: answer.shown))\(padding)"
            + cut(row.account.shownName),
          "             \(row.tally.sentence(words))",
        ]
      } + more
  }

  /// A name in a list, where it begins in the 14th column at the latest.
  private func cut(_ name: String) -> String {
    TextTable.cut(name, to: max(TextTable.shortestName, (style.width ?? .max) - 15))
  }

  /// Which document of a folder each account has.
  private var documents: [String] {
    var names: [Int: String] = [:]
    for entry in report.entries {
      if let account = entry.account, let document = entry.documentName {
        names[account] = document
      }
    }
    let room = style.width == nil ? names.count : Self.mostOfTheSignedIn
    let shown = names.count <= room + 1 ? names.count : room
    let more = shown < names.count ? ["  … and \(names.count - shown) more"] : []
    return names.isEmpty
      ? []
      : ["Documents:"]
        + names.sorted { $0.key < $1.key }.prefix(shown).flatMap { account, document in
          ["  " + cut(report.accounts[account].shownName), "    " + PlainText.show(document)]
        } + more
  }

  private func emphasis(_ answer: Report.SignedIn) -> TextStyle.Emphasis? {
    switch answer {
    case .yes: nil
    case .byUserName: .yellow
    case .no: .red
    }
  }

  private var findings: [String] {
    let codeWidth = report.findings.map(\.reason.code.count).max() ?? 0
    let numbers = report.findings.map { FindingLines.number($0, words) }
    let numberWidth = numbers.map(\.count).max() ?? 0
    return words.findings.flatMap { finding in
      var lines = FindingLines(
        finding: finding, words: words, codeWidth: codeWidth, numberWidth: numberWidth,
        style: style
      ).lines
      if finding.severity > .note {
        if let who = who(finding) {
          lines += TextLines.fill(who, width: style.width ?? .max, indent: 9, hanging: 14)
        }
        let remedy = PlainText.show(finding.remedy)
        let isNothing = remedy.hasPrefix("nothing to do")
        lines += TextLines.fill(
          isNothing ? remedy : "to do: \(remedy)", width: style.width ?? .max, indent: 9,
          hanging: isNothing ? 9 : 16)
      }
      return lines
    }
  }

  /// Whose tokens a finding is about, where its message does not say so.
  private func who(_ finding: Report.Finding) -> String? {
    words.who(finding, atMost: style.width == nil ? ReportWords.mostNames : 3) {
      cut($0.shownName)
    }.map { "who: " + $0 }
  }

  private var closing: [String] {
    let worst = words.findings.first { $0.severity > .note }
    return fill(words.written) + (worst.map { ["More: adal2msal explain \($0.reason.code)"] } ?? [])
  }
}

/// One finding: severity, code, how many rows, what happened.
struct FindingLines {
  let finding: Report.Finding
  let words: ReportWords
  let codeWidth: Int
  let numberWidth: Int
  let style: TextStyle

  /// How many rows it is about; empty when it is about the run.
  static func number(_ finding: Report.Finding, _ words: ReportWords) -> String {
    finding.rows.isEmpty ? "" : words.count(finding.rows.count, words.rowNoun)
  }

  var lines: [String] {
    let severity = finding.severity.rawValue
    let number = Self.number(finding, words)
    let head =
      style.apply(emphasis, to: severity) + String.spaces(9 - severity.count) + finding.reason.code
    let gap = String.spaces(codeWidth - finding.reason.code.count + 3)
    let cell = numberWidth == 0 ? "" : String.spaces(numberWidth - number.count) + number + "   "
    let message = finding.shownMessage
    guard let width = style.width else { return [head + gap + cell + message] }
    let column = 9 + codeWidth + 3 + cell.count
    if width - column >= 40 {
      let filled = TextLines.fill(message, width: width, indent: column, hanging: column)
      let first = filled.first.map { String($0.dropFirst(column)) } ?? ""
      return [head + gap + cell + first] + filled.dropFirst()
    }
    let title =
      number.isEmpty ? head : head + gap + String.spaces(numberWidth - number.count) + number
    return [title] + TextLines.fill(message, width: width, indent: 9, hanging: 9)
  }

  private var emphasis: TextStyle.Emphasis {
    switch finding.severity {
    case .error: .red
    case .warning: .yellow
    case .note: .dim
    }
  }
}

/// How many rows of an account became what.
struct Tally: Equatable {
  var converted = 0
  var alreadyThere = 0
  var notConverted = 0

  var all: Int { converted + alreadyThere + notConverted }

  mutating func add(_ outcome: Report.Outcome) {
    switch outcome {
    case .converted: converted += 1
    case .alreadyThere: alreadyThere += 1
    case .notConverted: notConverted += 1
    }
  }

  /// `3 tokens: 1 converted, 2 not converted`.
  func sentence(_ words: ReportWords) -> String {
    let parts = [
      (converted, "converted"), (alreadyThere, "already there"), (notConverted, "not converted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(words.count(all, words.rowNoun)): \(parts.joined(separator: ", "))"
  }
}

extension Report {
  /// The rows of each account, by its index; rows without an account under nil.
  var tallies: [Int?: Tally] {
    entries.reduce(into: [:]) { tallies, entry in
      tallies[entry.account, default: Tally()].add(entry.outcome)
    }
  }
}
