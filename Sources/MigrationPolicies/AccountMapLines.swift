// SPDX-License-Identifier: MIT
import ADALMigration
import MSALCache

extension AccountMap {
  /// A map of these lines.
  ///
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` if a line has no key or a malformed ID, or two lines with one key have
  ///   different home account IDs or user names.
  package init(_ entries: [Entry]) throws {
    try self.init(numbered: entries.enumerated().map { ("account map entry \($0 + 1)", $1) })
  }

  init(numbered lines: [(place: String, entry: Entry)]) throws {
    self.init()
    for (place, entry) in lines {
      try add(entry, at: place)
    }
  }

  private mutating func add(_ line: Entry, at place: String) throws {
    let entry = line.normalised
    if entry.homeOID.isEmpty && entry.homeTID.isEmpty {
      unfilled.append(place)
      return
    }
    try entry.validate(at: place)
    let number = entries.count
    entries.append(entry)
    places.append(place)
    if let object = entry.object {
      try note(number, of: entry, under: object, in: \.byObject, at: place)
    } else if let upn = entry.upn {
      try note(number, of: entry, under: upn, in: \.byUserName, at: place)
    }
  }

  private mutating func note<Key: Hashable>(
    _ number: Int, of entry: Entry, under key: Key,
    in index: WritableKeyPath<AccountMap, [Key: [Scope: Match]]>, at place: String
  ) throws {
    let scope = entry.environment.map { Cloud.key(of: $0) }
    let there = self[keyPath: index][key, default: [:]]
    // A line for all clouds meets every line, another one those for its cloud and for all.
    let others =
      scope == nil ? Array(there.values) : [there[scope], there[nil]].compactMap { $0 }
    for other in others {
      if other.entry.homeAccountID != entry.homeAccountID {
        throw MigrationError.invalidPolicy(
          "\(place): another line gives the same account a different home account ID")
      }
      if let mine = entry.usernameOverride, let theirs = other.entry.usernameOverride,
        mine != theirs
      {
        throw MigrationError.invalidPolicy(
          "\(place): another line gives the same account a different user name")
      }
    }
    let match = Match(numbers: [number], entry: entry)
    self[keyPath: index][key, default: [:]][scope] = there[scope]?.joined(with: match) ?? match
  }
}

extension AccountMap.Entry {
  fileprivate var normalised: Self {
    Self(
      homeOID: homeOID.identifier, homeTID: homeTID.identifier,
      tid: tid.nonBlank?.identifier, oid: oid.nonBlank?.identifier,
      upn: upn.nonBlank?.foldedUserName, usernameOverride: usernameOverride.nonBlank,
      environment: environment.nonBlank?.lowercasedLikeNSString)
  }

  fileprivate func validate(at place: String) throws {
    for (column, value) in [("home_oid", homeOID), ("home_tid", homeTID)] where !value.isGUID {
      throw MigrationError.invalidPolicy("\(place): \(column) is not a GUID")
    }
    for (column, value) in [("tid", tid), ("oid", oid)] {
      if let value, !value.isGUID {
        throw MigrationError.invalidPolicy("\(place): \(column) is not a GUID")
      }
    }
    if (tid == nil) != (oid == nil) {
      throw MigrationError.invalidPolicy("\(place): tid and oid must both be set; one is missing")
    }
    if let upn, upn.hasPrefix("auth.placeholder-"), tid == nil {
      throw MigrationError.invalidPolicy(
        "\(place): the upn is masked; replace it with the real user name")
    }
    if tid == nil && upn == nil {
      throw MigrationError.invalidPolicy("\(place): names no account; set tid and oid, or upn")
    }
  }
}
