// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension MSALEntry {
  /// The family that the item of a refresh token is filed under; nil where it is filed under its client, or in no item.
  package func family(in item: KeychainItem?) -> String? {
    guard let item, isRefreshToken, let kind, let family = familyID.nonBlank else { return nil }
    let attributes = ItemAttributes(ofToken: kind, clientOrFamily: family)
    return item.generic == attributes.generic ? family : nil
  }

  /// Whether MSAL finds an account, a refresh token or an ID token by the attributes of its item and can use its
  /// content. In a document, other platforms must be able to read the claims of an ID token, and the service must not
  /// have rejected the refresh token. Any other entry is found by its content.
  func isFound(in item: KeychainItem?) -> Bool {
    switch kind {
    case .account: return item.map { $0.type == ItemType.account } ?? true
    case .refreshToken where secret == .tombstone: return false
    case .idToken
    where item == nil
      ? IDTokenClaims.ofPayload(secret) == nil : IDTokenClaims(secret) == nil:
      return false
    case .idToken, .refreshToken: break
    default: return true
    }
    guard let item, let kind else { return true }
    let families = familyID.nonBlank.map { [$0, nil] } ?? [nil]
    return item.type == kind.typeNumber
      && families.contains { family in
        let attributes = ItemAttributes(
          ofToken: kind, clientOrFamily: family ?? clientID ?? "",
          realm: kind == .idToken ? realm : nil)
        return item.generic == attributes.generic && item.service == attributes.service
      }
  }
}
