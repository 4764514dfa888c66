// SPDX-License-Identifier: MIT
import KeychainItems

/// The keychain attributes of a credential, derived from its fields.
///
/// MSAL deletes by attributes that it derives anew from the payload, so that an item with others can
/// never be deleted (IdentityCore cache/key/MSIDDefaultCredentialCacheKey.m; msal-cache-format §1.3).
package struct CredentialKey {
  var kind: Credential.Kind
  var homeAccountID: String
  var environment: String
  /// The family where there is one, else the client.
  var clientOrFamily: String
  var realm: String?
  var target: String?
  var applicationIdentifier: String?
  var tokenType: String?
  var requestedClaims: String?

  /// kSecAttrAccount.
  var account: String { homeAccountID.normalized + "-" + environment.normalized }

  /// The text of kSecAttrGeneric.
  var credentialID: String {
    Self.credentialID(
      kind: kind, clientOrFamily: clientOrFamily, realm: realm,
      applicationIdentifier: applicationIdentifier)
  }

  /// kSecAttrService, which begins with the credential id.
  func service(_ credentialID: String) -> String {
    var text = credentialID
    text += "-"
    if let target { text += target.normalized }
    if let tokenType { text += "-\(tokenType.normalized)" }
    if let requestedClaims, !requestedClaims.isBlank {
      text += "|\(ClaimsHash.sevenDigits(of: requestedClaims.normalized))"
    }
    return text
  }

  package static func credentialID(
    kind: Credential.Kind, clientOrFamily: String, realm: String?, applicationIdentifier: String?
  ) -> String {
    var text = kind.rawValue.lowercased()
    text += "-"
    text += clientOrFamily.normalized
    text += "-"
    if let realm { text += realm.normalized }
    if let applicationIdentifier {
      text += "-"
      text += applicationIdentifier.normalized
    }
    return text
  }
}

extension Credential {
  var key: CredentialKey {
    CredentialKey(
      kind: kind, homeAccountID: homeAccountID, environment: environment,
      clientOrFamily: familyID ?? clientID, realm: realm, target: target,
      applicationIdentifier: applicationIdentifier, tokenType: tokenType,
      requestedClaims: requestedClaims)
  }

  /// The keychain item of this credential, every attribute derived from the payload.
  ///
  /// - Parameters:
  ///   - accessGroup: with its team prefix.
  ///   - instant: when the item is made, in Unix seconds; nil where a store says so itself.
  public func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    attributes.item(
      accessGroup: accessGroup, data: Payload.encoded(texts, additional), at: instant)
  }
}
