// SPDX-License-Identifier: MIT
import KeychainItems

/// What a client remembers of its accounts: who is signed in, who has signed out. Only read.
///
/// IdentityCore cache/metadata/accountMetadata/MSIDAccountMetadataCacheItem.m, MSIDAccountMetadata.m;
/// msal-cache-format §2.5.
package struct AccountMetadata: Sendable, Hashable {
  /// `sign_in_state`.
  package enum SignInState: String, Sendable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
  }

  /// `client_id`.
  package var clientID: String
  /// The state of each account, by home account id as the map spells it.
  package var states: [String: SignInState]

  /// The account metadata that this keychain item holds.
  ///
  /// MSAL finds it by the item's service, which is the client id; that is taken where the payload
  /// names none.
  ///
  /// - Throws: ``MSALItemError`` when the data is no JSON object.
  package init(item: KeychainItem) throws(MSALItemError) {
    let members = try Payload.members(of: item)
    clientID = members["client_id"]?.string ?? item.service
    let map = members["account_metadata_map"]?.object ?? [:]
    states = map.compactMapValues { entry in
      guard let entry = entry.object else { return nil }
      let state = entry["sign_in_state"]?.string ?? ""
      return SignInState(rawValue: state) ?? .unknown
    }
  }

  /// The state of the account with this home account id, in any case.
  package func state(of homeAccountID: String) -> SignInState {
    if let state = states[homeAccountID] { return state }
    let wanted = homeAccountID.identifier
    return states.first { $0.key.identifier.isExactly(wanted) }?.value ?? .unknown
  }
}
