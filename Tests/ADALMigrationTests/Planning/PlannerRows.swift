// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache
import SyntheticCaches

@testable import ADALMigration

/// Rows as a part of the planner gets them.
enum PlannerRows {
  struct NotARow: Error {}

  /// Rows of which it is not decided yet whose they are.
  static func reader(_ rows: [SyntheticRow], _ policy: Policy = Policy()) throws -> RowReader {
    var reader = RowReader(policy)
    for (number, row) in rows.enumerated() {
      guard case .token(let token) = LegacyItem(row.item) else { throw NotARow() }
      reader.add(SharedToken(token), number: number, group: row.accessGroup)
    }
    return reader
  }

  static func table(_ rows: [SyntheticRow]) throws -> RowTable { try reader(rows).table }

  /// A table of rows that are all of one account.
  static func table(of home: HomeAccountID, _ rows: [SyntheticRow]) throws -> RowTable {
    try reader(rows).table(of: home)
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

extension RowReader {
  /// The table where each row is an account's for certain.
  consuming func table(of homes: HomeAccountID?...) -> RowTable {
    for row in table.rows {
      assign(
        AccountResolution.Answer(
          homeAccountID: homes.indices.contains(row.index) ? homes[row.index] : homes.last ?? nil,
          confidence: .exact, reasons: [.homeExact], evidence: []),
        to: row)
    }
    return table
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
