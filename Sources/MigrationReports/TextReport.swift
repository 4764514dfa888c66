// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  func text(style: TextStyle) -> String {
    let report = TextReport(report: content, style: style)
    let lines = content.kind == .inspection ? report.inspectionLines : report.migrationLines
    return lines.joined(separator: "\n") + "\n"
  }
}

struct TextReport {
  let report: Report
  let style: TextStyle
  let words: ReportWords
  /// The most unchanged accounts and files that a terminal shows. Files and pipes get all of them.
  private static let mostOfTheQuiet = 20
  /// The most names in a line of a file, elsewhere and on a terminal.
  private static let mostNames = (elsewhere: 20, onTerminal: 3)

  init(report: Report, style: TextStyle) {
    self.report = report
    self.style = style
    words = ReportWords(report: report)
  }

  fileprivate var migrationLines: [String] {
    var lines = fill(words.headline).map { style.apply(.bold, to: $0) }
    lines += fill(report.summary.rows > 0 ? words.counts : words.foreign ?? "")
    if !report.accounts.isEmpty { lines += [""] + accounts }
    if !documents.isEmpty { lines += [""] + documents }
    lines += files
    if !report.findings.isEmpty { lines += [""] + findings }
    if report.summary.rows > 0 || !report.findings.isEmpty { lines += [""] + closing }
    return lines
  }

  func fill(_ text: String, indent: Int = 0, hanging: Int = 0) -> [String] {
    TextLines.fill(text, width: style.width ?? .max, indent: indent, hanging: hanging)
  }

  /// The accounts, those that must sign in again first.
  private var accounts: [String] {
    let tallies = report.tallies
    var more: [String] = []
    var rows: [(account: Report.Account, tally: Tally)] = []
    for answer in Report.SignedIn.worstFirst {
      let indices = report.accounts.indices.filter { report.accounts[$0].signedIn == answer }
      // A terminal shows the accounts that matter most.
      let isCut = style.width != nil && answer == .yes
      let (shown, rest) = indices.cut(to: isCut ? Self.mostOfTheQuiet : indices.count)
      rows += shown.map { (report.accounts[$0], tallies[$0] ?? Tally()) }
      if rest > 0 { more = ["  … and \(rest) more, all signed in"] }
    }

    func numbers(_ heading: [String], _ value: (Tally) -> Int) -> TextTable.Column? {
      let cells = rows.map { value($0.tally) }
      guard cells.contains(where: { $0 != 0 }) else { return nil }
      return TextTable.Column(heading: heading, cells: cells.map(String.init))
    }
    var all = numbers([words.rowNouns], \.all)
    all?.isOptional = true
    let columns = [
      TextTable.Column(
        heading: ["signed", "in"], isNumeric: false, cells: rows.map(\.account.signedIn.shown),
        emphasis: rows.map { emphasis($0.account.signedIn) }),
      all, numbers(["converted"], \.converted), numbers(["already", "there"], \.alreadyThere),
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

  private var documents: [String] {
    var names: [Int: String] = [:]
    for entry in report.entries {
      if let account = entry.account, let document = entry.documentName {
        names[account] = document
      }
    }
    guard !names.isEmpty else { return [] }
    let (shown, more) = names.sorted { $0.key < $1.key }
      .cut(to: style.width == nil ? names.count : Self.mostOfTheQuiet)
    let lines = shown.flatMap { account, document in
      ["  " + cut(report.accounts[account].shownName), "    " + PlainText.show(document)]
    }
    return ["Documents:"] + lines + (more > 0 ? ["  … and \(more) more"] : [])
  }

  private func emphasis(_ answer: Report.SignedIn) -> TextStyle.Emphasis? {
    switch answer {
    case .yes: nil
    case .byUserName: .yellow
    case .no: .red
    }
  }

  // MARK: Files

  /// A heading and some lines for each file of a folder, after an empty line; nothing when one cache was read.
  var files: [String] {
    guard !report.caches.isEmpty else { return [] }
    let quiet = report.caches.indices.filter { report.caches[$0].status == 0 }
    let (shown, more) = quiet.cut(to: style.width == nil ? quiet.count : Self.mostOfTheQuiet)
    let hidden = Set(quiet.dropFirst(shown.count))
    return ["", "Files:"]
      + report.caches.indices.filter { !hidden.contains($0) }.flatMap {
        lines(of: report.caches[$0])
      }
      + (more > 0 ? ["  … and \(more) more with exit status 0"] : [])
  }

  private func lines(of cache: Report.Cache) -> [String] {
    func head(_ text: String) -> [String] {
      let status = cache.status == 0 ? "" : "  exit status \(cache.status)"
      return ["  \(PlainText.show(cache.file))" + style.apply(.red, to: status)]
        + fill(text, indent: 4, hanging: 6)
    }
    func names(_ isMeant: (Report.SignedIn) -> Bool) -> String? {
      let room = style.width == nil ? Self.mostNames.elsewhere : Self.mostNames.onTerminal
      return report.names(of: cache, atMost: room, where: isMeant) { $0.shownName }
    }
    if let objection = cache.objection { return head(PlainText.show(objection)) }
    if cache.rows == 0 { return head("no \(words.rowNouns)") }
    if report.kind == .inspection {
      let whose = names { _ in true }.map { " of \($0)" } ?? ""
      return head(cache.rows.counted(words.rowNoun) + whose)
    }
    let tally = Tally(
      converted: cache.converted, alreadyThere: cache.alreadyThere, notConverted: cache.notConverted
    )
    let users = [
      names { $0 != .no }.map { "signed in: \($0)" },
      names { $0 == .no }.map { "must sign in: \($0)" },
    ].compactMap { $0 }
    return head(tally.sentence(words)) + users.flatMap { fill($0, indent: 4, hanging: 6) }
  }

  // MARK: Findings

  private var findings: [String] {
    let codeWidth = report.findings.map(\.reason.code.count).max() ?? 0
    /// The number of a finding's rows; empty if it is about the run.
    func number(_ finding: Report.Finding) -> String {
      finding.rows.isEmpty ? "" : finding.rows.count.counted(words.rowNoun)
    }
    let numberWidth = report.findings.map { number($0).count }.max() ?? 0
    return words.findings.flatMap { finding in
      let (severity, number) = (finding.severity.rawValue, number(finding))
      let cell = numberWidth == 0 ? "" : String.spaces(numberWidth - number.count) + number + "   "
      let head =
        style.apply(.init(finding.severity), to: severity) + String.spaces(9 - severity.count)
        + finding.reason.code + String.spaces(codeWidth - finding.reason.code.count + 3) + cell
      let lines = TextLines.fill(
        finding.shownMessage, beside: head, of: 9 + codeWidth + 3 + cell.count,
        width: style.width, atLeast: 40, indent: 9)
      return finding.severity > .note ? lines + advice(finding) : lines
    }
  }

  /// The owners of a finding's tokens, if its message does not name them, and the remedy.
  private func advice(_ finding: Report.Finding) -> [String] {
    let who = words.who(finding, atMost: style.width == nil ? ReportWords.mostNames : 3) {
      cut($0.shownName)
    }
    let remedy = PlainText.show(finding.remedy)
    return (who.map { fill("who: " + $0, indent: 9, hanging: 14) } ?? [])
      + (finding.asksNothing
        ? fill(remedy, indent: 9, hanging: 9) : fill("to do: \(remedy)", indent: 9, hanging: 16))
  }

  private var closing: [String] {
    let worst = words.findings.first { $0.severity > .note }
    return fill(words.written) + (worst.map { ["More: adal2msal explain \($0.reason.code)"] } ?? [])
  }
}
