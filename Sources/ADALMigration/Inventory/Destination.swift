// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The access groups of a target.
package enum AccessGroups: Sendable {
  /// A document is one cache without groups, and so is each of a folder.
  case none
  /// Each row's own (D21).
  case ofRows
  /// One for everything, with its team prefix.
  case one(String)
  /// That of the store.
  case ofStore(any GroupStore)
}

/// The access group of a target that each entry goes into.
struct Destination: Sendable {
  /// The group of everything, or nil where each row's own counts.
  private let only: String?
  /// Whether the team prefix of the group is not known yet. Then the group is empty, and ``learn(_:)`` gives the name
  /// that items will have.
  let lacksPrefix: Bool

  /// - Parameters:
  ///   - present: the access groups of the target's entries.
  ///   - groups: the access groups of the sources; needed only if a group has no team prefix.
  /// - Throws: ``MigrationError/accessGroupWithoutTeam(_:suggestions:)``; `StoreError` when a store
  ///   cannot be read.
  init(
    in target: Target?, beside present: Set<String>, from groups: @autoclosure () -> Set<String>
  ) throws {
    var lacksPrefix = false
    switch target?.groups {
    case nil, .ofRows?: only = nil
    case .none?: only = ""
    case .one(let group)?:
      only = group
      if !AccessGroup(group).isComplete {
        try Self.refuse(group, unlessIn: groups().union(present))
      }
    case .ofStore(let store)?:
      let group = try present.min() ?? store.prefixedAccessGroup()
      lacksPrefix = group == nil
      only = group ?? store.accessGroup
    }
    self.lacksPrefix = lacksPrefix
  }

  /// Apps cannot find items in a group without its team prefix, unless the cache has such groups.
  private static func refuse(_ group: String, unlessIn groups: Set<String>) throws {
    guard !groups.contains(group) else { return }
    let prefixed = groups.compactMap {
      AccessGroup($0).teamID.map { AccessGroup(group).prefixed(with: $0).name }
    }
    throw MigrationError.accessGroupWithoutTeam(group, suggestions: Set(prefixed).ordered())
  }

  /// The group for entries that are made of items in this group. It is empty in sources without groups.
  func group(of accessGroup: String) -> String { only ?? accessGroup }

  /// Makes a store tell the team prefix, before anything is written under a name without it.
  static func learn(_ target: Target) throws {
    if case .ofStore(let store) = target.groups { _ = try store.learnAccessGroup() }
  }
}
