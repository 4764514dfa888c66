// SPDX-License-Identifier: MIT

/// What takes the place of ADAL's types, properties and error codes (specification, tables 6.1 to 6.3).
enum Counterparts {
  private static let types = [
    "ADAuthenticationContext": "`MSALPublicClientApplication`",
    "ADAuthenticationResult": "`MSALResult` and `NSError`",
    "ADAuthenticationResultStatus": "`MSALResult` or `NSError`",
    "ADAuthenticationError": "`NSError` (`MSALErrorDomain`)",
    "ADTokenCacheItem": "`MSALAccount` (who), `MSALResult` (token)",
    "ADTokenCacheStoreItem": "`MSALAccount` (who), `MSALResult` (token)",
    "ADUserInformation": "`MSALAccount`, `MSALTenantProfile`",
    "ADUserIdentifier": "`MSALAccount` or `loginHint`",
    "ADUserIdentifierType": "`MSALAccount` or `loginHint`",
    "ADAuthenticationSettings": "`MSALGlobalConfig`, `MSALPublicClientApplicationConfig`",
    "ADKeychainTokenCache": "`MSALCacheConfig`",
    "ADKeychainTokenCacheStore": "`MSALCacheConfig`",
    "ADPersistentTokenCacheStore": "`MSALCacheConfig`",
    "ADTokenCache": "`MSALCacheConfig`",
    "ADTokenCacheStoring": "`MSALCacheConfig`",
    "ADTokenCacheDataSource": "`MSALCacheConfig`",
    "ADTokenCacheDelegate": "`MSALSerializedADALCacheProviderDelegate`",
    "ADPromptBehavior": "`MSALPromptType`",
    "ADCredentialsType": "`MSALWebviewType`",
    "ADErrorCode": "`MSALError`",
    "ADAuthenticationCallback": "`MSALCompletionBlock`",
    "ADAuthenticationParameters": "nothing; parse the header yourself",
  ]

  /// What takes the place of a type.
  static func type(_ name: String) -> String {
    types[ADALNames.canonical(name)] ?? "nothing; MSAL has no counterpart"
  }

  static let settings = [
    "requestTimeOut": "`MSALGlobalConfig.httpConfig.timeoutIntervalForRequest`",
    "expirationBuffer": "`config.tokenExpirationBuffer`",
    "enableFullScreen": "`webviewParameters.presentationStyle`",
    "webviewPresentationStyle": "`webviewParameters.presentationStyle`",
  ]

  static let contextSettings = [
    "correlationId": "`parameters.correlationId`",
    "extendedLifetimeEnabled": "`config.extendedLifetimeEnabled`",
    "clientCapabilities": "`config.clientApplicationCapabilities`",
    "logComponent": "nothing; MSAL has no counterpart",
    "useRefreshTokenForWebview": "nothing; MSAL has no counterpart",
  ]

  private static let errors = [
    "SERVER_USER_INPUT_NEEDED": "`MSALErrorInteractionRequired` (-50002)",
    "USER_INPUT_NEEDED": "`MSALErrorInteractionRequired` (-50002)",
    "SERVER_REFRESH_TOKEN_REJECTED": "`MSALErrorInteractionRequired` (-50002)",
    "INVALID_REFRESH_TOKEN": "`MSALErrorInteractionRequired` (-50002)",
    "CACHE_NO_REFRESH_TOKEN": "`MSALErrorInteractionRequired` (-50002)",
    "UI_USER_CANCEL": "`MSALErrorUserCanceled` (-50005)",
    "USER_CANCEL": "`MSALErrorUserCanceled` (-50005)",
    "SERVER_WPJ_REQUIRED": "`MSALErrorWorkplaceJoinRequired` (-50001)",
    "WPJ_REQUIRED": "`MSALErrorWorkplaceJoinRequired` (-50001)",
    "SERVER_PROTECTION_POLICY_REQUIRED": "`MSALErrorServerProtectionPoliciesRequired` (-50004)",
    "SERVER_OAUTH": "`MSALErrorServerError` (-50006)",
    "SERVER_INVALID_RESPONSE": "`MSALErrorServerError` (-50006)",
    "CACHE_MULTIPLE_USERS": "nothing; it cannot happen",
    "MULTIPLE_USERS": "nothing; it cannot happen",
  ]

  /// What takes the place of an error code, a domain or a detail of an error.
  static func error(_ name: String) -> String {
    switch name {
    case "protocolCode": return "`userInfo[MSALOAuthErrorKey]`"
    case "errorDetails": return "`userInfo[MSALErrorDescriptionKey]`"
    case _ where ADALNames.domains.contains(name): return "`MSALErrorDomain`"
    default: break
    }
    let code = ["AD_ERROR_", "ERROR_"].first(where: name.hasPrefix).map { name.dropFirst($0.count) }
    return code.flatMap { errors[String($0)] }
      ?? "`MSALErrorInternal` (-50000) with `MSALInternalErrorCodeKey`"
  }

  /// What a prompt behaviour becomes.
  static func prompt(_ name: String) -> String {
    switch name {
    case "AD_PROMPT_AUTO": "a silent call first"
    case "AD_PROMPT_REFRESH_SESSION": "`promptType` `.promptIfNecessary`, which is not the same"
    default: "`promptType` `.login` or `.selectAccount`"
    }
  }

  /// What MSAL finds by itself in the cache of this ADAL.
  static func cache(ofVersion version: String) -> String {
    if version.isEmpty { return "devices have ADAL's cache" }
    if VersionNumber.isOlder(version, than: "2.0") {
      return "devices have ADAL \(version)'s cache: archived items of 1.x without home account ids"
    }
    if VersionNumber.isOlder(version, than: "2.7") {
      return
        "devices have ADAL \(version)'s cache: archived items that MSAL finds by user name only"
    }
    return "devices have ADAL \(version)'s cache: entries that MSAL reads, beside archived items"
  }
}
