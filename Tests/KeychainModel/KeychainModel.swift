// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// A keychain in memory with the rules of Apple's that matter here, as securityd's sources have them.
///
/// Generic passwords are unique by group, account, service and synchronizability. An unnamed group is the
/// program's first, and a group that the program may not use is refused. A row that cannot be decrypted fails
/// the whole query, be it for attributes alone. A row with access control makes a person be asked, unless the
/// query skips such rows. Dates are the keychain's own. ``ScriptedCalls`` holds it to the system's keychain.
package final class KeychainModel: @unchecked Sendable {
  /// The items that the lock screen hides.
  package enum Lock: Sendable {
    case unlocked, locked, beforeFirstUnlock

    /// Whether items of this accessibility can be decrypted.
    func opens(_ accessibility: String) -> Bool {
      switch self {
      case .unlocked: true
      case .locked: !accessibility.hasPrefix("a")
      case .beforeFirstUnlock: accessibility.hasPrefix("d")
      }
    }
  }

  /// The systems whose keychains differ.
  package enum Platform: Sendable {
    case iOS, simulator, catalyst, macOS
  }

  /// A call that the model was asked to answer.
  package struct Call {
    package let function: ScriptedCalls.Function
    package let arguments: [String: Any]
  }

  private let lock = NSLock()
  private var rows: [ModelRow] = []
  private var keys: Set<ModelRow.Key> = []

  /// The groups in the program's entitlements, its own group first.
  package var groups = ["ABCDE12345.com.contoso.app", "ABCDE12345.com.microsoft.adalcache"]
  package var platform = Platform.iOS
  package var lockState = Lock.unlocked
  /// Whether the program is an App Clip, which may use no group but its own.
  package var isAppClip = false
  /// How a question to a person ends: 0 when it is answered.
  package var answerOfPerson: Int32 = 0
  /// How often a person was asked.
  package private(set) var questionsToPersons = 0
  /// Every call in its order.
  package private(set) var log: [Call] = []
  /// The statuses that the next calls of `SecItemAdd` return instead of adding, in their order.
  package var addStatuses: [Int32] = []
  /// The status that every `SecItemCopyMatching` returns.
  package var matchStatus: Int32 = 0

  /// The action of another program just before the first item other than a hint is added.
  package var beforeFirstItem: (@Sendable (KeychainModel) -> Void)?
  /// The action of another program just before a hint is added.
  package var beforeHint: (@Sendable (KeychainModel) -> Void)?

  package init() {}

  package var calls: KeychainCalls {
    KeychainCalls(
      system: system,
      copyMatching: { [self] query in lock.withLock { copyMatching(query) } },
      add: { [self] attributes in
        if let rival = rival(before: attributes) { rival(self) }
        return lock.withLock { add(attributes) }
      },
      delete: { [self] query in lock.withLock { delete(query) } })
  }

  /// Answers a call of ``ScriptedCalls``.
  package func answer(
    _ function: ScriptedCalls.Function, _ arguments: [String: Any]
  ) -> ScriptedCalls.Answer {
    lock.withLock {
      switch function {
      case .add:
        let (status, added) = add(arguments)
        return (status, added.isEmpty ? [] : [added])
      case .copyMatching: return copyMatching(arguments)
      case .delete: return (delete(arguments), [])
      }
    }
  }

  /// Everything in it, whatever the group.
  package var all: [KeychainItem] {
    rows.compactMap { KeychainItem(keychainAttributes: $0.attributes) }.sorted { $0.key < $1.key }
  }

  /// Puts attributes there as another program may have, unchecked. `accc` stands for access control that
  /// needs a person.
  package func put(_ attributes: [String: Any]) {
    rows.append(ModelRow(attributes))
    keys.insert(ModelRow(attributes).key)
  }

  /// Forgets the calls that were made.
  package func clearLog() { log = [] }

  private var system: KeychainSystem {
    switch platform {
    case .iOS: .iOS
    case .simulator: .simulator
    case .catalyst: .catalyst
    case .macOS: .macOS { [self] in groups }
    }
  }

  private func rival(
    before attributes: [String: Any]
  ) -> (@Sendable (KeychainModel) -> Void)? {
    let isHint = attributes["svce"] as? String == ""
    let rival = isHint ? beforeHint : beforeFirstItem
    if isHint { beforeHint = nil } else { beforeFirstItem = nil }
    return rival
  }

  /// On a Mac every program may read tokens' items: without entitlements it finds nothing in place of being
  /// refused.
  private var readable: [String] { platform == .macOS ? groups + ["com.apple.token"] : groups }

  /// Whether a call reaches the keychain with access groups, which it must name on a Mac.
  private func isReached(by arguments: [String: Any]) -> Bool {
    platform != .macOS || arguments["nleg"] as? Bool == true
  }

  /// Why a program may not make a call at all.
  private func refusal(_ arguments: [String: Any], _ allowed: [String]) -> Int32? {
    if allowed.isEmpty { return -34018 }
    if let status = ModelQuery.defect(of: arguments) { return status }
    if let group = arguments["agrp"] as? String, !allowed.contains(group) { return -34018 }
    return isAppClip && allowed.count > 1 ? -34020 : nil
  }

  private func copyMatching(_ arguments: [String: Any]) -> (Int32, [[String: Any]]) {
    log.append(Call(function: .copyMatching, arguments: arguments))
    guard matchStatus == 0 else { return (matchStatus, []) }
    guard isReached(by: arguments) else { return (-25300, []) }
    if let status = refusal(arguments, readable) { return (status, []) }
    let query = ModelQuery(arguments)
    let (status, found) = matches(of: query, passing: false)
    guard status == Self.needsPerson else { return (status, found.map(query.shown)) }
    questionsToPersons += 1
    guard answerOfPerson == 0 else { return (answerOfPerson, []) }
    let (again, all) = matches(of: query, passing: true)
    return (again, all.map(query.shown))
  }

  /// securityd's errSecAuthNeeded, which the client answers with a question to the person.
  private static let needsPerson: Int32 = -25330

  private func matches(of query: ModelQuery, passing: Bool) -> (Int32, [ModelRow]) {
    var found: [ModelRow] = []
    var needsPerson = false
    for row in rows where readable.contains(row.group) && query.matches(row) {
      guard lockState.opens(row.accessibility) else { return (-25308, []) }
      if row.needsPerson, !passing {
        needsPerson = needsPerson || !query.skipsRowsThatNeedPerson
        continue
      }
      found.append(row)
      if found.count == query.limit { break }
    }
    if needsPerson { return (Self.needsPerson, []) }
    return found.isEmpty ? (-25300, []) : (0, found)
  }

  private func add(_ arguments: [String: Any]) -> (Int32, [String: Any]) {
    log.append(Call(function: .add, arguments: arguments))
    if let status = addStatuses.first {
      addStatuses.removeFirst()
      if status != 0 { return (status, [:]) }
    }
    if let status = refusal(arguments, groups) { return (status, [:]) }
    if arguments["u_AuthUI"] as? String == "u_AuthUIS" { return (-50, [:]) }
    var kept = arguments.filter { ModelQuery.kept.contains($0.key) }
    kept["agrp"] = arguments["agrp"] ?? groups[0]
    kept["acct"] = arguments["acct"] ?? ""
    kept["svce"] = arguments["svce"] ?? ""
    kept["pdmn"] = arguments["pdmn"] ?? "ak"
    for name in ["type", "invi", "sync"] {
      kept[name] = kept[name].map { ModelQuery.number($0) ?? $0 }
    }
    kept["sync"] = kept["sync"] ?? 0
    kept["cdat"] = Date(timeIntervalSince1970: 1_700_000_000)
    kept["mdat"] = Date(timeIntervalSince1970: 1_700_000_000)
    let row = ModelRow(kept)
    guard lockState.opens(row.accessibility) else { return (-25308, [:]) }
    guard keys.insert(row.key).inserted else { return (-25299, [:]) }
    rows.append(row)
    return (0, arguments["r_Attributes"] as? Bool == true ? kept : [:])
  }

  private func delete(_ arguments: [String: Any]) -> Int32 {
    log.append(Call(function: .delete, arguments: arguments))
    guard isReached(by: arguments) else { return -25300 }
    if let status = refusal(arguments, groups) { return status }
    if arguments["u_AuthUI"] as? String == "u_AuthUIS" { return -50 }
    if arguments.keys.contains(where: { $0.hasPrefix("m_") }) { return -50 }
    let query = ModelQuery(arguments)
    let (gone, stay) = rows.reduce(into: ([ModelRow](), [ModelRow]())) { parts, row in
      let isMeant = groups.contains(row.group) && query.matches(row)
      if isMeant { parts.0.append(row) } else { parts.1.append(row) }
    }
    rows = stay
    keys.subtract(gone.map(\.key))
    return gone.isEmpty ? -25300 : 0
  }
}
