// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Laws for caches that are not plain.
extension LawsCase {
  /// Law 10: what the check does not find is a mistake of ours, whoever pays for it.
  func checkCheck() {
    for finding in report.findings {
      #expect(finding.reason.code != "check.not-found", "\(finding)")
    }
  }

  /// Among refresh tokens in MSAL's form for one client, the newest is carried (mapping-rules §4.c).
  func checkNewest() throws {
    var newest: [[String]: Double] = [:]
    func key(_ entry: SyntheticEntry, _ group: String) -> [String] {
      [
        route == .document ? "" : group, entry["home_account_id"] ?? "",
        cloud(of: entry["environment"]),
        entry["family_id"] ?? entry["client_id"]?.lowercased() ?? "",
      ]
    }
    var times: [String: Double] = [:]
    for item in cache.unified where item.type == 2002 {
      guard let entry = SyntheticEntry(item), let secret = entry["secret"] else { continue }
      let time = item.modified ?? 0
      times[secret] = time
      newest[key(entry, item.accessGroup)] = max(newest[key(entry, item.accessGroup)] ?? 0, time)
    }
    for (entry, group) in try written() where entry["credential_type"] == "RefreshToken" {
      guard let secret = entry["secret"], let time = times[secret],
        !cache.rows.contains(where: { $0.row.refreshToken == secret })
      else { continue }
      #expect(time == newest[key(entry, group)], "an older refresh token is carried")
    }
  }

  /// D13: who signed out of a client stays signed out of it.
  func checkSignOuts() throws {
    guard route == .inPlace || route == .elsewhere else { return }
    for (entry, group) in try written() {
      guard let home = entry["home_account_id"], let client = entry["client_id"] else { continue }
      #expect(
        !cache.signedOut.contains([home, client.lowercased(), group]),
        "\(entry["credential_type"] ?? "") under a client that the person signed out of")
    }
  }

  /// A broker's own tokens are left to it (mapping-rules §4.c).
  func checkBrokers() {
    let names = ["com.microsoft.azureauthenticator", "com.microsoft.workplacejoin"]
    func isBrokers(_ group: String?) -> Bool { names.contains { group?.hasSuffix($0) ?? false } }
    #expect(added.allSatisfy { !isBrokers($0.accessGroup) })
    for entry in report.entries where isBrokers(entry.place.accessGroup) {
      #expect(entry.outcome == .notConverted && entry.writes.isEmpty)
    }
  }

  /// Clients that were not asked for count nowhere.
  func checkClients() {
    guard let asked = policy.clientIDs?.map({ $0.lowercased() }) else { return }
    for account in report.accounts {
      let clients = account.clients.map { $0.lowercased() }
      #expect(clients.allSatisfy(asked.contains), "\(clients) were not asked for")
    }
  }
}
