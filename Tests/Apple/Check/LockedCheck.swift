// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation
import KeychainItems
import Security

/// The checks that need a device whose screen is locked. It has no keys there for items that need an unlocked
/// device; the simulator and a Mac have them always.
enum LockedCheck {
  /// Adds the items that are read while the screen is locked.
  static func prepare(_ keychain: CheckKeychain) throws {
    for (account, accessibility) in [("locked, cku", "cku"), ("locked, ak", "ak")] {
      try CheckKeychain.add([
        "agrp": keychain.first, "acct": account, "svce": service, "pdmn": accessibility,
        "v_Data": Data("synthetic".utf8),
      ])
    }
    try Check.addItemForAPerson(to: keychain.first)
  }

  /// Removes them.
  static func cleanUp(_ keychain: CheckKeychain) {
    for account in ["locked, cku", "locked, ak"] {
      keychain.remove(.init(group: keychain.first, account: account, service: service))
    }
    Check.removeItemForAPerson(from: keychain)
  }

  /// The problems while the screen is locked.
  static func problems(_ keychain: CheckKeychain) -> [String] {
    var problems: [String] = []
    func expect(_ account: String, _ expected: OSStatus) {
      let (status, _) = CheckKeychain.answer(
        .copyMatching,
        [
          "class": "genp", "agrp": keychain.first, "acct": account, "svce": service,
          "r_Attributes": true, "r_Data": true, "u_AuthUI": "u_AuthUIS",
        ])
      if status != expected { problems.append("\(account): expected \(expected), got \(status)") }
    }
    expect("locked, cku", errSecSuccess)
    expect("locked, ak", errSecInteractionNotAllowed)
    // The library must learn the team from its hint, which needs no unlocked device.
    do {
      _ = try SystemKeychain(accessGroup: "\(keychain.firstName).none").items()
      problems.append("a group without an entitlement was read")
    } catch let error as StoreError where error.code == .refused {
    } catch {
      problems.append("learning the team: \(error)")
    }
    return problems
  }

  private static let service = "com.contoso.adal2msal.locked"
}
