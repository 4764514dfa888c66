// SPDX-License-Identifier: MIT
import ADALMigration

/// Findings as cards, each with the page of its reason folded in.
extension HTMLReport {
  /// A card names so many accounts, and links to so many rows.
  private static let mostNames = 8
  private static let mostRows = 24

  static func some(_ pieces: [HTML], of all: Int, between separator: HTML) -> HTML {
    let joined = pieces.enumerated().flatMap { $0 == 0 ? [$1] : [separator, $1] }
    let more = all - pieces.count
    return .group(joined + (more > 0 ? [.shown(" and \(HTMLPage.grouped(more)) more")] : []))
  }

  /// - Parameter isFirst: whether no card before it has the same reason. Links lead to the first.
  func card(_ finding: Report.Finding, isFirst: Bool) -> HTML {
    let number = finding.rows.isEmpty ? "" : finding.rows.count.counted(words.rowNoun)
    let remedy = PlainText.show(finding.remedy)
    return .card(
      HTML.Tone(finding.severity), badge: finding.severity.rawValue, code: finding.reason.code,
      count: number, title: message(finding), who(finding),
      .tag(
        .p, .style("remedy"),
        content: finding.asksNothing
          ? HTML.words(remedy.asSentence)
          : .group([.tag(.b, content: "To do:"), " ", .words(remedy + ".")])),
      page(
        finding.reason, isFirst ? HTML.Anchor(finding.reason) : nil, "Why, and what to do",
        rows: finding.rows))
  }

  private func message(_ finding: Report.Finding) -> HTML {
    .group(
      finding.fragments.enumerated().map { index, fragment in
        switch fragment {
        case .text(let words): index == 0 ? .sentence(words) : .words(words)
        case .user(let name): .name(name)
        }
      } + ["."])
  }

  private func who(_ finding: Report.Finding) -> HTML {
    let affected = Set(finding.rows.compactMap { accountOfRow[$0] }).sorted()
      .filter(report.accounts.indices.contains)
    guard !affected.isEmpty, finding.severity > .note else { return .none }
    let names = affected.prefix(Self.mostNames).map { account in
      HTML.link(
        HTML.Anchor("account", account), .name(shown: report.accounts[account].shownName))
    }
    return .tag(
      .p, .style("who"),
      content: .tag(.b, content: "Who:"), " ",
      Self.some(names, of: affected.count, between: ", "))
  }

  private func page(
    _ reason: Reason, _ anchor: HTML.Anchor?, _ title: HTML, rows: [Int] = []
  ) -> HTML {
    let links = rows.prefix(Self.mostRows).map { row in
      HTML.link(HTML.Anchor("row", row), .shown(String(row)))
    }
    return .element(
      .details, [.style("reason")] + (anchor.map { [.id($0)] } ?? []),
      [
        .tag(.summary, content: title),
        reason.htmlPage,
        links.isEmpty
          ? .none
          : .tag(
            .p, .style("rows"),
            content: .tag(.b, content: "Rows:"), " ",
            Self.some(links, of: rows.count, between: ", ")),
      ])
  }

  /// The pages of the reasons of the rows that no card is about.
  var otherPages: [HTML] {
    let told = Set(words.findings.map(\.reason))
    let counts = report.entries.reduce(into: [Reason: Int]()) { counts, entry in
      for reason in Set(entry.reasons) where !told.contains(reason) {
        counts[reason, default: 0] += 1
      }
    }
    return counts.sorted { $0.key.code < $1.key.code }.map { reason, number in
      page(
        reason, HTML.Anchor(reason),
        .group([
          .tag(.code, content: .shown(reason.code)), " ", .words(reason.summary), " ",
          .tag(.span, .style("count"), content: .shown(number.counted(words.rowNoun))),
        ]))
    }
  }
}
