// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// A filter with a value that matches nothing in the cache, usually a misspelling. The skipped rows must not look like
/// an empty cache. The run throws it if a filter must match.
package struct UnmatchedFilter: Error, Hashable {
  /// The property that a filter selects by.
  package enum Kind: Sendable, Hashable {
    /// The client ids of a policy.
    case clientIDs
    /// The access groups that a migration reads.
    case accessGroups
  }

  /// The property that the filter selects by.
  package var kind: Kind
  /// The values without a match, sorted; empty if the filter itself is empty.
  package var values: [String]
  /// The values that the cache has instead, sorted; empty if it has none.
  package var known: [String]

  /// The problem, in one line without a full stop.
  package var sentence: String {
    let names = Self.list(values.map { "'\($0)'" })
    switch (kind, values.count) {
    case (.clientIDs, 0): return "the list of clients is empty, so nothing would be migrated"
    case (.accessGroups, 0):
      return "the list of access groups is empty, so nothing would be migrated"
    case (.clientIDs, 1): return "no token in the cache belongs to client \(names)"
    case (.clientIDs, _): return "no token in the cache belongs to the clients \(names)"
    case (.accessGroups, 1): return "no token in the cache is in the access group \(names)"
    case (.accessGroups, _): return "no token in the cache is in the access groups \(names)"
    }
  }

  /// The available values, in one line without a full stop.
  package var choice: String {
    switch (kind, known.isEmpty) {
    case (.clientIDs, true): "the tokens name no client"
    case (.accessGroups, true): "the tokens are in no access group"
    case (_, false): "the cache has \(Self.list(known))"
    }
  }

  /// The most values that a sentence names.
  private static let named = 20

  private static func list(_ names: [String]) -> String {
    let rest = names.count > named ? ", … and \(names.count - named) more" : ""
    return names.prefix(named).joined(separator: ", ") + rest
  }
}

extension Inventory {
  /// The filters with a value that matches no row; empty if there are no rows.
  func unmatchedFilters(_ policy: Policy, _ accessGroups: Set<String>?) -> [UnmatchedFilter] {
    guard !rows.isEmpty || !groupsOfRows.isEmpty else { return [] }
    var filters: [UnmatchedFilter] = []
    // The filter does not apply to sources without groups, unless there are no other sources.
    if let accessGroups, !groupsOfRows.isEmpty || !hasGroups {
      let absent = accessGroups.subtracting(groupsOfRows)
      if !absent.isEmpty || accessGroups.isEmpty {
        filters.append(
          UnmatchedFilter(
            kind: .accessGroups, values: absent.ordered(),
            known: groupsOfRows.subtracting([""]).ordered()))
      }
    }
    if let wanted = policy.clientIDs, !rows.isEmpty {
      let there = Set(clientsOfRows.keys)
      let absent = wanted.filter { !there.contains($0.identifier) }
      if !absent.isEmpty || wanted.isEmpty {
        // ADAL files a family's token under an ID that is not a client.
        let known = clientsOfRows.filter { !FamilyClient.isOne($0.key.text) }.values
        filters.append(
          UnmatchedFilter(
            kind: .clientIDs, values: Set(absent).ordered(), known: known.ordered()))
      }
    }
    return filters
  }

  /// The clients of the rows as one row spells each, by the form that is compared.
  private var clientsOfRows: [ExactText: String] {
    rows.reduce(into: [:]) { clients, row in
      guard let client = row.clientID?.trimmed, !client.isEmpty else { return }
      let key = client.identifier
      clients[key] = min(clients[key] ?? client, client)
    }
  }
}

extension Inventory.Row {
  /// The client of the row, as the row spells it; nil if it names no client.
  var clientID: String? {
    switch content {
    case .legacy(let row): row.token.clientID
    case .unreadable(let row): row.clientID
    case .unified(let row): row.record?.clientID
    }
  }
}
