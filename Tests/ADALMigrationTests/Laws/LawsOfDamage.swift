// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Unreadable is never fine (D42): held against what the generator knows of a row that was cut short, and
/// against what MSAL lists.
extension LawsCase {
  func checkDamage() throws {
    guard route == .inPlace || route == .elsewhere else { return }
    for truth in cache.damaged where policy.includes(client: truth.client) {
      let entry = try #require(self.entry(of: truth))
      #expect(entry.kind == .unreadable && entry.outcome == .notConverted)
      let isLost = report.findings.contains {
        $0.severity == .error && $0.rows.contains(entry.row)
      }
      let account = try #require(entry.account.map { report.accounts[$0] })
      if isLost {
        #expect(account.signedIn == .no)
        let name = truth.row.userID
        #expect(account.isUnknownUsers == (name == nil))
      }
      // A user whom the client lists by another row or entry is kept; no other user is.
      let isListed = lists(truth)
      #expect(isLost || isListed, "row \(entry.row) is a note, and MSAL lists nobody of its user")
      #expect(!isLost || !isCertain(truth), "row \(entry.row) is an error beside a certain row")
    }
  }

  private func entry(of truth: TrueRow) -> Report.Entry? {
    let key = truth.item.key
    return report.entries.first {
      $0.place.accessGroup == key.accessGroup && $0.place.account == key.account
        && $0.place.service == key.service
    }
  }

  /// Whether MSAL lists the user of a damaged row for the row's client.
  private func lists(_ truth: TrueRow) -> Bool {
    guard let name = truth.row.userID else { return false }
    let items = (before + added).filter { $0.accessGroup == truth.row.accessGroup }
    let lookup = Lookup(
      MSALIndex(items: items.filter { $0.type != nil }),
      fallbackRows: ADALFallbackRow.rows(of: items),
      now: cache.now)
    let spelling = policy.written(truth.client)
    let entries = items.compactMap(SyntheticEntry.init)
    let clients = Set(
      [spelling] + entries.compactMap { $0["client_id"] } + cache.clients.map(\.id)
    ).filter { $0.lowercased() == truth.client }
    // A damaged row tells only a name. A user who ever had it may now have another name.
    let numbers = cache.people.indices.filter { number in
      number == truth.owner || cache.people[number].names.contains { $0.lowercased() == name }
    }
    let owners = numbers.map { cache.people[$0] }
    // A guest has a name of another form in each tenant.
    let guestNames = cache.rows.filter { $0.owner.map(numbers.contains) ?? false }
      .compactMap(\.row.userID)
    let names = ([name] + owners.flatMap(\.names) + guestNames).map { $0.lowercased() }
    // MSAL lists entries of one home account id as one account, by the name of the first of them.
    let homes =
      owners.map(\.home)
      + entries.filter { $0["username"].map { names.contains($0.lowercased()) } ?? false }
      .compactMap { $0["home_account_id"] }
    return clients.contains { client in
      lookup.listedAccounts(
        LookupQuery(.listedAccounts, clientID: client, withLegacy: true)
      ).contains { account in
        account.username.map { names.contains($0.lowercased()) } ?? false
          || account.identifier.map(homes.contains) ?? false
      }
    }
  }

  /// Whether a sound row of the same name, client and group proves whose it is, and is in the target.
  private func isCertain(_ truth: TrueRow) -> Bool {
    guard let name = truth.row.userID, let owner = truth.owner else { return false }
    let home = cache.people[owner].home
    return rows.contains { row in
      guard row.isCertain, row.owner == owner, row.client == truth.client,
        row.row.userID == name, row.row.accessGroup == truth.row.accessGroup,
        let account = entry(of: row)?.account.map({ report.accounts[$0] })
      else { return false }
      // In another access group the same user can be signed in.
      return account.homeAccountID == home && account.signedIn == .yes
    }
  }
}
