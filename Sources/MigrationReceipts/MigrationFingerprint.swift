// SPDX-License-Identifier: MIT
import ADALCache
import ADALMigration
import KeychainItems
import MSALCache

extension Fingerprint {
  /// The fingerprint of a migration's input and settings; nil if it writes documents.
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
      let isTarget = !isRead && (source.store.map { target.isSamePlace(as: $0) } ?? false)
      try take(source, as: isTarget ? migration.target : nil)
      isRead = isRead || isTarget
    }
    if !isRead { try Target.opening { try take(target, as: migration.target) } }
  }

  /// - Parameter target: the target, where the source is the same place.
  private mutating func take(_ source: Source, as target: Target?) throws {
    switch source.content {
    case .items(let store):
      guard let group = store.asGroup else { return try take(store, as: target) }
      try take(group.asSource(isTarget: target != nil), as: target)
      for item in try group.itemsElsewhere() { take(item, onlyKey: false) }
    // A list's time zone only says when its access tokens expire.
    case .blob(let bytes), .tokens(let bytes, _), .document(let bytes, _):
      take(bytes)
    }
  }

  private mutating func take(_ store: any ItemStore, as target: Target?) throws {
    take(target == nil ? 0 : 1)
    try store.forEachItem { item in
      let isThere = target?.groups.isGroup(of: item) ?? false
      take(item, onlyKey: isThere && !LegacyItem.isOfADAL(item) && ItemType.isOfMSAL(item))
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
    // Reveal: only for a number over all bytes of the cache, which discloses none of them.
    take(item.data?.reveal())
  }

  private mutating func take(_ groups: AccessGroups) {
    switch groups {
    case .none: take("none")
    case .ofRows: take("rows")
    case .one(let group): take(["one", group])
    case .ofStore(let store): take(["store", store.accessGroup])
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
    take(map.unfilled)
    take(map.others.count)
    for other in map.others { take(other) }
  }
}

extension AccessGroups {
  /// Whether the entries of an item stay in its group.
  fileprivate func isGroup(of item: KeychainItem) -> Bool {
    switch self {
    case .ofRows, .ofStore: true
    case .one(let group): item.accessGroup == group
    case .none: false
    }
  }
}
