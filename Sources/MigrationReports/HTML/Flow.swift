// SPDX-License-Identifier: MIT
import ADALMigration

/// The way of a cache's rows: from their kinds, through their accounts, to their results. Each column counts every row
/// once.
struct Flow {
  struct Node {
    let label: String
    /// A short name for narrow places.
    let short: String
    let tone: HTML.Tone
    fileprivate(set) var rows = 0

    init(_ label: String, short: String? = nil, _ tone: HTML.Tone = .plain) {
      self.label = label
      self.short = short ?? label
      self.tone = tone
    }
  }

  /// Rows that are in two nodes of neighbouring columns.
  struct Stream {
    let from: Int
    let to: Int
    let rows: Int
  }

  /// The nodes of a column, and which of them each row is in.
  private typealias Sorting = (nodes: [Node], places: [Int])

  private(set) var columns: [(title: String, nodes: [Node])]
  let streams: [[Stream]]

  /// More accounts than these are shown as one, unless they are few of their kind.
  private static let mostAccounts = 12
  private static let fewAccounts = 5
  /// More kinds of rows, and more reasons, are shown as one.
  private static let mostKinds = 6
  private static let mostReasons = 4

  init(_ report: Report) {
    let isInspection = report.kind == .inspection
    var kinds = Self.grouped(
      report.entries.map { Self.kind($0.kind) }, most: Self.mostKinds, others: "other kinds")
    let accounts = Self.accounts(of: report)
    var results = isInspection ? Self.certainties(of: report) : Self.outcomes(of: report)
    Self.untangle(&kinds, by: accounts.places)
    let fixed = results.nodes.prefix { $0.tone == .good || $0.tone == .there }.count
    Self.untangle(&results, fixed: fixed, by: accounts.places)
    let sortings = [kinds, accounts, results]
    columns = Array(
      zip(
        [
          isInspection ? "In the cache" : "In the source", "Accounts",
          isInspection ? "Home account" : "Result",
        ], sortings.map(\.nodes)))
    for (column, sorting) in sortings.enumerated() {
      for place in sorting.places { columns[column].nodes[place].rows += 1 }
    }
    streams = zip(sortings, sortings.dropFirst()).map(Self.streams)
  }

  private static func streams(_ from: Sorting, _ to: Sorting) -> [Stream] {
    let width = to.nodes.count
    return zip(from.places, to.places)
      .reduce(into: [Int: Int]()) { $0[$1.0 * width + $1.1, default: 0] += 1 }
      .sorted { $0.key < $1.key }
      .map { Stream(from: $0.key / width, to: $0.key % width, rows: $0.value) }
  }

  /// Puts nodes, but for the first few, in the order of the mean place that their rows have in another column.
  private static func untangle(_ column: inout Sorting, fixed: Int = 0, by others: [Int]) {
    var sums = [(rows: Int, places: Int)](repeating: (0, 0), count: column.nodes.count)
    for (place, other) in zip(column.places, others) {
      sums[place].rows += 1
      sums[place].places += other
    }
    let means = sums.map { $0.rows == 0 ? 0 : Double($0.places) / Double($0.rows) }
    let order =
      Array(0..<fixed)
      + (fixed..<column.nodes.count).sorted { (means[$0], $0) < (means[$1], $1) }
    let positions = order.indices.sorted { order[$0] < order[$1] }
    column = (order.map { column.nodes[$0] }, column.places.map { positions[$0] })
  }

  /// The name of a row's kind. There are few enough to be told apart in a picture.
  private static func kind(_ kind: Report.RowKind) -> String {
    switch kind {
    case .accessToken: "access tokens"
    case .multiResourceRefreshToken: "refresh tokens"
    case .singleResourceToken: "tokens for one resource"
    case .familyRefreshToken: "family refresh tokens"
    case .tombstone: "tombstones"
    case .empty: "empty rows"
    case .unreadable: "unreadable rows"
    case .adfs: "AD FS rows"
    case .b2c: "B2C rows"
    case .appOnly: "tokens of the app itself"
    case .onBehalfOf: "tokens on behalf of others"
    case .servicePrincipal: "service principals"
    case .primaryRefreshToken: "primary refresh tokens"
    case .unifiedRefreshToken, .unifiedAccessToken, .unifiedIDToken, .unifiedAccount,
      .unifiedAppMetadata:
      "entries of MSAL's"
    }
  }

  /// The results of rows, with the reason for rows that stay behind.
  private static func outcomes(of report: Report) -> Sorting {
    let left = grouped(
      report.entries.map { $0.outcome == .notConverted ? $0.reasons.first?.code ?? "" : "" },
      most: mostReasons + 1, others: "other reasons", last: "")
    var tones: [Reason: HTML.Tone] = [:]
    for finding in report.findings where finding.severity > .note {
      let tone: HTML.Tone = finding.severity == .error ? .bad : .fair
      if tones[finding.reason] != .bad { tones[finding.reason] = tone }
    }
    let all =
      [
        Node(
          report.kind == .dryRun ? "would be converted" : "converted", short: "converted", .good),
        Node("already there", .there),
      ]
      + left.nodes.map { node in
        guard let reason = Reason(code: node.label) else { return Node(node.label, .left) }
        return Node(reason.summary, short: reason.code, tones[reason] ?? .left)
      }
    let places = zip(report.entries, left.places).map { entry, place in
      switch entry.outcome {
      case .converted: 0
      case .alreadyThere: 1
      case .notConverted: 2 + place
      }
    }
    return withoutEmpty(all, places)
  }

  private static func certainties(of report: Report) -> Sorting {
    let confidences = Report.Confidence.allCases.sorted(by: >)
    let all =
      confidences.map { confidence in
        Node(
          confidence == .none ? "unknown" : confidence.rawValue,
          confidence >= .tenantMember ? .good : confidence >= .joined ? .fair : .left)
      } + [Node("no account", .left)]
    let places = report.entries.map { entry in
      guard let account = entry.account, report.accounts.indices.contains(account) else {
        return confidences.count
      }
      return confidences.firstIndex(of: report.accounts[account].confidence) ?? confidences.count
    }
    return withoutEmpty(all, places)
  }

  private static func withoutEmpty(_ nodes: [Node], _ places: [Int]) -> Sorting {
    let used = Set(places).sorted()
    let positions = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    return (used.map { nodes[$0] }, places.compactMap { positions[$0] })
  }

  /// Names in the order of how often they occur, the rarest together.
  ///
  /// - Parameter last: a name that stands at the end.
  private static func grouped(
    _ names: [String], most: Int, others: String, last: String? = nil
  ) -> Sorting {
    let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    let sorted = counts.keys.sorted { a, b in
      (a == last ? 1 : 0, -(counts[a] ?? 0), a) < (b == last ? 1 : 0, -(counts[b] ?? 0), b)
    }
    let isShort = sorted.count <= most
    let shown = isShort ? sorted : Array(sorted.filter { $0 != last }.prefix(most - 1))
    let positions = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
    return (
      (shown + (isShort ? [] : [others])).map { Node($0) },
      names.map { positions[$0] ?? shown.count }
    )
  }

  /// The accounts: each by name, or those with the same outcome together where they are many.
  private static func accounts(of report: Report) -> Sorting {
    let isInspection = report.kind == .inspection
    let isMany = report.accounts.count > mostAccounts
    var nodes: [Node] = []
    var places: [Int: Int] = [:]
    for signedIn in Report.SignedIn.worstFirst.reversed() {
      let accounts = report.accounts.indices.filter {
        isInspection ? signedIn == .yes : report.accounts[$0].signedIn == signedIn
      }
      let tone = isInspection ? .plain : HTML.Tone(signedIn)
      if !isMany || accounts.count <= fewAccounts {
        for account in accounts {
          places[account] = nodes.count
          let name = report.accounts[account].shownName
          nodes.append(Node(name, short: short(name), tone))
        }
      } else {
        for account in accounts { places[account] = nodes.count }
        let number = HTMLPage.grouped(accounts.count) + " accounts"
        nodes.append(
          Node(
            isInspection ? number : "\(number) that \(clause(signedIn))", short: number, tone)
        )
      }
    }
    let withoutAccount = nodes.count
    if report.entries.contains(where: { $0.account == nil }) {
      nodes.append(Node("no account", .left))
    }
    return (
      nodes,
      report.entries.map { entry in entry.account.flatMap { places[$0] } ?? withoutAccount }
    )
  }

  /// A name without the beginning that all masks share.
  private static func short(_ name: String) -> String {
    let start = "auth.placeholder-"
    return name.hasPrefix(start) ? String(name.dropFirst(start.count)) : name
  }

  private static func clause(_ answer: Report.SignedIn) -> String {
    switch answer {
    case .yes: "stay signed in"
    case .byUserName: "stay by name"
    case .no: "must sign in"
    }
  }
}
