// SPDX-License-Identifier: MIT
import ProjectFiles

/// What a cache holds, as far as the doctor compares: sets and counts, no user, no token.
package struct CacheEvidence: Sendable, Hashable {
  /// The place of the cache, as it was given.
  package var place: String
  /// How many rows there are for each client id, in lower case.
  package var clients: [String: Int]
  /// How many for each access group.
  package var groups: [String: Int]
  /// How many for each resource.
  package var resources: [String: Int]

  package init(
    place: String, clients: [String: Int], groups: [String: Int], resources: [String: Int]
  ) {
    self.place = place
    self.clients = clients
    self.groups = groups
    self.resources = resources
  }
}

extension CacheEvidence {
  /// The `evidence` rules: the cache beside what the project says.
  ///
  /// - Parameter groups: The groups that the app will look into, without team prefixes.
  func hits(
    beside facts: ProjectDiagnosis.Facts, groups looked: Set<String>
  ) -> [Hit] {
    var hits: [Hit] = []
    let named = Set(facts.clientIDs.map { $0.value.lowercased() })
    for client in facts.clientIDs where clients[client.value.lowercased()] == nil {
      hits += client.places.map {
        Hit(
          .clientUnseen, $0.file, $0.span, symbol: client.value,
          message: "no row of `\(place)` is of client \(client.value)")
      }
    }
    for (client, rows) in clients.sorted(by: { $0.key < $1.key }) where !named.contains(client) {
      hits.append(
        Hit(
          .clientUnlisted, place, nil, symbol: client,
          message:
            "\(rows) \(rows == 1 ? "row is" : "rows are") of client \(client), which no code "
            + "or property list names"))
    }
    let inside = self.groups.filter { looked.contains($0.key.groupName) }
    let outside = self.groups.filter { !$0.key.isEmpty && !looked.contains($0.key.groupName) }
    for (group, rows) in outside.sorted(by: { $0.key < $1.key }) {
      hits.append(
        Hit(
          .groupDiffers, place, nil, symbol: group,
          severity: inside.isEmpty ? .error : .warning,
          message: "\(rows) \(rows == 1 ? "row is" : "rows are") in the keychain group "
            + "`\(group.shownGroup)`, where the app will not look"))
    }
    let resources = Set(facts.resources.map { $0.value.asResource })
    for (resource, rows) in self.resources.sorted(by: { $0.key < $1.key })
    where !resource.isEmpty && !resources.contains(resource.asResource) {
      hits.append(
        Hit(
          .resourceUnlisted, place, nil, symbol: resource,
          message: "\(rows) \(rows == 1 ? "token is" : "tokens are") for `\(resource)`, which no "
            + "literal names"))
    }
    return hits
  }
}

extension String {
  /// A resource for comparing.
  fileprivate var asResource: String {
    hasSuffix("/") ? String(dropLast()).lowercased() : lowercased()
  }
}
