// SPDX-License-Identifier: MIT

// The pages on what each import, call and token store becomes.

extension Check {
  static let importADAL = Check(
    "import.adal", .note, "ADAL is imported",
    remedy: "write `import MSAL`, or `#import <MSAL/MSAL.h>`",
    happened: "A source file, a bridging header or a precompiled header imports ADAL or one of "
      + "its headers.",
    because: "MSAL has one header and one module for everything.")

  static let importInternal = Check(
    "import.adal-internal", .warning, "a private header of ADAL is imported",
    remedy: "find out its purpose; MSAL has no counterpart",
    happened: "A source file imports a header that ADAL does not publish.",
    because: "It is not part of ADAL's public interface and does not exist in MSAL.",
    team:
      "Note why the app needs it. To learn the accounts in a cache, use the migration's report.")

  static let customStore = Check(
    "store.custom", .error, "the app stores tokens in its own store",
    remedy: "export the store as items or as an archive and migrate from there",
    happened:
      "A class adopts ADAL's protocol for token stores, or a context is created with a store.",
    because:
      "The migration does not read such a store by itself, and MSAL on iOS has no counterpart.",
    team: "The library migrates from any list of items: pass it the store's items.")

  static let macArchive = Check(
    "store.mac-archive", .warning, "the app keeps ADAL's archive itself",
    remedy:
      "migrate with `.blob(…)`; set `cacheConfig.serializedADALCache` while other apps use ADAL",
    happened: "On macOS the app stores ADAL's cache through a delegate, as one archive.",
    because: "MSAL on macOS stores its cache in the keychain. It can also read and write such an "
      + "archive through `MSALSerializedADALCacheProvider`.",
    team: "Migrate from the bytes that the delegate stores. Then pass the archive to MSAL if "
      + "other apps with ADAL share it.")

  static let type = Check(
    "api.type", .note, "a type of ADAL",
    remedy: "replace the type",
    happened: "Code names a class, an enumeration or a protocol of ADAL's.",
    because: "The name no longer exists without ADAL. The replacement depends on the type, and "
      + "the report names it.")

  static let context = Check(
    "api.context", .note, "becomes one `MSALPublicClientApplication` for each client id",
    remedy: "create it with `MSALPublicClientApplicationConfig`, which takes the authority too",
    happened: "The app creates a context, in ADAL one for each authority.",
    because: "MSAL's application object belongs to a client id. Its configuration has the default "
      + "authority, and a request can name another.",
    team: "Create the application once and keep it. Creating it fails if Info.plist lacks MSAL's "
      + "entries.")

  static let acquireToken = Check(
    "api.acquire-token", .note, "becomes a silent call, then an interactive one",
    remedy: "call silently with the saved account; on `MSALErrorInteractionRequired` call "
      + "interactively, with `resource/.default` as scope",
    happened: "The call looks into ADAL's cache first and asks the user only if it must.",
    because: "In MSAL these are two calls. The interactive one always shows a page.",
    team: "An app that makes only the interactive call asks every user to sign in again, as if "
      + "the migration had failed.")

  static let acquireTokenSilent = Check(
    "api.acquire-token-silent", .note, "becomes a silent call with an account",
    remedy: "look up the account by its identifier and pass it in `MSALSilentTokenParameters`",
    happened: "A silent call with a user id.",
    because: "MSAL takes an account. Look it up by the identifier that the app saved, or once by "
      + "the user name. `forceRefresh` stays.",
    team: "The migration's report maps each saved user id to the identifier.")

  static let silentWithoutAccount = Check(
    "api.silent-without-account", .warning, "silent call names no account",
    remedy: "look up the account by identifier and pass it, or take the current account in an app "
      + "with a single account",
    happened: "A silent call without a user id. ADAL took the only user in the cache.",
    because: "MSAL's silent call needs an account.",
    team: "Save the identifier from the migration's report, or use "
      + "`getCurrentAccountWithParameters:completionBlock:`.")

  static let prompt = Check(
    "api.prompt", .note, "a prompt behavior of ADAL",
    remedy: "AUTO: silent first; ALWAYS and FORCE: `promptType` `.login` or `.selectAccount`; "
      + "REFRESH_SESSION: `.promptIfNecessary`",
    happened: "The code chooses when ADAL shows its sign-in page.",
    because: "MSAL's `promptType` applies to interactive calls only. REFRESH_SESSION has no exact "
      + "counterpart.")

  static let requestExtras = Check(
    "api.request-extras", .note, "extra parameters of a request",
    remedy: "pass a dictionary: `login_hint` becomes `loginHint`, `domain_hint` stays, `prompt` "
      + "becomes `promptType`; claims become `claimsRequest`",
    happened: "A call adds query parameters or claims to the request.",
    because: "ADAL took a string. MSAL takes a dictionary and has properties for the usual "
      + "parameters. A string with `prompt=`, `resource=` or `scope=` conflicts with MSAL's own "
      + "parameters.")

  static let userIdentifier = Check(
    "api.user-identifier", .note, "a user identifier of ADAL",
    remedy:
      "pass `account`, or `loginHint` for a new user; if it was required, compare `result.account`",
    happened: "The code names the user of a token request and says whether that user is required.",
    because:
      "MSAL's requests take an account or a hint. To require a user, compare the result's account.")

  static let userID = Check(
    "api.user-id", .note, "the app reads ADAL's user name",
    remedy: "save `account.identifier` in its place",
    happened: "The code reads the user id, object id or home account id of ADAL's user "
      + "information. The finding is a warning if the code saves it at once.",
    because: "ADAL's user id is a user name. MSAL looks up accounts by identifier. The home "
      + "account id is the same identifier.",
    team: "Replace the saved values after the migration: its report maps every `userID`.")

  static let userInformation = Check(
    "api.user-information", .note, "a claim of ADAL's user information",
    remedy: "take it from `account.username`, `account.accountClaims`, `tenantProfile` or "
      + "`result.idToken`",
    happened: "The code reads a user's name, tenant or claims from ADAL.",
    because: "MSAL has them in the account, in the profile of each tenant, and in the ID token of "
      + "a result.")

  static let cache = Check(
    "api.cache", .note, "the app opens ADAL's cache",
    remedy: "nothing to open; accounts come from `allAccounts:`",
    happened: "The code opens ADAL's cache.",
    because: "MSAL manages its cache itself. The app can configure it and list accounts.")

  static let cacheRead = Check(
    "api.cache-read", .warning, "the app reads tokens from ADAL's cache",
    remedy: "list accounts with `allAccounts:`; get tokens with silent calls only",
    happened: "The code reads entries of ADAL's cache.",
    because: "MSAL returns accounts, never entries.",
    team: "Usually the app checks the entries to see whether a user is signed in. With MSAL, "
      + "check for an account.")

  static let cacheRemove = Check(
    "api.cache-remove", .warning, "the app clears ADAL's cache",
    remedy: "use `removeAccount:error:` or "
      + "`signoutWithAccount:signoutParameters:completionBlock:`; it must not run before the "
      + "migration",
    happened: "The code deletes entries of ADAL's cache, usually to sign a user out.",
    because: "It does not sign the user out of MSAL. Before the migration, it deletes the rows to "
      + "convert.",
    team: "Check that no such line runs at start before the migration.")

  static let cacheWrite = Check(
    "api.cache-write", .error, "the app stores its own entries in ADAL's cache",
    remedy: "move them to a separate place; limit the migration with `--client-id`",
    happened: "The code adds entries to ADAL's cache.",
    because: "A migration would convert them as if ADAL had written them.",
    team: "Name the clients with real sign-ins.")

  static let refreshToken = Check(
    "api.refresh-token", .error, "the app handles refresh tokens",
    remedy: "use silent calls; MSAL neither returns nor accepts refresh tokens",
    happened: "The code redeems a refresh token by itself (error), or reads one (warning).",
    because: "MSAL does not expose refresh tokens and renews them silently.",
    team: "Delete refresh tokens that the app has stored elsewhere.")

  static let assertion = Check(
    "api.assertion", .error, "a SAML assertion is exchanged for a token",
    remedy: "use web sign-in, or exchange it in your service",
    happened: "The code passes an assertion to ADAL.",
    because: "MSAL for iOS and macOS has no such request.")

  static let brokerResponse = Check(
    "api.broker-response", .note, "the broker's answer is handled by ADAL",
    remedy: "pass it to `MSALPublicClientApplication handleMSALResponse:sourceApplication:`",
    happened: "The code passes the broker's answer to ADAL, or checks whether a URL is one.",
    because: "MSAL has one call for both. In an app with scenes it belongs in the scene delegate.")

  static let credentialsType = Check(
    "api.credentials-type", .note, "where ADAL shows its sign-in page",
    remedy:
      "AUTO: nothing, the redirect URI decides; EMBEDDED: `webviewType` `.wkWebView` and no broker",
    happened:
      "The code chooses between the broker and a web view in the app. The web view is a warning.",
    because: "MSAL uses the system's browser session by default, which shares cookies with "
      + "Safari. `MSALGlobalConfig.brokerAvailability` turns the broker off.")

  static let webView = Check(
    "api.web-view", .warning, "ADAL uses the app's own web view",
    remedy: "pass a `WKWebView` as `webviewParameters.customWebview`",
    happened: "The code sets or reads the web view of a context.",
    because: "MSAL takes `WKWebView` only; ADAL took `UIWebView` on iOS.")

  static let webAuth = Check(
    "api.web-auth", .note, "the app observes or cancels ADAL's web authentication",
    remedy: "use `cancelCurrentWebAuthSession` and the `MSALWebAuth…Notification` names",
    happened: "The code cancels ADAL's sign-in page or listens to its notifications.",
    because: "MSAL has the same under other names.")

  static let parentController = Check(
    "api.parent-controller", .note, "the controller that presents ADAL's page",
    remedy: "pass it to `MSALWebviewParameters initWithAuthPresentationViewController:`",
    happened: "The code sets the parent controller of a context.",
    because: "MSAL needs one for every interactive call, and it must be in a window.")

  static let settings = Check(
    "api.settings", .note, "a setting of ADAL",
    remedy: "set its counterpart",
    happened:
      "The code sets a timeout, a buffer, a presentation style or another property of ADAL.",
    because: "MSAL has most of them in `MSALGlobalConfig`, in its configuration or in the "
      + "parameters of a request. The report names each.")

  static let logger = Check(
    "api.logger", .note, "ADAL's log or telemetry",
    remedy: "use `MSALGlobalConfig.loggerConfig` and `telemetryConfig`",
    happened: "The code sets the level or the callback of ADAL's log, or takes its telemetry.",
    because: "MSAL masks personal data by `logMaskingLevel`.")

  static let result = Check(
    "api.result", .note, "the app compares the status of a result",
    remedy:
      "check for a result or an error; the code for a canceled sign-in is `MSALErrorUserCanceled`",
    happened: "The code checks the status of ADAL's result.",
    because: "MSAL's blocks have two parameters, `MSALResult` and `NSError`, and no status.")

  static let errorCode = Check(
    "api.error-code", .note, "an error code or domain of ADAL",
    remedy: "compare with `MSALErrorDomain` and `MSALError`",
    happened: "The code compares an error with ADAL's codes or domains, or reads its details.",
    because: "ADAL 1.x and 2.x use different numbers. MSAL has few codes and puts details into "
      + "`userInfo`.")

  static let challenge = Check(
    "api.challenge", .warning, "a WWW-Authenticate header is parsed by ADAL",
    remedy: "parse the header yourself and pass claims as `claimsRequest`",
    happened: "The code takes authority and resource from a service's answer.",
    because: "MSAL has no counterpart.")

  static let b2cFork = Check(
    "api.b2c-fork", .error, "the preview of ADAL with B2C policies is used",
    remedy: "use `MSALB2CAuthority`; tokens of the preview are not carried",
    happened: "The code uses a preview of ADAL that had scopes, policies and profiles.",
    because: "It was never released, and no library reads its cache.",
    team: "Users sign in once.")
}
