// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// A filter of which some value fits nothing that is in the cache: misspelt, as a rule. What it leaves out
/// must not look like an empty cache. It is thrown where a filter must match something.
package struct UnmatchedFilter: Error, Hashable {
  /// What a filter chooses by.
  package enum Kind: Sendable, Hashable {
    /// The client ids of a policy.
    case clientIDs
    /// The access groups that a migration reads.
    case accessGroups
  }

  /// What it chooses by.
  package var kind: Kind
  /// The values that fit nothing, sorted; empty when the filter itself is.
  package var values: [String]
  /// What is there in their place, sorted; empty when nothing of that kind is.
  package var known: [String]

  /// What is wrong, in one line without a full stop.
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

  /// What there is to choose, in one line without a full stop.
  package var choice: String {
    switch (kind, known.isEmpty) {
    case (.clientIDs, true): "the tokens name no client"
    case (.accessGroups, true): "the tokens are in no access group"
    case (_, false): "the cache has \(Self.list(known))"
    }
  }

  /// How many values a sentence names.
  private static let named = 20

  private static func list(_ names: [String]) -> String {
    let rest = names.count > named ? ", … and \(names.count - named) more" : ""
    return names.prefix(named).joined(separator: ", ") + rest
  }
}

extension Inventory {
  /// The filters of which some value fits no row; none when there is no row at all.
  func unmatchedFilters(_ policy: Policy, _ accessGroups: Set<String>?) -> [UnmatchedFilter] {
    guard !rows.isEmpty || !groupsOfRows.isEmpty else { return [] }
    var filters: [UnmatchedFilter] = []
    // Of sources without groups the filter says nothing, unless they are all there is.
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
        // What ADAL files a family's token under is no client.
        let known = clientsOfRows.filter { !FamilyClient.isOne($0.key.text) }.values
        filters.append(
          UnmatchedFilter(
            kind: .clientIDs, values: Set(absent).ordered(), known: known.ordered()))
      }
    }
    return filters
  }

  /// The clients that rows are of, as one of them spells it, by what they are compared by.
  private var clientsOfRows: [ExactText: String] {
    rows.reduce(into: [:]) { clients, row in
      guard let client = row.clientID?.trimmed, !client.isEmpty else { return }
      let key = client.identifier
      clients[key] = min(clients[key] ?? client, client)
    }
  }
}

extension Inventory.Row {
  /// The client that the row is of, as it spells it; nil when it names none.
  var clientID: String? {
    switch content {
    case .legacy(let row): row.token.clientID
    case .unreadable(let row): row.clientID
    case .unified(let row): row.record?.clientID
    }
  }
}
