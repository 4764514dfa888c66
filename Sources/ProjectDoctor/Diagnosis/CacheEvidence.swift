// SPDX-License-Identifier: MIT
import ProjectFiles

/// The content of a cache as far as the doctor compares it: sets and counts, no users, no tokens.
package struct CacheEvidence: Sendable, Hashable {
  /// The place of the cache, as it was given.
  package var place: String
  /// The number of rows for each client ID, in lower case.
  package var clients: [String: Int]
  /// The number of rows for each access group.
  package var groups: [String: Int]
  /// The number of rows for each resource.
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
  /// The `evidence` rules, which compare the cache with the project.
  ///
  /// - Parameter groups: The groups that the app will look into, without team prefixes.
  func hits(beside facts: Facts, groups looked: Set<String>) -> [Hit] {
    var hits: [Hit] = []
    func add(_ check: Check, _ symbol: String, _ message: String, severity: Severity? = nil) {
      let place = Occurrence(file: place, symbol: symbol)
      hits.append(Hit(check, place, severity: severity, message: message))
    }
    for client in facts[.clientID] where clients[client.value.lowercased()] == nil {
      let message = "no row of `\(place)` is of client \(client.value)"
      hits += client.places.map { use in
        let place = Occurrence(file: use.file, span: use.span, symbol: client.value)
        return Hit(.clientUnseen, place, message: message)
      }
    }
    let named = Set(facts[.clientID].map { $0.value.lowercased() })
    for (client, rows) in clients where !named.contains(client) {
      let rows = ProjectDiagnosis.countIs(rows, "row")
      add(
        .clientUnlisted, client, "\(rows) of client \(client), which no code or property list names"
      )
    }
    let isAllElsewhere = !groups.keys.contains { looked.contains($0.groupName) }
    for (group, rows) in groups where !group.isEmpty && !looked.contains(group.groupName) {
      let rows = ProjectDiagnosis.countIs(rows, "row")
      add(
        .groupDiffers, group,
        "\(rows) in the keychain group `\(group.shownGroup)`, where the app will not look",
        severity: isAllElsewhere ? .error : .warning)
    }
    let listed = Set(facts[.resource].map { $0.value.asResource })
    for (resource, tokens) in resources
    where !resource.isEmpty && !listed.contains(resource.asResource) {
      let tokens = ProjectDiagnosis.countIs(tokens, "token")
      add(.resourceUnlisted, resource, "\(tokens) for `\(resource)`, which no literal names")
    }
    return hits
  }
}

extension String {
  fileprivate var asResource: String {
    hasSuffix("/") ? String(dropLast()).lowercased() : lowercased()
  }
}
