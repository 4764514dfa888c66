// SPDX-License-Identifier: MIT
import ADALMigration

/// The contents of a cache as text: every account with its rows, and the findings.
extension TextReport {
  var inspectionLines: [String] {
    var headline = report.summary.rows == 0 ? words.headline : words.inspected
    if let foreign = words.foreign { headline += " \(foreign)" }
    var lines = fill(headline).map { style.apply(.bold, to: $0) }

    let byAccount = Dictionary(grouping: report.entries, by: \.account)
    // The width of the columns of rows, the same for all accounts.
    let widths = (
      number: String(report.entries.map(\.row).max() ?? 0).count,
      kind: report.entries.map(\.kind.rawValue.count).max() ?? 0
    )
    let column = 4 + widths.number + 2 + widths.kind + 2
    let room = style.width.map { $0 - column } ?? .max
    let isNarrow =
      room < 40 && report.entries.contains { DisplayWidth.columns(subject($0) ?? "") > room }

    /// A row with its number, its kind and its resource, which gets a line of its own if there is too little room.
    func row(_ entry: Report.Entry) -> [String] {
      let number = String(entry.row)
      let kind = entry.kind.rawValue
      let head = "    \(String.spaces(widths.number - number.count))\(number)  \(kind)"
      guard let subject = subject(entry) else { return [head] }
      guard isNarrow else {
        return [
          head + String.spaces(widths.kind - kind.count + 2) + TextTable.cut(subject, to: room)
        ]
      }
      let indent = 6 + widths.number
      return [
        head, String.spaces(indent) + TextTable.cut(subject, to: room + column - indent),
      ]
    }
    func rows(_ entries: [Report.Entry]?) -> [String] {
      let clients = Dictionary(grouping: entries ?? []) { $0.clientID ?? "" }
      return clients.sorted { $0.key < $1.key }.flatMap { client, entries in
        [client.isEmpty ? "  no client" : "  client \(PlainText.show(client))"]
          + entries.flatMap(row)
      }
    }
    for (index, account) in report.accounts.enumerated() {
      lines += [""] + heading(account) + rows(byAccount[index])
    }
    if let withoutAccount = byAccount[nil] {
      lines += ["", style.apply(.bold, to: "no account")] + rows(withoutAccount)
    }
    lines += files
    let remarkable = self.remarkable
    if !remarkable.isEmpty { lines += [""] + remarkable }
    if report.summary.rows > 0 {
      lines += ["", "What a migration would do: \(words.trying.filter { $0 != "`" })"]
    }
    return lines
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

  /// The resource of a row, or its origin.
  private func subject(_ entry: Report.Entry) -> String? {
    (entry.resource ?? entry.scope ?? entry.authority).map(PlainText.show)
  }

  /// The notes to omit as obvious: that rows can be converted, and the entries that would be written beside them.
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
      let rows = number.counted(words.rowNoun)
      let head =
        "  \(reason.code)\(String.spaces(codeWidth - reason.code.count))"
        + "  \(String.spaces(10 - rows.count))\(rows)  "
      return TextLines.fill(
        reason.summary, beside: head, of: 2 + codeWidth + 14, width: style.width, atLeast: 30,
        indent: 4)
    }
  }
}
