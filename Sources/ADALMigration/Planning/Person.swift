// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// One account in one cloud and access group, with the rows that are of it, and what is known of it at the
/// end of the plan.
struct Person: Sendable {
  let group: String
  let account: AccountKey
  let home: HomeAccountID
  let spelling: AccountSpelling
  /// Rows that may be converted, in row order.
  let rows: [ResolvedRow]
  /// The clients that have, or will have, a refresh token for this account: their own or a family's.
  var clients: Set<ExactText> = []
  /// Those of them that have no refresh token of their own.
  var clientsOfFamilyAlone: Set<ExactText> = []
  /// The families that have, or will have, a refresh token for this account.
  var families: Set<String> = []

  func key(
    _ kind: MSALEntry.Key.Kind, owner: String = "", realm: String = "", target: String = "",
    application: String = ""
  ) -> MSALEntry.Key {
    MSALEntry.Key(
      kind, account, owner: owner, realm: realm, target: target, application: application)
  }
}
