// SPDX-License-Identifier: MIT
import KeychainItems

/// How MSAL spells what it keeps a credential under: the attributes of a keychain item and the key in a
/// document.
///
/// MSAL deletes by attributes that it derives again from the payload, so that an item with others can
/// never be deleted (IdentityCore cache/key/MSIDDefaultCredentialCacheKey.m; msal-cache-format §1.3).
package enum CredentialKey {
  /// The text of kSecAttrGeneric.
  ///
  /// - Parameter clientOrFamily: the family where there is one, else the client.
  package static func credentialID(
    kind: Credential.Kind, clientOrFamily: String, realm: String? = nil,
    applicationIdentifier: String? = nil
  ) -> String {
    String(
      of: kind.lowerCaseName, "-", clientOrFamily.normalized, "-",
      realm?.normalized ?? "", applicationIdentifier == nil ? "" : "-",
      applicationIdentifier?.normalized ?? "")
  }

  /// kSecAttrService, which begins with the credential id.
  package static func service(
    _ credentialID: String, target: String? = nil, tokenType: String? = nil,
    requestedClaims: String? = nil
  ) -> String {
    let claims = requestedClaims.flatMap { $0.isBlank ? nil : $0.normalized }
    return String(
      of: credentialID, "-", target?.normalized ?? "", tokenType == nil ? "" : "-",
      tokenType?.normalized ?? "", claims == nil ? "" : "|",
      claims.map(ClaimsHash.sevenDigits) ?? "")
  }

  /// The key in a cache document, in the shape of MSAL.NET and MSAL for Java, which Python's equals where
  /// it matters (msal-cache-format §7.2).
  package static func inDocument(
    kind: Credential.Kind, homeAccountID: String, environment: String, clientOrFamily: String,
    realm: String? = nil, target: String? = nil, tokenType: String? = nil
  ) -> String {
    // What is in lower case already is told at once.
    String(
      of: homeAccountID, "-", environment, "-", kind.lowerCaseName, "-",
      clientOrFamily, "-", realm ?? "", "-", target ?? "", tokenType == nil ? "" : "-",
      tokenType ?? ""
    ).lowercasedLikeNSString
  }
}

extension Credential {
  /// IdentityCore cache/key/MSIDDefaultCredentialCacheKey.m.
  package var attributes: ItemAttributes {
    let id = CredentialKey.credentialID(
      kind: kind, clientOrFamily: familyID ?? clientID, realm: realm,
      applicationIdentifier: applicationIdentifier)
    let service = CredentialKey.service(
      id, target: target, tokenType: tokenType, requestedClaims: requestedClaims)
    return ItemAttributes(
      account: ItemAttributes.account(homeAccountID, environment), service: service,
      generic: Array(id.utf8), type: kind.typeNumber)
  }

  /// The key in a cache document, in the shape of MSAL.NET and MSAL for Java
  /// (msal-cache-format §7.2).
  package var documentKey: String {
    let (isOfTenant, hasTarget) =
      switch kind {
      case .refreshToken, .familyRefreshToken, .boundRefreshToken, .primaryRefreshToken:
        (false, false)
      case .idToken, .v1IDToken: (true, false)
      case .accessToken, .accessTokenWithAuthScheme, .legacySingleResourceToken: (true, true)
      }
    return CredentialKey.inDocument(
      kind: kind, homeAccountID: homeAccountID, environment: environment,
      clientOrFamily: isOfTenant ? clientID : nonEmptyFamily ?? clientID,
      realm: isOfTenant ? realm : nil, target: hasTarget ? target : nil,
      tokenType: kind == .accessTokenWithAuthScheme ? tokenType ?? "" : nil)
  }

  /// What makes two credentials of a document the same, whatever their keys are.
  var identity: DocumentIdentity {
    switch documentSection {
    case .refreshToken:
      DocumentIdentity(
        section: .refreshToken, kind: kind, homeAccountID: homeAccountID, environment: environment,
        clientOrFamily: nonEmptyFamily.map { "family \($0)" } ?? clientID)
    case .accessToken:
      DocumentIdentity(
        section: .accessToken, kind: kind, homeAccountID: homeAccountID, environment: environment,
        clientOrFamily: clientID, realm: realm ?? "", target: target ?? "")
    default:
      DocumentIdentity(
        section: documentSection, kind: kind, homeAccountID: homeAccountID,
        environment: environment, clientOrFamily: clientID, realm: realm ?? "")
    }
  }

  private var nonEmptyFamily: String? { familyID.flatMap { $0.isBlank ? nil : $0 } }

  /// What MSAL knows the credential by: one key, but for an access token with several scopes.
  ///
  /// - Parameter account: whose the credential is.
  package func recordKeys(of account: AccountKey) -> [RecordKey] {
    switch kind {
    case .refreshToken, .familyRefreshToken:
      // A refresh token has no realm; MSAL Python writes one all the same.
      return [
        familyID.nonBlank.map { RecordKey(.familyRefreshToken, account, owner: $0) }
          ?? RecordKey(.refreshToken, account, owner: clientID)
      ]
    case .idToken: return [recordKey(.idToken, of: account)]
    case .accessToken:
      let target = target ?? ""
      if target.isOneWord { return [accessTokenKey(of: account, scope: target)] }
      let scopes = Scopes.words(of: target)
      return (scopes.isEmpty ? [""] : scopes).map { accessTokenKey(of: account, scope: $0) }
    default:
      return [
        recordKey(.otherToken, of: account, target: "\(kind.rawValue) \(target ?? "")")
      ]
    }
  }

  /// What MSAL knows the access token by under one of its scopes.
  package func accessTokenKey(of account: AccountKey, scope: String) -> RecordKey {
    recordKey(.accessToken, of: account, target: scope)
  }

  private func recordKey(
    _ kind: RecordKey.Kind, of account: AccountKey, target: String = ""
  ) -> RecordKey {
    RecordKey(
      kind, account, owner: clientID, realm: realm ?? "", target: target,
      application: applicationIdentifier ?? "")
  }
}
