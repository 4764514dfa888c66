// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// One account in one cloud and access group, with its rows, and what is known of it at the end of the plan.
struct PlannedAccount: Sendable {
  let group: String
  let key: AccountKey
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

  func entryKey(
    _ kind: MSALEntry.Key.Kind, owner: String = "", realm: String = ""
  ) -> MSALEntry.Key {
    MSALEntry.Key(kind, key, owner: owner, realm: realm, target: "", application: "")
  }

  /// A token of the account; of no tenant unless one is given.
  func token(
    _ kind: MSALEntry.Kind, clientID: String, _ secret: TokenSecret, realm: String? = nil,
    familyID: String? = nil
  ) -> MSALEntry {
    MSALEntry(
      kind: kind, homeAccountID: spelling.homeAccountID, environment: spelling.environment,
      clientID: clientID, secret: secret, realm: realm.map(spelling.realm), familyID: familyID)
  }
}
