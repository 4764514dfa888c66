// SPDX-License-Identifier: MIT

// The pages on what each call becomes.

extension Check {
  static let type = Check(
    "api.type", .note, "a type of ADAL",
    remedy: "replace the type",
    happened: "Code names a class, an enumeration or a protocol of ADAL's.",
    because: """
      The name no longer exists without ADAL. The replacement depends on the type, and the \
      report names it.
      """)

  static let context = Check(
    "api.context", .note, "becomes one `MSALPublicClientApplication` for each client id",
    remedy: "create it with `MSALPublicClientApplicationConfig`, which takes the authority too",
    happened: "The app creates a context, in ADAL one for each authority.",
    because: """
      MSAL's application object belongs to a client id. Its configuration has the default \
      authority, and a request can name another.
      """,
    team: """
      Create the application once and keep it. Creating it fails if Info.plist lacks MSAL's \
      entries.
      """)

  static let acquireToken = Check(
    "api.acquire-token", .note, "becomes a silent call, then an interactive one",
    remedy: """
      call silently with the saved account; on `MSALErrorInteractionRequired` call \
      interactively, with `resource/.default` as scope
      """,
    happened: "The call looks into ADAL's cache first and asks the user only if it must.",
    because: "In MSAL these are two calls. The interactive one always shows a page.",
    team: """
      An app that makes only the interactive call asks every user to sign in again, as if the \
      migration had failed.
      """)

  static let acquireTokenSilent = Check(
    "api.acquire-token-silent", .note, "becomes a silent call with an account",
    remedy: "look up the account by its identifier and pass it in `MSALSilentTokenParameters`",
    happened: "A silent call with a user id.",
    because: """
      MSAL takes an account. Look it up by the identifier that the app saved, or once by the \
      user name. `forceRefresh` stays.
      """,
    team: "The migration's report maps each saved user id to the identifier.")

  static let silentWithoutAccount = Check(
    "api.silent-without-account", .warning, "silent call names no account",
    remedy: """
      look up the account by identifier and pass it, or take the current account in an app \
      with a single account
      """,
    happened: "A silent call without a user id. ADAL took the only user in the cache.",
    because: "MSAL's silent call needs an account.",
    team: """
      Save the identifier from the migration's report, or use \
      `getCurrentAccountWithParameters:completionBlock:`.
      """)

  static let prompt = Check(
    "api.prompt", .note, "a prompt behavior of ADAL",
    remedy: """
      AUTO: silent first; ALWAYS and FORCE: `promptType` `.login` or `.selectAccount`; \
      REFRESH_SESSION: `.promptIfNecessary`
      """,
    happened: "The code chooses when ADAL shows its sign-in page.",
    because: """
      MSAL's `promptType` applies to interactive calls only. REFRESH_SESSION has no exact \
      counterpart.
      """)

  static let requestExtras = Check(
    "api.request-extras", .note, "extra parameters of a request",
    remedy: """
      pass a dictionary: `login_hint` becomes `loginHint`, `domain_hint` stays, `prompt` \
      becomes `promptType`; claims become `claimsRequest`
      """,
    happened: "A call adds query parameters or claims to the request.",
    because: """
      ADAL took a string. MSAL takes a dictionary and has properties for the usual parameters. \
      A string with `prompt=`, `resource=` or `scope=` conflicts with MSAL's own parameters.
      """)

  static let userIdentifier = Check(
    "api.user-identifier", .note, "a user identifier of ADAL",
    remedy: """
      pass `account`, or `loginHint` for a new user; if it was required, compare \
      `result.account`
      """,
    happened: "The code names the user of a token request and says whether that user is required.",
    because: """
      MSAL's requests take an account or a hint. To require a user, compare the result's \
      account.
      """)

  static let userID = Check(
    "api.user-id", .note, "the app reads ADAL's user name",
    remedy: "save `account.identifier` in its place",
    happened: """
      The code reads the user id, object id or home account id of ADAL's user information. The \
      finding is a warning if the code saves it at once.
      """,
    because: """
      ADAL's user id is a user name. MSAL looks up accounts by identifier. The home account id \
      is the same identifier.
      """,
    team: "Replace the saved values after the migration: its report maps every `userID`.")

  static let userInformation = Check(
    "api.user-information", .note, "a claim of ADAL's user information",
    remedy: """
      take it from `account.username`, `account.accountClaims`, `tenantProfile` or \
      `result.idToken`
      """,
    happened: "The code reads a user's name, tenant or claims from ADAL.",
    because: """
      MSAL has them in the account, in the profile of each tenant, and in the ID token of a \
      result.
      """)

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
    team: """
      Usually the app checks the entries to see whether a user is signed in. With MSAL, check \
      for an account.
      """)

  static let cacheRemove = Check(
    "api.cache-remove", .warning, "the app clears ADAL's cache",
    remedy: """
      use `removeAccount:error:` or `signoutWithAccount:signoutParameters:completionBlock:`; \
      it must not run before the migration
      """,
    happened: "The code deletes entries of ADAL's cache, usually to sign a user out.",
    because: """
      It does not sign the user out of MSAL. Before the migration, it deletes the rows to \
      convert.
      """,
    team: "Check that no such line runs at start before the migration.")
}
