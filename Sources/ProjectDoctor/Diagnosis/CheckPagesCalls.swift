// SPDX-License-Identifier: MIT

// The pages on what each call becomes.

extension CheckText {
  static let type = CheckText(
    .note, "a type of ADAL's",
    remedy: "replace the type",
    happened: "Code names a class, an enumeration or a protocol of ADAL's.",
    because: """
      The name is unknown once ADAL is gone. What takes its place depends on the type; the \
      report says it for each.
      """)

  static let context = CheckText(
    .note, "becomes one `MSALPublicClientApplication` for each client id",
    remedy: "create it with `MSALPublicClientApplicationConfig`, which takes the authority too",
    happened: "The app creates a context: in ADAL one for each authority.",
    because: """
      MSAL's application object belongs to a client id. The authority is a default of its \
      configuration and can be given per request.
      """,
    team: """
      Create the application once and keep it; creating it fails when Info.plist lacks what \
      MSAL needs.
      """)

  static let acquireToken = CheckText(
    .note, "becomes a silent call, then an interactive one",
    remedy: """
      call silently with the saved account; on `MSALErrorInteractionRequired` call \
      interactively, with `resource/.default` as scope
      """,
    happened: "The call looks into ADAL's cache first and asks the person only when it must.",
    because: "In MSAL these are two calls. The interactive one always shows something.",
    team: """
      An app that makes the interactive call alone asks everybody again, and the migration \
      seems to have failed.
      """)

  static let acquireTokenSilent = CheckText(
    .note, "becomes a silent call with an account",
    remedy: "look the account up by its identifier and pass it in `MSALSilentTokenParameters`",
    happened: "A silent call with a user id.",
    because: """
      MSAL takes an account, found by the identifier that the app has saved, or once by the \
      user name. `forceRefresh` stays.
      """,
    team: "The migration's report maps each saved user id to the identifier.")

  static let silentWithoutAccount = CheckText(
    .warning, "silent call names no account",
    remedy: """
      look the account up by identifier first and pass it, or take the current account in apps \
      with one account
      """,
    happened: "A silent call without a user id. ADAL took the only user in the cache.",
    because: "MSAL's silent call needs an account.",
    team: """
      Save the identifier from the migration's report, or use \
      `getCurrentAccountWithParameters:completionBlock:`.
      """)

  static let prompt = CheckText(
    .note, "a prompt behaviour of ADAL's",
    remedy: """
      AUTO: silent first; ALWAYS and FORCE: `promptType` `.login` or `.selectAccount`; \
      REFRESH_SESSION: `.promptIfNecessary`
      """,
    happened: "The code chooses when ADAL shows its sign-in page.",
    because: """
      MSAL's `promptType` concerns interactive calls only. REFRESH_SESSION has no exact \
      counterpart.
      """)

  static let requestExtras = CheckText(
    .note, "extra parameters of a request",
    remedy: """
      pass a dictionary: `login_hint` becomes `loginHint`, `domain_hint` stays, `prompt` \
      becomes `promptType`; claims become `claimsRequest`
      """,
    happened: "A call adds query parameters or claims to the request.",
    because: """
      ADAL took a string, MSAL takes a dictionary and has properties of its own for the usual \
      ones. A string with `prompt=`, `resource=` or `scope=` contradicts what MSAL sends \
      itself.
      """)

  static let userIdentifier = CheckText(
    .note, "a user identifier of ADAL's",
    remedy: """
      pass `account`, or `loginHint` for somebody new; where it was required compare \
      `result.account`
      """,
    happened: "The code says for whom a token is asked, and how strictly.",
    because: """
      MSAL's requests take an account or a hint. A required identifier is checked by comparing \
      the result's account.
      """)

  static let userID = CheckText(
    .note, "a user name of ADAL's is read",
    remedy: "save `account.identifier` in its place",
    happened: """
      The code reads the user id, object id or home account id of ADAL's user information. \
      Where it is saved at once, the finding is a warning.
      """,
    because: """
      ADAL's user id is a name that people type, MSAL looks accounts up by identifier. The \
      home account id is the same identifier.
      """,
    team: "Replace what was saved when the migration has run: its report maps every `userID`.")

  static let userInformation = CheckText(
    .note, "a claim of ADAL's user information",
    remedy: """
      take it from `account.username`, `account.accountClaims`, `tenantProfile` or \
      `result.idToken`
      """,
    happened: "The code reads names, tenant or claims of a person from ADAL.",
    because: """
      MSAL has them in the account, for each tenant in its profile, and in the ID token of a \
      result.
      """)

  static let cache = CheckText(
    .note, "the app opens ADAL's cache",
    remedy: "nothing to open; accounts come from `allAccounts:`",
    happened: "The code gets hold of ADAL's cache.",
    because: "MSAL's cache is its own affair; it can be configured, and lists accounts.")

  static let cacheRead = CheckText(
    .warning, "the app reads tokens from ADAL's cache",
    remedy: "list people with `allAccounts:`; tokens come from silent calls only",
    happened: "The code reads entries of ADAL's cache.",
    because: "MSAL gives out accounts, never entries.",
    team: """
      What the app looked for in the entries is usually whether somebody is signed in: then an \
      account is there.
      """)

  static let cacheRemove = CheckText(
    .warning, "the app clears ADAL's cache",
    remedy: """
      use `removeAccount:error:` or `signoutWithAccount:signoutParameters:completionBlock:`; \
      it must not run before the migration
      """,
    happened: "The code deletes entries of ADAL's cache, as a rule to sign somebody out.",
    because: """
      It does not sign anybody out of MSAL. Run before the migration, it deletes what is to be \
      moved.
      """,
    team: "See that no such line runs at start before the migration has.")
}
