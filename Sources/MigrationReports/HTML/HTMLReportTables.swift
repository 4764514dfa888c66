// SPDX-License-Identifier: MIT
import ADALMigration

extension HTMLReport {
  /// A table of more rows takes a browser many seconds.
  private static let most = 10_000

  private func more(_ count: Int, _ what: String) -> HTML {
    guard count > Self.most else { return .none }
    let number = HTMLPage.grouped(count - Self.most)
    return .tag(
      .p, .style("caption"),
      content: .shown("And \(number) more \(what); the JSON report has them all."))
  }

  /// The accounts, those that must sign in again first.
  var accountTable: HTML {
    let tallies = report.tallies
    var documents: [Int: String] = [:]
    for entry in report.entries {
      if let account = entry.account {
        documents[account] = entry.documentName ?? documents[account]
      }
    }
    let shown = report.accountsWorstFirst.prefix(Self.most)
    let rows = shown.map { index in
      let account = report.accounts[index]
      let tally = tallies[index] ?? Tally()
      let all = [.shown(account.confidence.rawValue), HTML.shown(String(tally.all))]
      let name = who(account, documents[index])
      guard !isInspection else { return [name] + all }
      return [name, answer(account.signedIn)] + all
        + [tally.converted, tally.alreadyThere, tally.notConverted].map(Self.number)
    }
    let outcomes = isInspection ? [] : ["converted", "already there", "not converted"]
    let columns =
      ["account"] + (isInspection ? [] : ["signed in"]) + ["certainty", words.rowNouns] + outcomes
    let table = HTML.table(
      "Accounts", columns, numeric: Set([words.rowNouns] + outcomes), rows,
      anchors: shown.map { HTML.Anchor("account", $0) })
    return .group([table, more(report.accounts.count, "accounts")])
  }

  private func who(_ account: Report.Account, _ document: String?) -> HTML {
    let identifier =
      account.userID?.isEmpty ?? true
      ? HTML.none
      : account.homeAccountID.map { .tag(.small, content: .name($0)) } ?? .none
    let document = document.map { HTML.tag(.small, content: "document ", .name($0)) }
    return .tag(
      .div, content: .name(shown: account.shownName), identifier, document ?? .none)
  }

  private static func number(_ number: Int) -> HTML {
    number == 0 ? .tag(.span, .style("zero"), content: "0") : .shown(String(number))
  }

  private func answer(_ answer: Report.SignedIn) -> HTML {
    .tag(.span, .style("badge", HTML.Tone(answer)), content: .shown(answer.shown))
  }

  var rowTable: HTML {
    let columns =
      ["row", "kind", "account", "client", "for"] + (isInspection ? [] : ["outcome"]) + ["reasons"]
    let shown = report.entries.prefix(Self.most)
    let table = HTML.table(
      "Rows", columns, numeric: ["row"], shown.map(cells),
      anchors: shown.map { HTML.Anchor("row", $0.row) })
    return .group([table, more(report.entries.count, "rows")])
  }

  private func cells(_ entry: Report.Entry) -> [HTML] {
    let reasons = entry.reasons.map { reason in
      HTML.link(HTML.Anchor(reason), .tag(.code, content: .shown(reason.code)))
    }
    var cells: [HTML] = [
      .shown(String(entry.row)), .shown(entry.kind.rawValue), .name(entry.userID),
      .name(entry.clientID), .name(entry.resource ?? entry.scope ?? entry.authority),
    ]
    if !isInspection { cells.append(.shown(entry.outcome.rawValue)) }
    return cells + [.tag(.div, content: Self.some(reasons, of: reasons.count, between: " "))]
  }
}
