// SPDX-License-Identifier: MIT
import ADALMigration

/// Where the rows of a cache went: from what they are, through their accounts, to what became
/// of them. In each column every row is counted once.
struct Flow: Equatable {
  /// Some of the rows.
  struct Node: Equatable {
    var label: String
    /// What it is called where there is little room.
    var short: String
    var rows = 0
    var tone = HTML.Tone.plain

    init(_ label: String, short: String? = nil, _ tone: HTML.Tone = .plain) {
      self.label = label
      self.short = short ?? label
      self.tone = tone
    }
  }

  /// Rows that are in two nodes of neighbouring columns.
  struct Stream: Equatable {
    var from: Int
    var to: Int
    var rows: Int
  }

  struct Column: Equatable {
    var title: String
    var nodes: [Node]
  }

  var columns: [Column]
  /// The streams from each column to the next, by node.
  var streams: [[Stream]]

  /// More accounts than these are shown as one, unless they are few of their kind.
  static let mostPeople = 12
  static let fewPeople = 5
  /// More kinds of rows, and more reasons, are shown as one.
  static let mostKinds = 6
  static let mostReasons = 4

  init(_ report: Report) {
    let kinds = Grouping(
      report.entries.map { Self.kind($0.kind) }, most: Self.mostKinds, others: "other kinds")
    let people = People(report)
    let outcomes =
      report.kind == .inspection ? Self.certainties(of: report) : Self.outcomes(of: report)
    let places = zip(report.entries, zip(kinds.places, outcomes.places)).map { entry, places in
      [places.0, people.place(of: entry.account), places.1]
    }
    let isInspection = report.kind == .inspection
    columns = [
      Column(title: isInspection ? "In the cache" : "In the source", nodes: kinds.nodes),
      Column(title: "Accounts", nodes: people.nodes),
      Column(
        title: isInspection ? "Home account" : "Result", nodes: outcomes.nodes),
    ]
    for place in places {
      for (column, node) in place.enumerated() { columns[column].nodes[node].rows += 1 }
    }
    streams = Self.streams(places)
    untangle()
  }

  /// The streams between places of rows.
  private static func streams(_ places: [[Int]]) -> [[Stream]] {
    (0..<2).map { column in
      struct Ends: Hashable {
        var from: Int
        var to: Int
      }
      let counts = places.reduce(into: [Ends: Int]()) {
        $0[Ends(from: $1[column], to: $1[column + 1]), default: 0] += 1
      }
      return counts.map { Stream(from: $0.from, to: $0.to, rows: $1) }
        .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }
  }

  /// Puts the first column in the order of whose its rows are, and what stays behind in the last one too.
  private mutating func untangle() {
    let first = Self.order(
      columns[0].nodes.count, fixed: 0, streams[0].map { ($0.from, $0.to, $0.rows) })
    let fixed = columns[2].nodes.prefix { $0.tone == .good || $0.tone == .there }.count
    let last = Self.order(
      columns[2].nodes.count, fixed: fixed, streams[1].map { ($0.to, $0.from, $0.rows) })
    columns[0].nodes = first.map { columns[0].nodes[$0] }
    columns[2].nodes = last.map { columns[2].nodes[$0] }
    let newFirst = Self.positions(first)
    let newLast = Self.positions(last)
    streams[0] = streams[0].map { Stream(from: newFirst[$0.from], to: $0.to, rows: $0.rows) }
    streams[1] = streams[1].map { Stream(from: $0.from, to: newLast[$0.to], rows: $0.rows) }
    for column in streams.indices {
      streams[column].sort { ($0.from, $0.to) < ($1.from, $1.to) }
    }
  }

  /// Nodes by the mean place of what they are joined to.
  private static func order(
    _ count: Int, fixed: Int, _ joints: [(node: Int, other: Int, rows: Int)]
  ) -> [Int] {
    var sums = [(rows: Double, places: Double)](repeating: (0, 0), count: count)
    for joint in joints {
      sums[joint.node].rows += Double(joint.rows)
      sums[joint.node].places += Double(joint.rows * joint.other)
    }
    let means = sums.map { $0.rows == 0 ? 0 : $0.places / $0.rows }
    return Array(0..<fixed) + (fixed..<count).sorted { (means[$0], $0) < (means[$1], $1) }
  }

  /// Where each has gone that an order names.
  private static func positions(_ order: [Int]) -> [Int] {
    order.indices.sorted { order[$0] < order[$1] }
  }

  /// What a row is called, few enough to be told apart in a picture.
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

  /// What became of rows, and of those that stay behind why.
  private static func outcomes(of report: Report) -> (nodes: [Node], places: [Int]) {
    let left = Grouping(
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

  /// How certain the home accounts are.
  private static func certainties(of report: Report) -> (nodes: [Node], places: [Int]) {
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

  private static func withoutEmpty(
    _ nodes: [Node], _ places: [Int]
  ) -> (nodes: [Node], places: [Int]) {
    let used = Set(places).sorted()
    let positions = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    return (used.map { nodes[$0] }, places.compactMap { positions[$0] })
  }

  /// Names in the order of how often they occur, the rarest together.
  private struct Grouping {
    var nodes: [Node]
    /// Which node each name is in.
    var places: [Int]

    /// - Parameter last: a name that stands at the end.
    init(_ names: [String], most: Int, others: String, last: String? = nil) {
      let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      let sorted = counts.keys.sorted { a, b in
        (a == last ? 1 : 0, -(counts[a] ?? 0), a) < (b == last ? 1 : 0, -(counts[b] ?? 0), b)
      }
      let isShort = sorted.count <= most
      let shown = isShort ? sorted : Array(sorted.filter { $0 != last }.prefix(most - 1))
      nodes = (shown + (isShort ? [] : [others])).map { Node($0) }
      let positions = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
      places = names.map { positions[$0] ?? shown.count }
    }
  }
}

/// The accounts of a picture: each by name, or those with the same outcome together where they are many.
private struct People {
  var nodes: [Flow.Node] = []
  private var places: [Int: Int] = [:]
  private let withoutAccount: Int

  init(_ report: Report) {
    let isInspection = report.kind == .inspection
    let isMany = report.accounts.count > Flow.mostPeople
    for signedIn in Report.SignedIn.worstFirst.reversed() {
      let people = report.accounts.indices.filter {
        isInspection ? signedIn == .yes : report.accounts[$0].signedIn == signedIn
      }
      let tone = isInspection ? .plain : HTML.Tone(signedIn)
      if !isMany || people.count <= Flow.fewPeople {
        for person in people {
          places[person] = nodes.count
          let name = report.accounts[person].shownName
          nodes.append(Flow.Node(name, short: Self.short(name), tone))
        }
      } else {
        for person in people { places[person] = nodes.count }
        let number = HTMLPage.grouped(people.count)
        nodes.append(
          Flow.Node(
            isInspection ? "\(number) accounts" : "\(number) accounts that \(signedIn.clause)",
            short: "\(number) accounts", tone))
      }
    }
    withoutAccount = nodes.count
    if report.entries.contains(where: { $0.account == nil }) {
      nodes.append(Flow.Node("no account", .left))
    }
  }

  /// A name without what all masks begin with.
  private static func short(_ name: String) -> String {
    let start = "auth.placeholder-"
    return name.hasPrefix(start) ? String(name.dropFirst(start.count)) : name
  }

  func place(of account: Int?) -> Int { account.flatMap { places[$0] } ?? withoutAccount }
}

extension Report.SignedIn {
  /// What the users of such accounts do.
  fileprivate var clause: String {
    switch self {
    case .yes: "stay signed in"
    case .byUserName: "stay by name"
    case .no: "must sign in"
    }
  }
}
