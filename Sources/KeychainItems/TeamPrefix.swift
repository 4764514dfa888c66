// SPDX-License-Identifier: MIT

/// A program's ways to learn its team, which is the start of its access groups' names (D47).
///
/// On iOS no call tells it: it is the start of the group of any item of the program's. MSAL asks for one item
/// that it leaves for this purpose, the hint (`MSIDKeychainUtil.m`). A query for all items would do too, and
/// would fail while the device is locked, or ask the user, because of items that have nothing to do with the migration.
/// On macOS the program's entitlements tell it, and MSAL leaves no hint there.
extension SystemKeychain {
  /// The hint that MSAL and ADAL from 2.6.7 on leave, and the one that ADAL left before.
  private static let hints = ["SDK.ObjC.teamIDHint", "teamIDHint"]

  /// Accessible when the device is locked, like ADAL's and MSAL's items. Their queries there would fail for an item
  /// with another accessibility.
  private static let accessibilities = [
    KeychainKey.afterFirstUnlockHere, KeychainKey.afterFirstUnlock, KeychainKey.always,
    KeychainKey.alwaysHere,
  ]

  /// Xcode's placeholder for the team of an app in the simulator.
  private static let teamOfSimulator = "FAKETEAMID"

  /// The group with its team prefix; nil when nothing in the keychain tells it.
  func prefixedGroup(_ calls: KeychainCalls) throws -> String? {
    let group = AccessGroup(accessGroup)
    if group.isComplete { return group.name }
    if case .macOS(let accessGroups) = calls.system {
      guard let prefix = accessGroups().first.flatMap(Self.start) else {
        throw StoreError.withoutEntitlements(accessGroup: accessGroup)
      }
      return group.prefixed(with: prefix).name
    }
    if let hint = try groupOfHint(calls) { return try ownGroup(beside: hint, calls) }
    for accessibility in Self.accessibilities {
      let query = [KeychainKey.accessible: accessibility]
      let teamID = try groupOfOne(query, calls).flatMap { AccessGroup($0).teamID }
      if let teamID { return group.prefixed(with: teamID).name }
    }
    return nil
  }

  /// Leaves the hint that MSAL leaves too when it starts, to learn the team from the group that it is put
  /// in.
  func addTeamIDHint(_ calls: KeychainCalls) throws -> String {
    let hint: [String: any Sendable] = [
      KeychainKey.account: Self.hints[0], KeychainKey.service: "",
      KeychainKey.accessible: calls.system.hintAccessibility, KeychainKey.returnAttributes: true,
    ]
    let (status, added) = calls.add(hint.merging(calls.base) { own, _ in own })
    // Another process of the app may have left it in between.
    let inGroup =
      status == KeychainStatus.duplicateItem
      ? try groupOfHint(calls) : added[KeychainKey.accessGroup] as? String
    guard [KeychainStatus.success, KeychainStatus.duplicateItem].contains(status) else {
      throw failure(status, otherwise: .unwritable)
    }
    guard let group = try inGroup.flatMap({ try ownGroup(beside: $0, calls) }) else {
      throw StoreError(.refused, "the keychain does not reveal the team prefix of \(accessGroup)")
    }
    return group
  }

  private func groupOfHint(_ calls: KeychainCalls) throws -> String? {
    for account in Self.hints {
      let query = [KeychainKey.account: account, KeychainKey.service: ""]
      if let group = try groupOfOne(query, calls) { return group }
    }
    return nil
  }

  private func groupOfOne(_ query: [String: String], _ calls: KeychainCalls) throws -> String? {
    try match(calls, query, limit: KeychainKey.limitOne).first?[KeychainKey.accessGroup] as? String
  }

  /// This group, with the team of the app's first group, which the hint is in. Without a team, MSAL uses that
  /// first group itself in a simulator, in place of every name without a prefix.
  private func ownGroup(beside hint: String, _ calls: KeychainCalls) throws -> String? {
    guard let teamID = AccessGroup(hint).teamID else { return nil }
    if case .simulator = calls.system, teamID == Self.teamOfSimulator { return hint }
    return AccessGroup(accessGroup).prefixed(with: teamID).name
  }

  /// The start of an entitlement's group, which MSAL takes for the prefix on macOS, whatever it looks like.
  private static func start(_ group: String) -> Substring? {
    group.firstIndex(of: ".").map { group[..<$0] }
  }
}
