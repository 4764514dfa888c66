// SPDX-License-Identifier: MIT
import MSALCache

/// One account in one cloud and access group, with its rows and its state at the end of the plan.
struct PlannedAccount: Sendable {
  let group: String
  let key: AccountKey
  let home: HomeAccountID
  let spelling: AccountSpelling
  /// Rows that may be converted, in row order.
  let rows: [ADALRow]
  /// The number of the account.
  let number: Int
  /// The cloud and the home account id of the key, and both as entries spell them.
  let symbols: (cloud: Symbol, home: Symbol, homeAccountID: Symbol, environment: Symbol)
  /// kSecAttrAccount of its entries.
  let itemAccount: String
  /// The clients that have, or will have, a refresh token for this account: their own or a family's.
  var clients: Set<Symbol> = []
  /// Those of them that have no refresh token of their own.
  var clientsOfFamilyAlone: Set<Symbol> = []
  /// The families that have, or will have, a refresh token for this account.
  var families: Set<Symbol> = []

  init(
    group: String, number: Int, key: AccountKey, home: HomeAccountID, spelling: AccountSpelling,
    rows: [ADALRow], _ symbols: inout Symbols
  ) {
    self.group = group
    self.number = number
    self.key = key
    self.home = home
    self.spelling = spelling
    self.rows = rows
    let (cloud, home) = (symbols.symbol(of: key.cloud), symbols.symbol(of: key.home))
    // Most accounts are spelled as they are compared.
    let (id, environment) = (spelling.homeAccountID, spelling.environment)
    self.symbols = (
      cloud, home, id.isExactly(key.home) ? home : symbols.symbol(of: id),
      environment.isExactly(key.cloud) ? cloud : symbols.symbol(of: environment)
    )
    itemAccount = ItemAttributes.account(spelling.homeAccountID, spelling.environment)
  }

  func entryKey(
    _ kind: MSALEntry.Key.Kind, owner: Symbol = .none, realm: Symbol = .none
  ) -> EntryKey {
    EntryKey(cloud: symbols.cloud, home: symbols.home, kind: kind, owner: owner, realm: realm)
  }
}
