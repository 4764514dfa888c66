// SPDX-License-Identifier: MIT
import ADALMigration

extension MaskedReport {
  func html() -> String { HTMLReport(content).text }
}

/// The page of a report, for screens and paper, without network or script: the answer, the remedies, the flow of rows,
/// the accounts, and every row.
struct HTMLReport {
  let report: Report
  let words: ReportWords
  /// The account of each row, by row number.
  let accountOfRow: [Int: Int]

  init(_ report: Report) {
    self.report = report
    words = ReportWords(report: report)
    accountOfRow = report.entries.reduce(into: [:]) { $0[$1.row] = $1.account }
  }

  var isInspection: Bool { report.kind == .inspection }

  var text: String {
    let hasRows = report.summary.rows > 0
    let headline = isInspection && hasRows ? words.inspected : words.headline
    let counts = hasRows ? words.counts : words.foreign ?? ""
    return HTMLPage.text(
      kind: kind, headline: headline, tone: tone,
      lead: isInspection ? [words.foreign ?? "", words.written] : [counts, words.written],
      figures: figures, chapters: [toDo, flow, accounts, notes, rows, others], remarks: remarks)
  }

  private var kind: String {
    switch report.kind {
    case .inspection: "Inspection"
    case .dryRun: "Dry run"
    case .applied: "Migration"
    }
  }

  private var tone: HTML.Tone {
    guard !isInspection, report.summary.rows > 0 || !report.findings.isEmpty else { return .plain }
    if !unread.isEmpty { return .bad }
    switch report.worstSeverity {
    case .error?: return .bad
    case .warning?: return .fair
    case .note?, nil: return .good
    }
  }

  private var figures: [HTML] {
    let summary = report.summary
    guard summary.rows > 0 else { return [] }
    let rows = HTMLPage.figure(summary.rows, .shown(words.rowNouns))
    if isInspection {
      let known = report.accounts.count { $0.homeAccountID != nil }
      return [
        HTMLPage.figure(summary.accounts, "accounts"),
        HTMLPage.figure(known, "with a home account id"),
        HTMLPage.figure(summary.accounts - known, "without one"), rows,
      ]
    }
    let byName = report.accounts.count { $0.signedIn == .byUserName }
    let (anyway, leave) = (summary.accountsSignedOut, summary.accountsToSignIn)
    return [
      HTMLPage.figure(
        summary.accountsSignedIn - byName, "stay signed in",
        summary.accountsSignedIn == byName ? .plain : .good),
      byName == 0 ? nil : HTMLPage.figure(byName, "by user name only", .fair),
      HTMLPage.figure(leave - anyway, "must sign in", leave == anyway ? .plain : .bad),
      anyway == 0 ? nil : HTMLPage.figure(anyway, "had to sign in before too"),
      rows,
      HTMLPage.figure(
        summary.written, report.kind == .dryRun ? "entries would be added" : "entries were added"),
    ].compactMap { $0 }
  }

  // MARK: Findings

  /// The findings with whether each is the first of its reason.
  private func cards(_ isWanted: (Report.Finding) -> Bool) -> [HTML] {
    var seen: Set<Reason> = []
    return words.findings.compactMap { finding in
      let isFirst = seen.insert(finding.reason).inserted
      return isWanted(finding) ? card(finding, isFirst: isFirst) : nil
    }
  }

  private var toDo: HTML {
    let cards = cards { $0.severity > .note }
    if cards.isEmpty, unread.isEmpty {
      let isEverything = !isInspection && report.summary.rows > 0
      return isEverything
        ? .chapter("what-to-do", "What to do", .tag(.p, content: "Nothing.")) : .none
    }
    return .chapter("what-to-do", "What to do", .group(unread + cards))
  }

  private var unread: [HTML] {
    guard !isInspection else { return [] }
    return report.unread.map { .tag(.p, content: .text($0.objection.asSentence)) }
  }

  private var notes: HTML {
    let cards = cards { $0.severity == .note }
    guard !cards.isEmpty else { return .none }
    return .chapter(
      "notes", "Notes",
      .folded(.shown(cards.count.counted("note")), .group(cards)))
  }

  private var others: HTML {
    let pages = otherPages
    guard !pages.isEmpty else { return .none }
    let title: HTML = isInspection ? "The reasons in a migration" : "The other reasons"
    return .chapter("reasons", title, .group(pages))
  }

  // MARK: The picture and the tables

  private var flow: HTML {
    guard report.summary.rows > 0 else { return .none }
    let flow = Flow(report)
    return .chapter(
      "flow", isInspection ? "Tokens by account" : "Result for each token",
      .tag(
        .div, .style("picture"),
        content: FlowPicture(flow: flow, layout: .wide).html,
        FlowPicture(flow: flow, layout: .narrow).html),
      .tag(.p, .style("caption"), content: .shown(caption)))
  }

  private var caption: String {
    let height = "The height of a bar is its number of \(words.rowNouns)."
    if isInspection { return height }
    let types = Report.EntryType.allCases.compactMap { type in
      report.writtenByType[type].map { type.counted($0) }
    }
    let verb = report.kind == .dryRun ? "would be added" : "were added"
    let list = types.joined(separator: ", ")
    let added = types.isEmpty ? "" : " Entries that \(verb) to MSAL's cache: \(list)."
    return height + added
  }

  private var accounts: HTML {
    guard !report.accounts.isEmpty else { return .none }
    return .chapter("accounts", "Accounts", accountTable)
  }

  private var rows: HTML {
    guard !report.entries.isEmpty else { return .none }
    let number = report.summary.rows.counted(words.rowNoun)
    return .chapter(
      "rows", words.rowNoun == "token" ? "Every token" : "Every entry",
      .folded(.shown(number), rowTable))
  }

  private var remarks: [HTML] {
    let next: HTML? =
      isInspection && report.summary.rows > 0
      ? .words("What a migration would do: \(words.trying).") : nil
    return [next, "Reports never show a token."].compactMap { $0 }
  }
}

extension Report.EntryType {
  fileprivate func counted(_ number: Int) -> String {
    let noun =
      switch self {
      case .refreshToken: "refresh token"
      case .idToken: "ID token"
      case .accessToken: "access token"
      case .account: "account"
      case .appMetadata: "app metadata"
      }
    let isPlural = number != 1 && self != .appMetadata
    return "\(HTMLPage.grouped(number)) \(isPlural ? noun + "s" : noun)"
  }
}
