// SPDX-License-Identifier: MIT

/// The names that ADAL published, with what takes their place (specification, tables 6.1 and 6.3): a closed list
/// and never a prefix, since apps and other libraries have names that begin alike.
enum ADALNames {
  /// What takes the place of types: those of ADAL 1.x alone, and what follows `AD`, and since ADAL 6 `ADAL`, in
  /// the names of others.
  private static let counterparts = [
    "`MSALPublicClientApplication`": "AuthenticationContext",
    "`NSError` (`MSALErrorDomain`)": "AuthenticationError",
    "nothing; parse the header yourself": "AuthenticationParameters",
    "`MSALResult` and `NSError`": "AuthenticationResult",
    "`MSALResult` or `NSError`": "AuthenticationResultStatus",
    "`MSALGlobalConfig`, `MSALPublicClientApplicationConfig`": "AuthenticationSettings",
    "`MSALCacheConfig`": """
    KeychainTokenCache TokenCache ADTokenCacheStoring ADTokenCacheDataSource
    ADKeychainTokenCacheStore ADPersistentTokenCacheStore
    """,
    "`MSALAccount` (who), `MSALResult` (token)": "TokenCacheItem ADTokenCacheStoreItem",
    "`MSALSerializedADALCacheProviderDelegate`": "TokenCacheDelegate",
    "`MSALAccount` or `loginHint`": "UserIdentifier UserIdentifierType",
    "`MSALAccount`, `MSALTenantProfile`": "UserInformation",
    "`MSALPromptType`": "PromptBehavior",
    "`MSALWebviewType`": "CredentialsType",
    "`MSALError`": "ErrorCode",
    "`MSALCompletionBlock`": "ADAuthenticationCallback",
    "nothing; MSAL has no counterpart": """
    TokenCacheKey WebAuthController Telemetry Logger AssertionType ADTokenCacheStoreKey
    ADInstanceDiscovery ADAuthenticationBroker ADDispatcher ADLoggerCallback ADAL_LOG_LEVEL
    """,
  ]

  /// What takes the place of every type, in every spelling.
  static let types = counterparts.reduce(into: [String: String]()) { types, counterpart in
    for name in counterpart.value.split(whereSeparator: \.isWhitespace) {
      let isOld = name.hasPrefix("AD")
      for start in isOld ? [""] : ["AD", "ADAL"] { types[start + name] = counterpart.key }
    }
  }

  private static let newTypes = Set(
    types.keys.filter { $0.hasPrefix("ADAL") && types["AD" + $0.dropFirst(4)] != nil })

  /// The rule for a name, and what takes its place.
  typealias Counterpart = (check: Check, severity: Severity?, becomes: String?)

  static func each(
    _ names: String, _ check: Check, severity: Severity? = nil, _ becomes: String? = nil
  ) -> [(String, Counterpart)] {
    names.split(whereSeparator: \.isWhitespace).map { (String($0), (check, severity, becomes)) }
  }

  /// Constants, but for error codes.
  private static let named: [[(String, Counterpart)]] = [
    each("AD_SUCCEEDED AD_FAILED", .result, "`MSALResult` or `NSError`"),
    each("AD_USER_CANCELLED", .result, "`MSALErrorUserCanceled`"),
    each("AD_PROMPT_AUTO", .prompt, "a silent call first"),
    each("AD_PROMPT_ALWAYS AD_FORCE_PROMPT", .prompt, "`promptType` `.login` or `.selectAccount`"),
    each(
      "AD_PROMPT_REFRESH_SESSION", .prompt, severity: .warning,
      "`promptType` `.promptIfNecessary`, which is not the same"),
    each("AD_CREDENTIALS_AUTO", .credentialsType, "nothing; the redirect URI decides"),
    each(
      "AD_CREDENTIALS_EMBEDDED", .credentialsType, severity: .warning, "`webviewType` `.wkWebView`"),
    each("AD_SAML1_1 AD_SAML2", .assertion),
    each(
      """
      ADAL_LOG_LEVEL_NO_LOG ADAL_LOG_LEVEL_ERROR ADAL_LOG_LEVEL_WARN ADAL_LOG_LEVEL_INFO
      ADAL_LOG_LEVEL_VERBOSE ADAL_LOG_LAST
      """, .logger, "`MSALGlobalConfig.loggerConfig.logLevel`"),
    each(
      """
      ADAuthenticationErrorDomain ADBrokerResponseErrorDomain ADHTTPErrorCodeDomain
      ADInvalidArgumentDomain ADKeychainErrorDomain ADOAuthServerErrorDomain
      ADUnauthorizedResponseErrorDomain
      """, .errorCode, "`MSALErrorDomain`"),
    each(
      """
      ADWebAuthDidStartLoadNotification ADWebAuthDidFinishLoadNotification
      ADWebAuthDidFailNotification ADWebAuthDidCompleteNotification
      ADWebAuthWillSwitchToBrokerApp ADWebAuthDidReceieveResponseFromBroker
      """, .webAuth, "`MSALWebAuth…Notification`"),
  ]

  /// What the error codes of 1.x, 2.x and 6.x become, without `AD_ERROR_`.
  private static let errors = [
    "`MSALErrorInteractionRequired` (-50002)": """
    SERVER_USER_INPUT_NEEDED USER_INPUT_NEEDED SERVER_REFRESH_TOKEN_REJECTED
    INVALID_REFRESH_TOKEN CACHE_NO_REFRESH_TOKEN
    """,
    "`MSALErrorUserCanceled` (-50005)": "UI_USER_CANCEL USER_CANCEL",
    "`MSALErrorWorkplaceJoinRequired` (-50001)": "SERVER_WPJ_REQUIRED WPJ_REQUIRED",
    "`MSALErrorServerProtectionPoliciesRequired` (-50004)": "SERVER_PROTECTION_POLICY_REQUIRED",
    "`MSALErrorServerError` (-50006)": "SERVER_OAUTH SERVER_INVALID_RESPONSE",
    "nothing; it cannot happen": "CACHE_MULTIPLE_USERS MULTIPLE_USERS",
    otherError: """
    APPLICATION AUTHENTICATE_HEADER_BAD_FORMAT AUTHENTICATION AUTHORITY_VALIDATION
    BAD_CACHE_FORMAT BROKER_RESPONSE_HASH_MISMATCH BROKER_RESPONSE_NOT_RECEIVED BROKER_UNKNOWN
    CACHE_BAD_FORMAT CACHE_PERSISTENCE CACHE_VERSION_MISMATCH CONNECTION_MISSING_RESPONSE
    DEVELOPER_AUTHORITY_VALIDATION DEVELOPER_INVALID_ARGUMENT INVALID_ARGUMENT
    INVALID_REDIRECT_URI MISSING_AUTHENTICATE_HEADER MISSING_RESOURCES MULTIPLE_TLS_CERTIFICATES
    NON_HTTPS_REDIRECT NO_MAIN_VIEW_CONTROLLER SERVER_AUTHENTICATE_HEADER_BAD_FORMAT
    SERVER_AUTHORIZATION_CODE SERVER_INVALID_ID_TOKEN SERVER_MISSING_AUTHENTICATE_HEADER
    SERVER_NON_HTTPS_REDIRECT SERVER_UNAUTHORIZED_CODE_EXPECTED SERVER_UNSUPPORTED_REQUEST
    SERVER_WRONG_USER SUCCEEDED TOKENBROKER_BAD_RESUME_STATE TOKENBROKER_DECRYPTION_FAILED
    TOKENBROKER_FAILED_TO_CREATE_KEY TOKENBROKER_HASH_MISSING TOKENBROKER_INVALID_REDIRECT_URI
    TOKENBROKER_MISMATCHED_RESUME_STATE TOKENBROKER_NOT_A_BROKER_RESPONSE
    TOKENBROKER_NOT_SUPPORTED_IN_EXTENSION TOKENBROKER_NO_RESUME_STATE
    TOKENBROKER_RESPONSE_HASH_MISMATCH TOKENBROKER_RESPONSE_NOT_RECEIVED TOKENBROKER_UNKNOWN
    UI_MULTLIPLE_INTERACTIVE_REQUESTS UI_NOT_ON_MAIN_THREAD UI_NOT_SUPPORTED_IN_APP_EXTENSION
    UI_NO_MAIN_VIEW_CONTROLLER UNAUTHORIZED_CODE_EXPECTED UNEXPECTED USER_PROMPTED WRONG_USER
    """,
  ]
  private static let otherError = "`MSALErrorInternal` (-50000) with `MSALInternalErrorCodeKey`"

  static let constants: [String: Counterpart] = {
    let codes = errors.flatMap { becomes, codes in each(codes, .errorCode, becomes) }
    return Dictionary(
      named.flatMap { $0 } + codes.map { ("AD_ERROR_" + $0, $1) }, uniquingKeysWith: { $1 })
  }()

  /// What takes the place of an error code as Swift names it: `ERROR_SERVER_OAUTH`.
  static func error(_ name: String) -> String {
    let code = name.hasPrefix("ERROR_") ? "AD_" + name : name
    return constants[code].flatMap { $0.check == .errorCode ? $0.becomes : nil } ?? otherError
  }

  /// Names of the public headers that are no names of types.
  private static let otherHeaders: Set<String> = [
    "ADAL", "ADALiOS", "ADErrorCodes", "ADALErrorCodes",
  ]
  private static let internalHeaders: Set<String> = [
    "ADAL_Internal.h", "ADKeychainUtil.h", "ADWorkPlaceJoinUtil.h",
    "ADRegistrationInformation.h", "ADEnrollmentGateway.h",
  ]

  /// The rule for an import with this path, or nil where that is not ADAL's.
  static func check(ofHeader path: String) -> Check? {
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init) else { return nil }
    let stem = name.hasSuffix(".h") ? String(name.dropLast(2)) : name
    if stem == "ADALDependencyResolver" { return .sdkWithADAL }
    let isPrivate = stem.hasSuffix("+Internal") && types[String(stem.dropLast(9))] != nil
    if isPrivate || internalHeaders.contains(name) { return .importInternal }
    let isInFolder = parts.count > 1 && ["adal", "adalios"].contains(parts[0].lowercased())
    return isInFolder || types[stem] != nil || otherHeaders.contains(stem) ? .importADAL : nil
  }

  static let modules: Set<String> = ["ADAL", "ADALiOS"]

  /// The spelling of 1.x to 5.x: `ADTokenCacheItem` for `ADALTokenCacheItem`.
  static func canonical(_ name: String) -> String {
    newTypes.contains(name) ? "AD" + name.dropFirst(4) : name
  }

  static func version(of name: String) -> String? {
    if newTypes.contains(name) { return "6" }
    return ["ADTokenCacheStoreItem", "ADTokenCacheStoring"].contains(name) ? "1" : nil
  }
}

/// A library as projects refer to it.
struct LibraryNames {
  let binaries: Set<String>
  let pods: Set<String>
  /// Names of its repositories and of forks of them, in lower case.
  let repositories: [String]

  static let adal = LibraryNames(
    binaries: ["ADAL.framework", "libADAL.a", "ADALiOS.framework", "libADALiOS.a"],
    pods: ["ADAL", "ADALiOS"],
    repositories: [
      "azure-activedirectory-library-for-objc", "azure-activedirectory-library-for-ios",
    ])
  static let msal = LibraryNames(
    binaries: ["MSAL.framework", "MSAL.xcframework", "libMSAL.a"], pods: ["MSAL"],
    repositories: ["microsoft-authentication-library-for-objc"])

  /// Whether a pod is the library or a part of it.
  func hasPod(_ name: String) -> Bool { pods.contains(String(name.prefix { $0 != "/" })) }

  func hasRepository(_ url: String) -> Bool {
    let url = url.lowercased()
    return repositories.contains(where: url.contains)
  }
}
