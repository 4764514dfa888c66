// SPDX-License-Identifier: MIT
import ADALMigration

/// The accounts and the rows of a report as tables.
struct HTMLReportTables {
  private let report: Report

  /// A table of more rows takes a browser many seconds.
  static let most = 10_000

  init(_ report: Report) {
    self.report = report
  }

  private var isInspection: Bool { report.kind == .inspection }

  /// What there is no room for.
  private func more(_ count: Int, _ what: String) -> HTML {
    guard count > Self.most else { return .none }
    let number = HTMLPage.grouped(count - Self.most)
    return .tag(
      .p, .style("caption"),
      content: .shown("And \(number) more \(what); the JSON report has them all."))
  }

  /// The accounts, those that must sign in again first.
  var people: HTML {
    let tallies = report.tallies
    var documents: [Int: String] = [:]
    for entry in report.entries {
      if let account = entry.account {
        documents[account] = entry.documentName ?? documents[account]
      }
    }
    let sorted =
      isInspection
      ? Array(report.accounts.indices)
      : Report.SignedIn.worstFirst.flatMap { answer in
        report.accounts.indices.filter { report.accounts[$0].signedIn == answer }
      }
    let rows = sorted.prefix(Self.most).map { index in
      let account = report.accounts[index]
      let tally = tallies[index] ?? Tally()
      let outcomes: [HTML] =
        isInspection
        ? []
        : [tally.converted, tally.alreadyThere, tally.notConverted].map(Self.number)
      return HTMLTable.Row(
        HTML.Anchor("account", index),
        [who(account, documents[index])] + (isInspection ? [] : [answer(account.signedIn)])
          + [.shown(account.confidence.rawValue), .shown(String(tally.all))] + outcomes)
    }
    let noun = ReportWords(report: report).rowNoun == "token" ? "tokens" : "entries"
    let columns =
      [HTMLTable.Column("account")] + (isInspection ? [] : [.init("signed in")])
      + [.init("certainty"), .init(noun, isNumeric: true)]
      + (isInspection
        ? []
        : ["converted", "already there", "not converted"].map { .init($0, isNumeric: true) })
    return .group([
      HTMLTable("Accounts", columns, rows).html, more(report.accounts.count, "accounts"),
    ])
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

  /// Every row.
  var rows: HTML {
    let titles =
      ["kind", "account", "client", "for"] + (isInspection ? [] : ["outcome"]) + ["reasons"]
    let rows = report.entries.prefix(Self.most).map { entry in
      HTMLTable.Row(HTML.Anchor("row", entry.row), cells(entry))
    }
    let columns = [HTMLTable.Column("row", isNumeric: true)] + titles.map { HTMLTable.Column($0) }
    return .group([HTMLTable("Rows", columns, rows).html, more(report.entries.count, "rows")])
  }

  private func cells(_ entry: Report.Entry) -> [HTML] {
    var reasons: [HTML] = []
    for reason in entry.reasons {
      if !reasons.isEmpty { reasons.append(" ") }
      reasons.append(.link(HTML.Anchor(reason), .tag(.code, content: .shown(reason.code))))
    }
    var cells: [HTML] = [
      .shown(String(entry.row)), .shown(entry.kind.rawValue), .name(entry.userID),
      .name(entry.clientID), .name(entry.resource ?? entry.scope ?? entry.authority),
    ]
    if !isInspection { cells.append(.shown(entry.outcome.rawValue)) }
    cells.append(.element(.div, [], reasons))
    return cells
  }
}
