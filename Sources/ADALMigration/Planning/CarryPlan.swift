// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// A token in MSAL's form and the row that it comes from.
struct CarriedToken: Sendable {
  var row: Int
  var token: MSALEntry
}

/// The plan for rows that are already in MSAL's form (D17). They stay in the target, or are carried into another target
/// unchanged, except for the changes that the target's form needs.
struct CarryPlan: Sendable {
  private(set) var decisions: Decisions
  /// The content of each cache after the rows are carried. The plan for ADAL's rows starts from it.
  private(set) var caches: [String: MSALIndex]

  private let form: CacheForm
  private let policy: Policy
  private let now: Double
  /// Whether each account has its own document. Entries without an account then have no document.
  private let isDistributed: Bool
  /// The tenant of the newest ID token of an account and client, for entries without a tenant.
  private var tenants: [MSALEntry.Key: String] = [:]
  /// The reasons why refresh tokens of an account are not carried, if the target has none of its tokens.
  private var leftBehind: [Grouped<AccountKey>: Reason] = [:]
  /// Accounts that ADAL's rows give a refresh token to.
  private let signedIn: Set<Grouped<AccountKey>>
  /// Accounts that stay behind because their refresh tokens do.
  private(set) var accountsLeftBehind: Set<Grouped<AccountKey>> = []
  /// The refresh tokens that are carried or were there, by access group.
  private(set) var refreshTokens: [String: [CarriedToken]] = [:]
  /// The carried entries: by the keys that MSAL finds them by, or by slot if MSAL does not find them.
  private var carriedByKey: [Grouped<MSALEntry.Key>: Carried] = [:]
  private var carriedBySlot: [Grouped<MSALEntry.Slot>: Carried] = [:]

  private struct Carried {
    let record: MSALEntry
    /// Its place among the additions.
    let addition: Int
  }

  /// - Parameter signedIn: the accounts that ADAL's rows give a refresh token to, as far as is known.
  init(
    _ inventory: borrowing Inventory, _ caches: [String: MSALIndex],
    signedIn: Set<Grouped<AccountKey>>,
    form: CacheForm, policy: Policy, now: Double, _ symbols: inout Symbols
  ) {
    decisions = Decisions(count: inventory.rows.count)
    self.caches = caches
    self.signedIn = signedIn
    self.form = form
    self.policy = policy
    self.now = now
    isDistributed = inventory.target.isDistributed
    let rows = inventory.rows.filter { if case .unified = $0.content { true } else { false } }
    for row in rows where inventory.rowsInTarget.contains(row.number) { keep(row) }
    let others = rows.filter { !inventory.rowsInTarget.contains($0.number) }
    guard !others.isEmpty else { return }
    learnTenants(rows)
    // Accounts last: whether one is carried depends on the refresh tokens that are.
    let ordered = CarryOrder.winnersFirst(others)
    for row in ordered where !row.isAccount { plan(row, &symbols) }
    for row in ordered where row.isAccount { plan(row, &symbols) }
  }

  /// Keeps an entry that the target already holds.
  private mutating func keep(_ row: Inventory.Row) {
    guard case .unified(let unified) = row.content else { return }
    decisions.settle(.alreadyThere, row: row.number)
    decisions.note(unified.record == nil ? .targetCorrupt : .keepIdentical, row: row.number)
  }

  private mutating func plan(_ row: Inventory.Row, _ symbols: inout Symbols) {
    guard case .unified(let unified) = row.content else { return }
    guard let record = unified.record else {
      decisions.note(.rowUndecodable, row: row.number)
      return
    }
    if let reason = blockingReason(for: record, unified, in: row.group) {
      decisions.note(reason, row: row.number)
      leave(record, reason, in: row.group)
      return
    }
    guard let adapted = adapted(record, unified, in: row.group) else {
      decisions.note(.atForeignType, row: row.number)
      return
    }
    noteRefreshToken(adapted, row)
    carry(adapted, unified, row, &symbols)
  }

  /// Carries an entry in the target's form, unless something else has its key or its place.
  private mutating func carry(
    _ record: MSALEntry, _ unified: MSALRow, _ row: Inventory.Row, _ symbols: inout Symbols
  ) {
    let item = carriedItem(record, unified, group: row.group)
    let slot =
      item.map { MSALEntry.Slot($0) }
      ?? record.slot(
        in: form, group: row.group, as: caches[row.group]?.documentKeys ?? .common)
    let keys = record.keys
    let place = slot.map { Grouped(group: row.group, key: $0) }
    let taker = keys.compactMap { carriedByKey[Grouped(group: row.group, key: $0)] }.first
    if let winner = taker ?? place.flatMap({ carriedBySlot[$0] }) {
      supersede(row, record, by: winner)
      return
    }
    if let there = caches[row.group]?.first(of: keys) {
      decisions.settle(.alreadyThere, row: row.number)
      decisions.note(
        there.holdsTheSame(as: record) ? .keepIdentical : .keepTargetNewer, row: row.number)
      return
    }
    guard let key = keys.first, let slot, let place else { return }
    if let occupant = caches[row.group]?.occupant(of: slot) {
      decisions.note(occupant.reason(against: slot), row: row.number)
      return
    }
    // Asked before it is added to; an index with another reference would be copied.
    let reasons =
      caches[row.group]?.reasons(for: record.environment ?? "", cloud: record.cloud) ?? []
    caches[row.group, default: MSALIndex()].occupy(slot)
    let isFound = caches[row.group, default: MSALIndex()].insert(record, from: item)
    var carriedEntry = Addition(
      record, symbols.key(key), decisions.content(record, carriedIn: item),
      in: symbols.symbol(of: row.group), &symbols)
    carriedEntry.documentKey = slot.documentKey.map { symbols.symbol(of: $0) }
    let addition = decisions.add(carriedEntry)
    // An entry that MSAL does not find must not replace one that MSAL finds.
    let carried = Carried(record: record, addition: addition)
    if isFound {
      for key in keys { carriedByKey[Grouped(group: row.group, key: key)] = carried }
    } else {
      carriedBySlot[place] = carried
    }
    decisions.settle(.converted, row: row.number)
    decisions.note(.unifiedCarried, row: row.number)
    if reasons.contains(.envOtherReader) {
      decisions.note(.envOtherReader, row: row.number)
    }
    decisions.tie(row: row.number, to: addition)
  }

  private mutating func noteRefreshToken(_ record: MSALEntry, _ row: Inventory.Row) {
    guard record.isRefreshToken else { return }
    refreshTokens[row.group, default: []].append(CarriedToken(row: row.number, token: record))
  }

  /// Decides an entry whose place another entry of the source takes (D30).
  private mutating func supersede(_ row: Inventory.Row, _ record: MSALEntry, by winner: Carried) {
    guard winner.record.holdsTheSame(as: record) else {
      decisions.note(record.reasonWhenSuperseded, row: row.number)
      return
    }
    decisions.settle(.converted, row: row.number)
    decisions.note(.unifiedCarried, row: row.number)
    decisions.tie(row: row.number, to: winner.addition)
  }

  // MARK: Blocking reasons

  private func blockingReason(for record: MSALEntry, _ row: MSALRow, in group: String) -> Reason? {
    if let item = row.item, Broker.owns(item.accessGroup) { return .rtBroker }
    if isDistributed && group.isEmpty { return .targetNoAccount }
    let cache = caches[group] ?? MSALIndex()
    switch record.kind {
    case .account:
      let account = Grouped(group: group, key: record.account)
      let holdsToken = cache.spelled(account.key).map { !$0.refreshTokenHosts.isEmpty } ?? false
      return holdsToken || signedIn.contains(account) ? nil : leftBehind[account]
    case .primaryRefreshToken: return .rtPRT
    case .accessToken where !policy.accessTokens: return .atNotCarried
    case .appMetadata: break
    default:
      if cache.isSignedOut(client: record.clientID ?? "", home: record.account.home) {
        return .accountSignedOut
      }
    }
    return policy.includes(client: record.clientID) ? nil : .clientNotInSet
  }

  /// Records that a refresh token or an account is not carried.
  private mutating func leave(_ record: MSALEntry, _ reason: Reason, in group: String) {
    let account = Grouped(group: group, key: record.account)
    if record.isRefreshToken {
      leftBehind[account] = leftBehind[account] ?? reason
    } else if record.kind == .account {
      accountsLeftBehind.insert(account)
    }
  }

  // MARK: Form

  /// The record as the target's form has it; nil where that form has no place for it.
  private func adapted(_ record: MSALEntry, _ row: MSALRow, in group: String) -> MSALEntry? {
    switch form {
    case .document: portable(record, in: group)
    case .keychainItems:
      row.item == nil
        ? record.keychainForm(tenant: tenants[Self.tenantKey(of: record)]) : record
    }
  }

  /// A document keeps every cloud under one host (D10).
  private func portable(_ record: MSALEntry, in group: String) -> MSALEntry? {
    let account = record.account
    let cache = caches[group] ?? MSALIndex()
    let environment =
      account.hasIdentifier
      ? cache.environment(of: account, form: form) : cache.environment(of: account.cloud)
    return record.moved(to: environment).portable(at: now)
  }

  /// The item to be written: the one that was found, in the target's group, or one made of an entry.
  private func carriedItem(_ record: MSALEntry, _ row: MSALRow, group: String) -> KeychainItem? {
    guard form == .keychainItems else { return nil }
    guard var item = row.item else { return record.item(accessGroup: group, at: now) }
    item.accessGroup = group
    item.accessibility = record.item(accessGroup: group, at: now).accessibility
    item.created = now
    item.modified = now
    return item
  }

  private mutating func learnTenants(_ rows: [Inventory.Row]) {
    for row in rows {
      guard case .unified(let unified) = row.content, let record = unified.record,
        record.kind == .idToken, let tenant = IDTokenClaims(record.secret)?.tid.nonBlank
      else { continue }
      tenants[Self.tenantKey(of: record)] = tenant.identifier
    }
  }

  private static func tenantKey(of record: MSALEntry) -> MSALEntry.Key {
    MSALEntry.Key(.idToken, record.account, owner: record.clientID ?? "")
  }
}

extension Inventory.Row {
  /// Whether the row is an account in MSAL's form.
  var isAccount: Bool {
    if case .unified(let row) = content { row.record?.kind == .account } else { false }
  }
}

extension MSALEntry {
  /// The place of the entry in a target; nil if documents have no section for it.
  func slot(in form: CacheForm, group: String, as keys: DocumentKeys = .common) -> Slot? {
    form == .keychainItems
      ? Slot(attributes, in: group)
      : Slot(documentSection, documentKey(as: keys))
  }
}
