// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation
import ItemStoreConformance
import KeychainItems
import Security

/// A question to the keychain of this device. The numbers are those of the form for reports.
struct Check: Sendable {
  let number: Int
  let title: String
  /// The problems, one line each; empty if the check passes.
  let run: @Sendable (CheckKeychain) throws -> [String]

  /// The checks that need neither a person nor a locked device.
  static let all = [
    Check(number: 1, title: "SystemKeychain passes the exam of all stores", run: exam),
    Check(number: 2, title: "The keychain answers as its model does", run: script),
    Check(number: 3, title: "A migration beside 500 items of others", run: migration),
  ]

  /// The lines of a check, with its error as one of them.
  func problems(_ keychain: CheckKeychain) -> [String] {
    do {
      return try keychain.restoring { try run(keychain) }
    } catch let error as StoreError {
      return ["\(error.code): \(error)"]
    } catch {
      return ["\(error)"]
    }
  }

  /// A keychain has no empty accessibility, and takes an absent service for an empty one.
  static let notAsked: Set<ItemStoreConformance.Check> = [.absentAndEmptyAreDifferent]

  @Sendable private static func exam(_ keychain: CheckKeychain) throws -> [String] {
    let exceptions = ItemStoreConformance.Exceptions(setsDates: true, setsAccessibility: true)
    let store = SystemKeychain(accessGroup: keychain.firstName)
    return ItemStoreConformance.Check.allCases.filter { !notAsked.contains($0) }.compactMap {
      check in
      do {
        try ItemStoreConformance(exceptions: exceptions) {
          ExamStore(keychain: store, mark: "adal2msal.\(UUID().uuidString)")
        }.run(check)
        return nil
      } catch {
        return "\(check.rawValue): \(error)"
      }
    }
  }

  @Sendable private static func script(_ keychain: CheckKeychain) throws -> [String] {
    #if os(macOS)
      let isMac = true
    #else
      let isMac = false
    #endif
    let calls = ScriptedCalls(
      first: keychain.first, second: keychain.second,
      suffix: UUID().uuidString.prefix(8).lowercased(), isMac: isMac)
    return calls.differences(CheckKeychain.answer)
  }

  /// How long the first run may take.
  private static let longest: TimeInterval = 5
  private static let foreignItems = 500

  @Sendable private static func migration(_ keychain: CheckKeychain) throws -> [String] {
    try addForeignItems(to: keychain.first)
    // An item that needs the user is not among the items that a check sees, so this check removes it itself.
    defer { removeItemForAPerson(from: keychain) }
    let rows = try MadeItems.contoso(in: keychain.first, bundle: .checks)
    for row in rows { try CheckKeychain.add(row) }
    let before = try keychain.items()

    let migration = TokenCacheMigration(
      from: .keychain(group: keychain.firstName), into: .keychain(group: keychain.firstName),
      now: { MadeItems.instant })
    let start = Date()
    let report = try migration.run()
    let seconds = Date().timeIntervalSince(start)
    let again = try migration.run()

    var problems: [String] = []
    func expect(_ found: Int, _ expected: Int, _ what: String) {
      if found != expected { problems.append("\(what): expected \(expected), got \(found)") }
    }
    expect(report.summary.accountsSignedIn, 2, "accounts that stay signed in")
    expect(report.summary.accountsToSignIn, 0, "accounts that must sign in")
    expect(report.summary.written, 10, "entries of the first run")
    expect(again.summary.written, 0, "entries of the second run")
    if seconds >= longest { problems.append("the first run took \(Int(seconds)) seconds") }
    let after = try keychain.items()
    expect(after.count - before.count, 10, "new items")
    let changed = before.filter { key, item in
      after[key]?["v_Data"] as? Data != item["v_Data"] as? Data
    }
    expect(changed.count, 0, "items that changed")
    return problems
  }

  /// Items of an app's other code: items that need an unlocked device, and one that needs the user.
  private static func addForeignItems(to group: String) throws {
    for number in 1...foreignItems {
      try CheckKeychain.add([
        "agrp": group, "acct": "foreign \(number)", "svce": "com.contoso.other",
        "pdmn": number % 2 == 0 ? "cku" : "ak", "v_Data": Data("synthetic".utf8),
      ])
    }
    try addItemForAPerson(to: group)
  }

  /// An item that the keychain gives away only to somebody whom it has asked for a face, a finger or the
  /// passcode.
  static func addItemForAPerson(to group: String) throws {
    guard
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)
    else { throw CheckKeychain.Refusal(call: "making an access control", status: errSecParam) }
    try CheckKeychain.add([
      "agrp": group, "acct": itemForAPerson, "svce": "com.contoso.other", "accc": control,
      "v_Data": Data("synthetic".utf8),
    ])
  }

  /// Removes that item.
  static func removeItemForAPerson(from keychain: CheckKeychain) {
    keychain.remove(
      .init(group: keychain.first, account: itemForAPerson, service: "com.contoso.other"))
  }

  private static let itemForAPerson = "foreign, with access control"
}
