// SPDX-License-Identifier: MIT
import ADALMigration

/// The contents of a cache as text: every account with its rows, and the findings.
struct TextInspection {
  let report: Report
  let style: TextStyle
  private var words: ReportWords { ReportWords(report: report) }

  init(report: Report, style: TextStyle) {
    self.report = report
    self.style = style
  }

  var lines: [String] {
    var headline = report.summary.rows == 0 ? words.headline : words.inspected
    if let foreign = words.foreign { headline += " \(foreign)" }
    var lines = fill(headline).map { style.apply(.bold, to: $0) }

    let byAccount = Dictionary(grouping: report.entries, by: \.account)
    let columns = self.columns
    for (index, account) in report.accounts.enumerated() {
      lines += [""] + heading(account) + rows(byAccount[index] ?? [], columns)
    }
    if let withoutAccount = byAccount[nil] {
      lines += ["", style.apply(.bold, to: "no account")] + rows(withoutAccount, columns)
    }
    lines += FileLines(report: report, style: style).lines
    let remarkable = self.remarkable
    if !remarkable.isEmpty { lines += [""] + remarkable }
    if report.summary.rows > 0 {
      let trying = ReportWords(report: report).trying.filter { $0 != "`" }
      lines += ["", "What a migration would do: \(trying)"]
    }
    return lines
  }

  private func fill(_ text: String) -> [String] {
    TextLines.fill(text, width: style.width ?? .max)
  }

  private func heading(_ account: Report.Account) -> [String] {
    let name = style.apply(.bold, to: account.shownName)
    let certainty =
      account.homeAccountID == nil
      ? "home account unknown" : "home account: \(account.confidence.rawValue)"
    let identifier = account.homeAccountID.map { ["  \(PlainText.show($0))"] } ?? []
    let columns = DisplayWidth.columns(account.shownName) + 2 + certainty.count
    if let width = style.width, columns > width { return [name, "  \(certainty)"] + identifier }
    return ["\(name)  \(certainty)"] + identifier
  }

  /// How wide the columns of rows are, which is the same for all accounts.
  private struct Columns {
    var number: Int
    var kind: Int
    /// Where what a row is for begins.
    var subject: Int
    /// How much there is for it; all that it takes where there is no width.
    var room: Int
    /// Whether that is too little, so that it has a line of its own.
    var isNarrow: Bool
  }

  private var columns: Columns {
    let number = String(report.entries.map(\.row).max() ?? 0).count
    let kind = report.entries.map(\.kind.rawValue.count).max() ?? 0
    let column = 4 + number + 2 + kind + 2
    let room = style.width.map { $0 - column } ?? .max
    let isNarrow =
      room < 40 && report.entries.contains { DisplayWidth.columns(subject($0) ?? "") > room }
    return Columns(number: number, kind: kind, subject: column, room: room, isNarrow: isNarrow)
  }

  /// The rows by client, each with its number, kind and what it is for.
  private func rows(_ entries: [Report.Entry], _ columns: Columns) -> [String] {
    let clients = Dictionary(grouping: entries) { $0.clientID ?? "" }
    return clients.sorted { $0.key < $1.key }.flatMap { client, entries in
      [client.isEmpty ? "  no client" : "  client \(PlainText.show(client))"]
        + entries.flatMap { entry -> [String] in
          let number = String(entry.row)
          let kind = entry.kind.rawValue
          let head = "    \(String.spaces(columns.number - number.count))\(number)  \(kind)"
          guard let subject = subject(entry) else { return [head] }
          guard columns.isNarrow else {
            let gap = String.spaces(columns.kind - kind.count + 2)
            return [head + gap + TextTable.cut(subject, to: columns.room)]
          }
          let indent = 6 + columns.number
          let room = columns.room + columns.subject - indent
          return [head, String.spaces(indent) + TextTable.cut(subject, to: room)]
        }
    }
  }

  /// What a row is for, or where it is from.
  private func subject(_ entry: Report.Entry) -> String? {
    (entry.resource ?? entry.scope ?? entry.authority).map(PlainText.show)
  }

  /// What goes without saying: that rows can be converted, and what would be written beside them.
  private static func isUsual(_ reason: Reason) -> Bool {
    switch reason {
    case .homeExact, .homeCommonAuthority, .homeTenantMember, .clientInfoSynthesised,
      .accountAliasCopy, .unifiedCarried:
      true
    default: reason.code.hasPrefix("ok.") || reason.code.hasPrefix("keep.")
    }
  }

  /// The other reasons of the rows, with how often each occurs.
  private var remarkable: [String] {
    let reasons = report.entries.flatMap { Set($0.reasons) }.filter { !Self.isUsual($0) }
    let counts = reasons.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let codeWidth = counts.keys.map(\.code.count).max() ?? 0
    return counts.sorted { $0.key.code < $1.key.code }.flatMap { reason, number in
      let rows = words.count(number, words.rowNoun)
      let head =
        "  \(reason.code)\(String.spaces(codeWidth - reason.code.count))"
        + "  \(String.spaces(10 - rows.count))\(rows)  "
      let column = 2 + codeWidth + 14
      guard let width = style.width else { return [head + reason.summary] }
      guard width - column >= 30 else {
        return [head.withoutBlanksAtEnd]
          + TextLines.fill(reason.summary, width: width, indent: 4, hanging: 4)
      }
      let filled = TextLines.fill(reason.summary, width: width, indent: column, hanging: column)
      return [head + (filled.first.map { String($0.dropFirst(column)) } ?? "")]
        + filled.dropFirst()
    }
  }
}
