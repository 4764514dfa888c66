// SPDX-License-Identifier: MIT
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration

/// Nobody becomes somebody else, and everybody who can stays signed in: held against what the generator
/// of the cache knows.
extension LawsCase {
  /// No row is given another home account id than its own, and no account is of two people.
  func checkIdentities() throws {
    var peopleOfAccounts: [Int: Set<Int>] = [:]
    for (entry, truth) in try entriesOfRows() {
      guard let home = entry.homeAccountID else { continue }
      let owner = truth.owner.map { cache.people[$0] }
      #expect(owner?.home == home, "row \(entry.row) is given somebody else's id")
      if let account = entry.account, let owner {
        peopleOfAccounts[account, default: []].insert(owner.number)
      }
    }
    for (account, people) in peopleOfAccounts {
      #expect(people.count == 1, "account \(account) is of \(people)")
    }
    let lines = Dictionary(grouping: report.accounts.filter { $0.homeAccountID != nil }) {
      [$0.homeAccountID, $0.environment]
    }
    let groups = Set(cache.items.map(\.accessGroup)).count
    for lines in lines.values where lines.count > 1 {
      // Access groups that know a person by different names have a line each.
      let names = Set(lines.map(\.userID)).count
      #expect(lines.count <= groups && names == lines.count, "one person twice")
    }
    for account in report.accounts where account.homeAccountID != nil {
      let (home, host) = (account.homeAccountID, account.environment)
      #expect(
        whose(home: home, environment: host) != nil || isStranger(home: home, environment: host),
        "an account of nobody")
    }
  }

  /// Each written entry is of the user, the client and the tenant that it names.
  func checkWrites() throws {
    for (entry, _) in try written() {
      guard let home = entry["home_account_id"] else { continue }
      if isStranger(home: home, environment: entry["environment"]) {
        // A document has one host for a cloud.
        func rest(_ entry: SyntheticEntry?) -> [String: String]? {
          entry?.payload.filter { $0.key != "environment" }
        }
        let isCarried = cache.unified.contains { rest(SyntheticEntry($0)) == rest(entry) }
        #expect(isCarried, "an entry of a stranger is made")
        continue
      }
      let person = try #require(
        whose(home: home, environment: entry["environment"]), "an entry of nobody")
      switch entry["credential_type"] {
      case nil: checkAccount(entry, person)
      case let type?: checkCredential(entry, type, person)
      }
    }
  }

  private func checkAccount(_ entry: SyntheticEntry, _ person: TruePerson) {
    let names = person.allNames
    let name = entry["username"]?.lowercased() ?? ""
    #expect(names.contains { name == $0 || name == "key-\($0)" } || entry["username"] == nil)
    if let local = entry["local_account_id"], let realm = entry["realm"] {
      let tenant = person.cloud.tenants.first { $0.domain == realm }?.id ?? realm
      #expect(local == person.objects[tenant])
    }
  }

  private func checkCredential(_ entry: SyntheticEntry, _ type: String, _ person: TruePerson) {
    let secret = entry["secret"] ?? ""
    #expect(cache.owners[secret] == person.number, "\(type) of somebody else")
    switch type {
    case "RefreshToken":
      let clients = cache.clientsOfSecrets[secret] ?? []
      if entry["family_id"] == nil {
        #expect(clients.contains(entry["client_id"]?.lowercased() ?? ""))
      }
      #expect(entry["realm"] == nil)
    case "AccessToken":
      let row = cache.rows.first { $0.row.accessToken == secret }?.row
      let scope = (row?.resource).map { $0.trimmed + "/.default" }
      #expect(entry["target"] == scope || row == nil)
      #expect(entry["expires_on"].flatMap(Double.init) ?? 0 >= cache.now + 300 || row == nil)
      #expect(entry["cached_at"].flatMap(Double.init) ?? 0 <= cache.now)
      #expect(row == nil || policy.accessTokens)
    default: break
    }
  }

  /// Every person with certain evidence has a refresh token for the client, and an account.
  func checkConversions() throws {
    let entries = try targetEntries()
    let ambiguous = ambiguousHomes
    let skipped = try Set(
      entriesOfRows().filter { $0.entry.reasons.contains(.homeBelowMinimum) }.map(\.truth.item.key))
    for truth in rows where truth.isCertain && !skipped.contains(truth.item.key) {
      guard let number = truth.owner, policy.includes(client: truth.client),
        !ambiguous.contains([group(of: truth), cache.people[number].home])
      else { continue }
      let person = cache.people[number]
      let key = [person.home, person.cloud.environment]
      let blocked = route == .inPlace ? cache.blocked : []
      guard !blocked.contains([group(of: truth)] + key),
        route != .document || !cache.document.blocked.contains(key)
      else { continue }
      let group = group(of: truth)
      let groups = route == .document ? cache.clients.map(\.accessGroup) : [truth.row.accessGroup]
      guard
        !groups.contains(where: {
          cache.signedOut.contains([person.home, truth.client, $0])
        }) || route == .blob
      else { continue }
      func holds(_ condition: (SyntheticEntry) -> Bool) -> Bool {
        entries.contains {
          $0.group == group && $0.entry["home_account_id"] == person.home
            && person.cloud.hosts.contains($0.entry["environment"] ?? "") && condition($0.entry)
        }
      }
      #expect(
        holds {
          $0["credential_type"] == "RefreshToken" && $0["family_id"] == nil
            && $0["client_id"]?.lowercased() == truth.client
        }, "person \(number) has lost client \(truth.client)")
      #expect(holds { $0["authority_type"] != nil }, "person \(number) has no account")
    }
  }

  /// The accounts that have two refresh tokens for one client in the target, of which MSAL takes neither,
  /// and which get nothing therefore: group and home account id.
  private var ambiguousHomes: Set<[String]> {
    var hosts: [[String]: Set<String>] = [:]
    for item in before where item.type == 2002 {
      guard let entry = SyntheticEntry(item), let home = entry["home_account_id"],
        let client = entry["client_id"], let host = entry["environment"], entry["family_id"] == nil
      else { continue }
      hosts[[item.accessGroup, home, client.lowercased()], default: []].insert(host)
    }
    return Set(hosts.filter { $0.value.count > 1 }.map { Array($0.key.prefix(2)) })
  }

  /// Nobody is told to sign in again where every refresh token is certain.
  func checkSeverity() {
    let hasTombstone = rows.contains(where: \.row.isTombstone)
    let readable = rows.allSatisfy { truth in
      // A family's row may be of use to a client that was asked for, and of nobody's who is (D36); and it is all that
      // somebody has whose own token ADAL made a tombstone.
      let isFamilys =
        (policy.clientIDs != nil || hasTombstone)
        && truth.row.clientID?.hasPrefix("foci-") ?? false
      return !isFamilys
        && (!truth.isUsable || truth.isCertain || !policy.includes(client: truth.client))
    }
    // Each row that is certain here is certain enough for this and for less.
    let isEnough = policy.minimumConfidence <= .tenantMember
    let isDamaged = route == .document && !cache.document.blocked.isEmpty
    // Where MSAL finds two tokens, it takes neither.
    let isAmbiguous = route == .inPlace && !ambiguousHomes.isEmpty
    let fits = !report.findings.contains { $0.reason == .policyMatchesNothing }
    if readable && isEnough && fits && !isAmbiguous && cache.unreadable.isEmpty && !isDamaged {
      #expect(report.worstSeverity != .error, "\(report.findings.map(\.reason.code))")
    }
  }

  /// D25: the report has an error for every user who had a refresh token that ADAL could use and must sign in, unless
  /// the user signed out with MSAL. Entries in MSAL's form may lack tokens that they lacked before.
  func checkLosses() throws {
    let errors = Set(report.findings.lazy.filter { $0.severity == .error }.flatMap(\.rows))
    let told = Set(report.entries.lazy.filter { errors.contains($0.row) }.compactMap(\.account))
    let others = Set(
      report.entries.lazy
        .filter { $0.generation == .msal || $0.reasons.contains(.accountSignedOut) }
        .compactMap(\.account))
    for (entry, truth) in try entriesOfRows() {
      guard truth.isUsable, entry.kind != .empty, entry.kind != .primaryRefreshToken,
        policy.includes(client: truth.client), let account = entry.account,
        report.accounts[account].signedIn == .no, !others.contains(account)
      else { continue }
      #expect(told.contains(account), "\(entry.kind) \(entry.reasons.map(\.code))")
    }
  }
}
