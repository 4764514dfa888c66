// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// ADAL's rows as numbers, with the values of these numbers. ``RowReader`` makes it.
struct RowTable: Sendable {
  /// The rows, in the order of the inventory.
  var rows: [ADALRow] = []
  /// Their tokens, in the same order.
  var tokens: [SharedToken] = []
  var symbols = Symbols()
  var authorities: [RowAuthority] = []
  var clients: [RowClient] = []
  var resources: [RowResource] = []
  var idTokens: [RowIDToken] = []
  var derivations: [Derivation] = []
  /// The home account id that each derivation gives, by number.
  var derivedHomes: [Int?] = []
  /// The home account ids, by number.
  var homes: [HomeAccountID] = []
  /// The accounts of rows: the answers by number, and the accounts.
  var answers: [AccountResolution.Answer] = []
  var accounts: [AccountKey] = []
  /// The cloud and the home account id of each account.
  var accountSymbols: [CloudSymbol] = []
  /// The places of lines in the account map that match no row.
  var unusedMapEntries: [String] = []
  /// The place among ADAL's rows of each row of the inventory.
  var places: [Int?] = []

  /// A row of the inventory; nil for rows that are not ADAL's.
  subscript(number: Int) -> ADALRow? {
    places.indices.contains(number) ? places[number].map { rows[$0] } : nil
  }

  /// The token of a row of the inventory; nil for rows that are not ADAL's.
  func token(of number: Int) -> LegacyToken? { self[number].map { tokens[$0.index].token } }

  /// The answer that gives a row's account.
  func answer(for row: ADALRow) -> AccountResolution.Answer { answers[row.answer] }

  /// The parsed authority of a row; nil if the text is not an authority.
  func url(of row: ADALRow) -> Authority? { row.authority.flatMap { authorities[$0].url } }

  /// The tenant ID in the authority of a row; none if the authority has none.
  func tenantAsked(of row: ADALRow) -> Symbol {
    row.authority.map { authorities[$0].tenant } ?? .none
  }
}

/// A token of ADAL's, handed on without a copy of its parts.
final class SharedToken: Sendable {
  let token: LegacyToken

  init(_ token: consuming LegacyToken) { self.token = token }
}
