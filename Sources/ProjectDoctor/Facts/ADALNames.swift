// SPDX-License-Identifier: MIT

/// The names that ADAL published: a closed list and never a prefix, since apps and other libraries have
/// names that begin alike.
enum ADALNames {
  /// Since ADAL 6 the same names begin with `ADAL`.
  private static let stems = [
    "AuthenticationContext", "AuthenticationError", "AuthenticationParameters",
    "AuthenticationResult", "AuthenticationSettings", "KeychainTokenCache", "TokenCache",
    "TokenCacheItem", "TokenCacheKey", "UserIdentifier", "UserInformation", "WebAuthController",
    "Telemetry", "Logger", "PromptBehavior", "CredentialsType", "AssertionType",
    "UserIdentifierType", "AuthenticationResultStatus", "ErrorCode", "TokenCacheDelegate",
  ]

  /// Of ADAL 1.x alone.
  private static let oldTypes: Set<String> = [
    "ADTokenCacheStoreItem", "ADTokenCacheStoreKey", "ADTokenCacheStoring",
    "ADTokenCacheDataSource", "ADKeychainTokenCacheStore", "ADPersistentTokenCacheStore",
    "ADInstanceDiscovery", "ADAuthenticationBroker", "ADDispatcher", "ADAuthenticationCallback",
    "ADLoggerCallback", "ADAL_LOG_LEVEL",
  ]

  private static let newTypes = Set(stems.map { "ADAL" + $0 })

  /// Every type, in every spelling.
  static let types = oldTypes.union(stems.map { "AD" + $0 }).union(newTypes)

  static let results: Set<String> = ["AD_SUCCEEDED", "AD_FAILED", "AD_USER_CANCELLED"]
  static let prompts: Set<String> = [
    "AD_PROMPT_AUTO", "AD_PROMPT_ALWAYS", "AD_PROMPT_REFRESH_SESSION", "AD_FORCE_PROMPT",
  ]
  static let credentials: Set<String> = ["AD_CREDENTIALS_AUTO", "AD_CREDENTIALS_EMBEDDED"]
  static let assertions: Set<String> = ["AD_SAML1_1", "AD_SAML2"]
  static let logLevels: Set<String> = [
    "ADAL_LOG_LEVEL_NO_LOG", "ADAL_LOG_LEVEL_ERROR", "ADAL_LOG_LEVEL_WARN",
    "ADAL_LOG_LEVEL_INFO", "ADAL_LOG_LEVEL_VERBOSE", "ADAL_LOG_LAST",
  ]
  /// How strictly ADAL took a user identifier.
  static let userIdentifierTypes: Set<String> = [
    "UniqueId", "OptionalDisplayableId", "RequiredDisplayableId",
  ]
  static let domains: Set<String> = [
    "ADAuthenticationErrorDomain", "ADBrokerResponseErrorDomain", "ADHTTPErrorCodeDomain",
    "ADInvalidArgumentDomain", "ADKeychainErrorDomain", "ADOAuthServerErrorDomain",
    "ADUnauthorizedResponseErrorDomain",
  ]
  static let notifications: Set<String> = [
    "ADWebAuthDidStartLoadNotification", "ADWebAuthDidFinishLoadNotification",
    "ADWebAuthDidFailNotification", "ADWebAuthDidCompleteNotification",
    "ADWebAuthWillSwitchToBrokerApp", "ADWebAuthDidReceieveResponseFromBroker",
  ]

  /// The error codes of 1.x, 2.x and 6.x without `AD_ERROR_`.
  static let errorCodes = Set(
    """
    APPLICATION AUTHENTICATE_HEADER_BAD_FORMAT AUTHENTICATION AUTHORITY_VALIDATION
    BAD_CACHE_FORMAT BROKER_RESPONSE_HASH_MISMATCH BROKER_RESPONSE_NOT_RECEIVED BROKER_UNKNOWN
    CACHE_BAD_FORMAT CACHE_MULTIPLE_USERS CACHE_NO_REFRESH_TOKEN CACHE_PERSISTENCE
    CACHE_VERSION_MISMATCH CONNECTION_MISSING_RESPONSE DEVELOPER_AUTHORITY_VALIDATION
    DEVELOPER_INVALID_ARGUMENT INVALID_ARGUMENT INVALID_REDIRECT_URI INVALID_REFRESH_TOKEN
    MISSING_AUTHENTICATE_HEADER MISSING_RESOURCES MULTIPLE_TLS_CERTIFICATES MULTIPLE_USERS
    NON_HTTPS_REDIRECT NO_MAIN_VIEW_CONTROLLER SERVER_AUTHENTICATE_HEADER_BAD_FORMAT
    SERVER_AUTHORIZATION_CODE SERVER_INVALID_ID_TOKEN SERVER_INVALID_RESPONSE
    SERVER_MISSING_AUTHENTICATE_HEADER SERVER_NON_HTTPS_REDIRECT SERVER_OAUTH
    SERVER_PROTECTION_POLICY_REQUIRED SERVER_REFRESH_TOKEN_REJECTED
    SERVER_UNAUTHORIZED_CODE_EXPECTED SERVER_UNSUPPORTED_REQUEST SERVER_USER_INPUT_NEEDED
    SERVER_WPJ_REQUIRED SERVER_WRONG_USER SUCCEEDED TOKENBROKER_BAD_RESUME_STATE
    TOKENBROKER_DECRYPTION_FAILED TOKENBROKER_FAILED_TO_CREATE_KEY TOKENBROKER_HASH_MISSING
    TOKENBROKER_INVALID_REDIRECT_URI TOKENBROKER_MISMATCHED_RESUME_STATE
    TOKENBROKER_NOT_A_BROKER_RESPONSE TOKENBROKER_NOT_SUPPORTED_IN_EXTENSION
    TOKENBROKER_NO_RESUME_STATE TOKENBROKER_RESPONSE_HASH_MISMATCH
    TOKENBROKER_RESPONSE_NOT_RECEIVED TOKENBROKER_UNKNOWN UI_MULTLIPLE_INTERACTIVE_REQUESTS
    UI_NOT_ON_MAIN_THREAD UI_NOT_SUPPORTED_IN_APP_EXTENSION UI_NO_MAIN_VIEW_CONTROLLER
    UI_USER_CANCEL UNAUTHORIZED_CODE_EXPECTED UNEXPECTED USER_CANCEL USER_INPUT_NEEDED
    USER_PROMPTED WPJ_REQUIRED WRONG_USER
    """.split(whereSeparator: \.isWhitespace).map { "AD_ERROR_" + $0 })

  static let constants = results.union(prompts).union(credentials).union(assertions)
    .union(logLevels).union(domains).union(notifications).union(errorCodes)

  /// Names of the public headers that are no names of types.
  private static let otherHeaders: Set<String> = [
    "ADAL", "ADALiOS", "ADErrorCodes", "ADALErrorCodes",
  ]
  private static let internalHeaders: Set<String> = [
    "ADAL_Internal.h", "ADKeychainUtil.h", "ADWorkPlaceJoinUtil.h",
    "ADRegistrationInformation.h", "ADEnrollmentGateway.h",
  ]

  /// What is imported from ADAL.
  enum Header {
    case published, hidden, dependencyResolver
  }

  /// What the path of an import names, or nil where that is not ADAL's.
  static func header(_ path: String) -> Header? {
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init) else { return nil }
    let stem = name.hasSuffix(".h") ? String(name.dropLast(2)) : name
    if stem == "ADALDependencyResolver" { return .dependencyResolver }
    if internalHeaders.contains(name) { return .hidden }
    if stem.hasSuffix("+Internal"), types.contains(String(stem.dropLast(9))) { return .hidden }
    if types.contains(stem) || otherHeaders.contains(stem) { return .published }
    let folder = parts.count > 1 ? parts[0].lowercased() : ""
    return folder == "adal" || folder == "adalios" ? .published : nil
  }

  static let modules: Set<String> = ["ADAL", "ADALiOS"]

  /// The spelling of 1.x to 5.x: `ADTokenCacheItem` for `ADALTokenCacheItem`.
  static func canonical(_ name: String) -> String {
    newTypes.contains(name) ? "AD" + name.dropFirst(4) : name
  }

  /// Which version a type's name tells of, or nil.
  static func version(of name: String) -> String? {
    if newTypes.contains(name) { return "6" }
    if name == "ADTokenCacheStoreItem" || name == "ADTokenCacheStoring" { return "1" }
    return nil
  }

  /// Whether a name is a type, a constant or the like of ADAL's.
  static func contains(_ name: String) -> Bool {
    types.contains(name) || constants.contains(name)
  }

  /// What a target that has ADAL links.
  static let binaries: Set<String> = [
    "ADAL.framework", "libADAL.a", "ADALiOS.framework", "libADALiOS.a",
  ]

  static func isPod(_ name: String) -> Bool {
    let root = name.prefix { $0 != "/" }
    return root == "ADAL" || root == "ADALiOS"
  }

  /// Whether an address of a repository is that of ADAL or of a fork of it.
  static func isRepository(_ url: String) -> Bool {
    let name = url.lowercased()
    return name.contains("azure-activedirectory-library-for-objc")
      || name.contains("azure-activedirectory-library-for-ios")
  }
}

/// The few names of MSAL's that tell that it is there.
enum MSALNames {
  static let binaries: Set<String> = ["MSAL.framework", "MSAL.xcframework", "libMSAL.a"]

  static func isPod(_ name: String) -> Bool { name.prefix { $0 != "/" } == "MSAL" }

  static func isRepository(_ url: String) -> Bool {
    url.lowercased().contains("microsoft-authentication-library-for-objc")
  }
}
