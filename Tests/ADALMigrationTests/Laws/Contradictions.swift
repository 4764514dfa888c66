// SPDX-License-Identifier: MIT
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import SyntheticCaches

@testable import ADALMigration

/// Where a report and MSAL's look-ups in the same items say different things of one list (D43).
struct Contradictions {
  private(set) var sentences: [String] = []

  /// - Parameters:
  ///   - report: of a migration in place.
  ///   - items: what is there after it.
  ///   - clients: those that ask, as rows and entries spell them.
  init(_ report: Report, _ items: [KeychainItem], clients: Set<String>, now: Double) {
    let told = report.findings.first { $0.reason == .coexistenceNamelessListing }?.rows ?? []
    var toldPlaces: Set<KeychainItem.Key> = []
    var toldNames: Set<String> = []
    for row in told {
      guard let entry = report.entries.first(where: { $0.row == row }) else { continue }
      let place = entry.place
      toldPlaces.insert(
        KeychainItem.Key(
          accessGroup: place.accessGroup ?? "", account: place.account ?? "",
          service: place.service ?? ""))
      if let name = entry.userID { toldNames.insert(name) }
    }
    let hidden = report.entries.filter { entry in
      report.findings.contains {
        $0.reason == .coexistenceHiddenClient && $0.rows.contains(entry.row)
      }
    }
    var isSeen = false
    for (group, items) in Dictionary(grouping: items, by: \.accessGroup) {
      let lookup = Lookup(
        MSALIndex(items: items.filter { $0.type != nil }),
        fallbackRows: ADALFallbackRow.rows(of: items),
        now: now)
      // Only some lists of all accounts are given.
      let names = [nil] + toldNames.sorted().map { Optional($0) }
      for (client, name) in clients.flatMap({ client in names.map { (client, $0) } }) {
        let query = LookupQuery(
          .listedAccounts, clientID: client, username: name, withLegacy: true)
        let lists = lookup.possibleLists(query)
        let named = lists.joined().filter { $0.identifier != nil }
        // For a name with many rows only some lists are given, and lists with the same content once.
        isSeen =
          isSeen
          || lists.joined().contains { account in
            account.places.contains { place in
              if case .fallbackRow(let key) = place { toldPlaces.contains(key) } else { false }
            }
          }
        for row in hidden where row.place.accessGroup == group && Self.asks(client, row) {
          let isListed = lists.joined().contains { account in
            account.places.contains { place in
              guard case .fallbackRow(let key) = place else { return false }
              return key.service == row.place.service && key.account == row.place.account
            }
          }
          if isListed {
            sentences.append("\(client) lists row \(row.row), which the report calls hidden")
          }
        }
        for account in lists.joined() where account.identifier == nil {
          let places = Set(account.places)
          guard named.contains(where: { !places.isDisjoint(with: $0.places) }) else { continue }
          isSeen = true
          let rows = places.compactMap { place in
            if case .fallbackRow(let key) = place { key } else { nil }
          }
          if toldPlaces.isDisjoint(with: rows) {
            let numbers = report.entries.filter { entry in
              rows.contains {
                entry.place.service == $0.service && entry.place.account == $0.account
              }
            }.map(\.row)
            sentences.append(
              "\(client) may list rows \(numbers) without identifier, and the report is silent")
          }
        }
      }
    }
    if !isSeen && !toldPlaces.isEmpty {
      sentences.append("the report tells of rows \(told), and no list lacks an identifier")
    }
  }

  /// The clients of the rows and entries of a report, as these spell them and as apps ask; and one that nothing there
  /// knows, which is given the rows and entries of the family.
  ///
  /// The client of a row that cannot be read is known by its place alone, which ADAL writes in lower case. App
  /// metadata is found by the exact spelling of a client (MSIDAppMetadataCacheItem.m), so that a list for the
  /// lower-case spelling may be given a family's rows which no app is given.
  static func clients(of report: Report) -> Set<String> {
    Set(
      report.entries.filter { $0.kind != .unreadable }.compactMap(\.clientID)
        .filter { !$0.hasPrefix("foci-") } + [stranger])
  }

  private static let stranger = "11111111-2222-4333-8444-555555555555"

  /// Whether a client is the one whose list has a row or not: a row's own, and of a family's rows any.
  private static func asks(_ client: String, _ row: Report.Entry) -> Bool {
    row.clientID == (client == stranger ? "foci-1" : client)
  }
}
