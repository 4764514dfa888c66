// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import SyntheticCaches

@testable import ADALMigration

/// Rows as a part of the planner gets them.
enum PlannerRows {
  struct NotARow: Error {}

  /// A table of rows, of which it is not decided yet whose they are.
  static func table(_ rows: [SyntheticRow], _ policy: Policy = Policy()) throws -> RowTable {
    var table = RowTable(policy)
    for (number, row) in rows.enumerated() {
      guard case .token(let token) = LegacyItem(row.item) else { throw NotARow() }
      table.add(SharedToken(token), number: number, group: row.accessGroup)
    }
    return table
  }

  /// A table of rows that are all of one account.
  static func table(of home: HomeAccountID, _ rows: [SyntheticRow]) throws -> RowTable {
    var table = try table(rows)
    for row in table.rows { give(home, to: row, &table) }
    return table
  }

  /// Says that a row is an account's.
  static func give(_ home: HomeAccountID?, to row: ADALRow, _ table: inout RowTable) {
    _ = table.give(
      AccountResolution.Answer(
        homeAccountID: home, confidence: .exact, reasons: [.homeExact], evidence: []),
      to: row)
  }

  /// Entries in MSAL's form, as rows of one access group.
  static func unified(_ records: [MSALEntry], modified: [Double?] = []) -> [Inventory.Row] {
    records.enumerated().map { number, record in
      let time = modified.indices.contains(number) ? modified[number] : nil
      let item = record.item(accessGroup: World.group, at: time)
      return Inventory.Row(
        number: number, source: 0, place: Report.Place(index: number), group: World.group,
        content: .unified(
          MSALRow(
            kind: RowKind(record) ?? .unifiedAccount, record: record, item: item)))
    }
  }

  /// All orders of a few things.
  static func orders<Element>(_ elements: [Element]) -> [[Element]] {
    guard let first = elements.first else { return [[]] }
    return orders(Array(elements.dropFirst())).flatMap { rest in
      (0...rest.count).map { place in rest[..<place] + [first] + rest[place...] }
    }
  }
}

extension GoldenPerson {
  var homeAccountID: HomeAccountID? { HomeAccountID(home) }
  /// The account in the world's cloud.
  var key: AccountKey { AccountKey(cloud: "login.windows.net", spelled: home) }

  /// A credential of this person.
  func credential(
    _ kind: MSALEntry.Kind, _ secret: String, client: String = World.client,
    host: String = "login.windows.net", _ change: (inout MSALEntry) -> Void = { _ in }
  ) -> MSALEntry {
    var credential = MSALEntry(
      kind: kind, homeAccountID: home, environment: host, clientID: client,
      secret: TokenSecret(secret))
    change(&credential)
    return credential
  }

  /// MSAL's account of this person.
  func record(host: String = "login.windows.net") -> MSALEntry {
    MSALEntry(
      accountOf: home, environment: host, realm: tid, localAccountID: oid, username: upn)
  }
}
