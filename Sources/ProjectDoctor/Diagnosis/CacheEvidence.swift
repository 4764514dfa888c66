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
  func hits(beside facts: Facts, groups looked: Set<String>) -> [Hit] {
    let named = Set(facts[.clientID].map { $0.value.lowercased() })
    let unseen = facts[.clientID].filter { clients[$0.value.lowercased()] == nil }
    let unlisted = clients.filter { !named.contains($0.key) }
    let elsewhere = self.groups.filter {
      !$0.key.isEmpty && !looked.contains($0.key.groupName)
    }
    let isAllElsewhere = !self.groups.keys.contains { looked.contains($0.groupName) }
    let listed = Set(facts[.resource].map { $0.value.asResource })
    let chosen = resources.filter { !$0.key.isEmpty && !listed.contains($0.key.asResource) }
    func hit(
      _ check: Check, _ symbol: String, _ message: String, severity: Severity? = nil
    ) -> Hit {
      Hit(
        check, Occurrence(file: place, symbol: symbol), severity: severity, message: message)
    }
    var hits = unseen.flatMap { client in
      client.places.map { use in
        Hit(
          .clientUnseen, Occurrence(file: use.file, span: use.span, symbol: client.value),
          message: "no row of `\(place)` is of client \(client.value)")
      }
    }
    hits += unlisted.map { client, rows in
      let rows = ProjectDiagnosis.countIs(rows, "row")
      return hit(
        .clientUnlisted, client, "\(rows) of client \(client), which no code or property list names"
      )
    }
    hits += elsewhere.map { group, rows in
      let rows = ProjectDiagnosis.countIs(rows, "row")
      return hit(
        .groupDiffers, group,
        "\(rows) in the keychain group `\(group.shownGroup)`, where the app will not look",
        severity: isAllElsewhere ? .error : .warning)
    }
    hits += chosen.map { resource, tokens in
      let tokens = ProjectDiagnosis.countIs(tokens, "token")
      return hit(.resourceUnlisted, resource, "\(tokens) for `\(resource)`, which no literal names")
    }
    return hits
  }
}

extension String {
  fileprivate var asResource: String {
    hasSuffix("/") ? String(dropLast()).lowercased() : lowercased()
  }
}
