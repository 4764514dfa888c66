// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// What becomes of one row.
struct Decision: Sendable, Equatable {
  var outcome = Report.Outcome.notConverted
  var reasons: [Reason] = []
  var evidence: [String] = []
  /// The additions that the row's content is in, by their place among those of the same decisions.
  var needs: [Int] = []

  /// Says something about the row, once.
  mutating func note(_ reason: Reason) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Decides the row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: Report.Outcome) {
    if outcome.isBetter(than: self.outcome) { self.outcome = outcome }
  }

  mutating func need(_ addition: Int) {
    if !needs.contains(addition) { needs.append(addition) }
  }

  /// Takes in what another part of a plan says of the row.
  fileprivate mutating func merge(_ other: Decision) {
    for reason in other.reasons { note(reason) }
    evidence += other.evidence
    settle(other.outcome)
    for addition in other.needs { need(addition) }
  }
}

extension Report.Outcome {
  fileprivate func isBetter(than other: Report.Outcome) -> Bool { rank > other.rank }

  private var rank: Int {
    switch self {
    case .notConverted: 0
    case .alreadyThere: 1
    case .converted: 2
    }
  }
}

/// An entry to be written. A class without a variable: as a struct of forty parts it is copied at each step.
final class Addition: Sendable {
  let id: AdditionID
  let record: Record
  /// Its attributes, where it goes into a keychain.
  let attributes: ItemAttributes?
  /// The item that is carried as it is, or nil for an entry that the plan made.
  let carried: KeychainItem?

  init(
    id: AdditionID, record: Record, attributes: ItemAttributes?, carried: KeychainItem? = nil
  ) {
    self.id = id
    self.record = record
    self.attributes = attributes
    self.carried = carried
  }

  /// The access group that is written to; empty for a document.
  var group: String { id.group }

  /// The keychain item to be written.
  func item(at now: Double) -> KeychainItem {
    carried ?? record.item(accessGroup: group, at: now)
  }
}

/// What an entry to be written is known by: its key, and the host that it is filed under, since an account
/// can be written under more than one (D27).
///
/// Sorts in D22's order: by access group and person, app metadata first and the accounts last.
struct AdditionID: Sendable, Hashable, Comparable {
  let group: String
  let key: RecordKey
  let environment: String
  private let step: Int

  /// - Parameter isCopy: whether an account is there once more, under another host. Copies come after
  ///   the account itself, since they are made for as long as it is there.
  init(_ record: Record, _ key: RecordKey, in group: String, isCopy: Bool = false) {
    self.group = group
    self.key = key
    environment = record.environment
    step = record.order + (isCopy ? 1 : 0)
  }

  /// What an entry is known by of which only the key is at hand, to find it.
  init(_ key: RecordKey, environment: String, in group: String) {
    self.group = group
    self.key = key
    self.environment = environment
    step = 0
  }

  static func == (a: Self, b: Self) -> Bool {
    a.key == b.key && a.environment == b.environment && a.group == b.group
  }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  static func < (a: Self, b: Self) -> Bool {
    if a.group != b.group { return a.group < b.group }
    // App metadata is of no person; it comes first of all, when nothing depends on it yet.
    if a.key.account.home != b.key.account.home { return a.key.account.home < b.key.account.home }
    if a.step != b.step { return a.step < b.step }
    return a.key != b.key ? a.key < b.key : a.environment < b.environment
  }
}

/// A decision for each row, and each addition once.
struct Decisions: Sendable {
  private var byRow: [Int: Decision] = [:]
  private(set) var additions: [Addition] = []
  /// Where each addition is.
  private var places: [AdditionID: Int] = [:]
  private var keys: Set<RecordKey> = []

  subscript(row: Int) -> Decision { byRow[row] ?? Decision() }

  /// Says something about a row, once.
  mutating func note(_ reason: Reason, row: Int) { byRow[row, default: Decision()].note(reason) }

  mutating func note(evidence: [String], row: Int) {
    guard !evidence.isEmpty else { return }
    byRow[row, default: Decision()].evidence += evidence
  }

  /// Decides a row. A row with two tokens has the better outcome of both.
  mutating func settle(_ outcome: Report.Outcome, row: Int) {
    byRow[row, default: Decision()].settle(outcome)
  }

  /// Ties a row to an addition.
  mutating func tie(row: Int, to addition: Int) {
    byRow[row, default: Decision()].need(addition)
  }

  /// Adds an entry, unless it is there, and says where.
  @discardableResult
  mutating func add(_ addition: Addition) -> Int {
    if let there = places[addition.id] { return there }
    places[addition.id] = additions.count
    keys.insert(addition.id.key)
    additions.append(addition)
    return additions.count - 1
  }

  /// Whether an entry with this key is added, under whichever host.
  func adds(_ key: RecordKey) -> Bool { keys.contains(key) }

  /// Where an entry is among the additions; nil when it is not.
  func place(of id: AdditionID) -> Int? { places[id] }

  /// Takes in the decisions of another part of the plan, about other rows or more of the same. Two parts add
  /// different entries.
  mutating func merge(_ other: Decisions) {
    let start = additions.count
    additions += other.additions
    for (row, decision) in other.byRow {
      var decision = decision
      for place in decision.needs.indices { decision.needs[place] += start }
      if byRow[row]?.merge(decision) == nil { byRow[row] = decision }
    }
  }

  /// The same without any addition: what is decided then is only what is there already.
  func withoutAdditions() -> Decisions {
    var decisions = Decisions()
    decisions.byRow = byRow.mapValues { decision in
      Decision(
        outcome: decision.outcome == .alreadyThere ? .alreadyThere : .notConverted,
        reasons: decision.reasons)
    }
    return decisions
  }

  /// Puts the additions into the order in which they are written, without those that a test loses. Afterwards
  /// nothing is added.
  mutating func order(losing isLost: (Record) -> Bool = { _ in false }) {
    let order = additions.indices.filter { !isLost(additions[$0].record) }
      .sorted { additions[$0].id < additions[$1].id }
    var moved = [Int?](repeating: nil, count: additions.count)
    for (new, old) in order.enumerated() { moved[old] = new }
    additions = order.map { additions[$0] }
    (places, keys) = ([:], [])
    byRow = byRow.mapValues { decision in
      var decision = decision
      decision.needs = decision.needs.compactMap { moved[$0] }
      return decision
    }
  }
}
