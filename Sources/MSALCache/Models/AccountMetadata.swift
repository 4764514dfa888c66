// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A client's record of its accounts: which are signed in and which have signed out. It is only read.
///
/// IdentityCore cache/metadata/accountMetadata/MSIDAccountMetadataCacheItem.m, MSIDAccountMetadata.m;
/// msal-cache-format §2.5.
package struct AccountMetadata: Sendable, Equatable {
  /// `sign_in_state`.
  package enum SignInState: String, Sendable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
  }

  /// The record of one account.
  package struct Account: Sendable, Equatable {
    package let signInState: SignInState
    /// The authorities that requests are redirected to, by those that are asked with.
    package let authorities: [String: String]

    fileprivate init?(_ entry: JSONValue) {
      guard let members = entry.object else { return nil }
      signInState = SignInState(rawValue: members["sign_in_state"]?.string ?? "") ?? .unknown
      // The key is misspelled in every cache.
      let map = members["athority_map"]?.object?["URLMap-"]?.object ?? [:]
      authorities = map.compactMapValues(\.string)
    }
  }

  /// `client_id`.
  package var clientID: String
  /// The accounts, by home account id as the map spells it.
  package var accounts: [ExactText: Account] = [:]

  /// The account metadata that this keychain item holds.
  ///
  /// MSAL finds it by the item's service, which is the client id; that is taken where the payload
  /// names none.
  ///
  /// - Throws: ``MSALCacheError`` when the data is no JSON object.
  package init(item: KeychainItem) throws(MSALCacheError) {
    self.init(try item.payload(), service: item.service)
  }

  /// The same, of the members of the item's object.
  package init(_ members: [String: JSONValue], service: String) {
    clientID = members["client_id"]?.string ?? service
    for (id, entry) in members["account_metadata_map"]?.object ?? [:] {
      accounts[ExactText(id)] = Account(entry)
    }
  }
}
