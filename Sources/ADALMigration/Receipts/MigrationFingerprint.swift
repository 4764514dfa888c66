// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems

extension Fingerprint {
  /// Of what a migration would find and is told; nil where it writes documents.
  ///
  /// - Throws: `StoreError` when a place cannot be read.
  init?(of migration: Migration) throws {
    guard case .items(let target) = migration.target.content else { return nil }
    self.init()
    take(Report.toolVersion)
    take(migration.policy)
    take(migration.target.groups)
    take(migration.accessGroups?.sorted())
    take(migration.sources.count)
    var isRead = false
    for source in migration.sources {
      let isTarget = try take(source, in: migration.target, isRead ? nil : target)
      isRead = isRead || isTarget
    }
    if !isRead { try Target.opening { try take(target, isTarget: true, migration.target) } }
  }

  /// - Parameter target: the target's store, if no source before was the target.
  /// - Returns: whether the source is the target.
  private mutating func take(
    _ source: Source, in place: Target, _ target: (any ItemStore)?
  ) throws -> Bool {
    func isTarget(_ store: any ItemStore) -> Bool {
      (target as? any PlacedStore)?.isSamePlace(as: store) ?? false
    }
    switch source.content {
    case .items(let store):
      try take(store, isTarget: isTarget(store), place)
      return isTarget(store)
    case .keychain(let keychain):
      try take(keychain, isTarget: isTarget(keychain), place)
      for item in try keychain.items(
        account: LegacyItem.cacheAccount, service: LegacyItem.cacheService)
      {
        take(item, onlyKey: false)
      }
      return isTarget(keychain)
    // A list's time zone only says when its access tokens expire.
    case .blob(let bytes), .dotNet(let bytes), .list(let bytes, _), .document(let bytes):
      take(bytes)
      return false
    }
  }

  private mutating func take(
    _ store: any ItemStore, isTarget: Bool, _ target: Target
  ) throws {
    take(isTarget ? 1 : 0)
    try store.forEachItem { item in
      let isThere = isTarget && target.groups.isGroup(of: item)
      take(item, onlyKey: isThere && LegacyItem.isOfMSAL(item))
    }
    take(word: .max)
  }

  private mutating func take(_ item: KeychainItem, onlyKey: Bool) {
    take(item.accessGroup)
    take(item.account)
    take(item.service)
    take(item.generic)
    take(item.type)
    guard !onlyKey else { return }
    take(word: item.modified?.bitPattern ?? 0)
    // Reveal: only for a number of all bytes of the cache, of which none can be told.
    take(item.data?.reveal())
  }

  private mutating func take(_ groups: AccessGroups) {
    switch groups {
    case .none: take("none")
    case .ofRows: take("rows")
    case .one(let group): take(["one", group])
    case .ofKeychain(let keychain): take(["keychain", keychain.accessGroup])
    }
  }

  private mutating func take(_ policy: Policy) {
    take(policy.clientIDs)
    take(policy.accessTokens ? 1 : 0)
    take(policy.allowedHosts)
    take(policy.minimumConfidence.rawValue)
    take(policy.joinsGuests ? 1 : 0)
    take(policy.accountMap)
  }

  private mutating func take(_ map: AccountMap) {
    take(map.entries.count)
    for line in map.entries {
      for text in [
        line.homeOID, line.homeTID, line.tid, line.oid, line.upn, line.usernameOverride,
        line.environment,
      ] { take(text) }
    }
    take(map.others.count)
    for other in map.others { take(other) }
  }
}

extension AccessGroups {
  /// Whether what is made of an item stays in its group.
  fileprivate func isGroup(of item: KeychainItem) -> Bool {
    switch self {
    case .ofRows, .ofKeychain: true
    case .one(let group): item.accessGroup == group
    case .none: false
    }
  }
}
