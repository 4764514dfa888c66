// SPDX-License-Identifier: MIT

// The pages on what each call becomes, continued.

extension CheckText {
  static let cacheWrite = CheckText(
    .error, "the app files its own entries among ADAL's",
    remedy: "move them to a place of their own; narrow the migration with `--client-id`",
    happened: "The code stores entries in ADAL's cache by itself.",
    because: "A migration would carry them as if ADAL had written them.",
    team: "Say with client ids which rows are sign-ins.")

  static let refreshToken = CheckText(
    .error, "the app handles refresh tokens",
    remedy: "use silent calls; MSAL gives out and takes no refresh tokens",
    happened: "The code redeems a refresh token by itself (error), or reads one (warning).",
    because: "MSAL keeps refresh tokens to itself and renews silently.",
    team: "Delete refresh tokens that the app has stored elsewhere.")

  static let assertion = CheckText(
    .error, "a SAML assertion is exchanged for a token",
    remedy: "use web sign-in, or let your service do the exchange",
    happened: "The code hands an assertion to ADAL.",
    because: "MSAL for iOS and macOS has no such request.")

  static let brokerResponse = CheckText(
    .note, "the broker's answer is handled by ADAL",
    remedy: "hand it to `MSALPublicClientApplication handleMSALResponse:sourceApplication:`",
    happened: "The code gives the broker's answer to ADAL, or asks whether it is one.",
    because: """
      MSAL has one call for both, and it belongs into the scene delegate where the app has \
      scenes.
      """)

  static let credentialsType = CheckText(
    .note, "where ADAL shows its sign-in page",
    remedy: """
      AUTO: nothing, the redirect URI decides; EMBEDDED: `webviewType` `.wkWebView` and no \
      broker
      """,
    happened: """
      The code chooses between the broker and a web view in the app. Embedded is a warning.
      """,
    because: """
      MSAL uses the system's browser session by default, which shares cookies with Safari. \
      `MSALGlobalConfig.brokerAvailability` turns the broker off.
      """)

  static let webView = CheckText(
    .warning, "ADAL gets a web view of the app's",
    remedy: "pass a `WKWebView` as `webviewParameters.customWebview`",
    happened: "The code sets or reads the web view of a context.",
    because: "MSAL takes `WKWebView` only; ADAL took `UIWebView` on iOS.")

  static let webAuth = CheckText(
    .note, "ADAL's web authentication is watched or cancelled",
    remedy: "use `cancelCurrentWebAuthSession` and the `MSALWebAuth…Notification` names",
    happened: "The code cancels ADAL's sign-in page or listens to its notifications.",
    because: "MSAL has the same under names of its own.")

  static let parentController = CheckText(
    .note, "the controller that presents ADAL's page",
    remedy: "pass it to `MSALWebviewParameters initWithAuthPresentationViewController:`",
    happened: "The code sets the parent controller of a context.",
    because: "MSAL needs one for every interactive call, and it must be in a window.")

  static let settings = CheckText(
    .note, "a setting of ADAL's",
    remedy: "set its counterpart",
    happened: """
      The code sets a timeout, a buffer, a presentation style or another property of ADAL's.
      """,
    because: """
      MSAL has most of them in `MSALGlobalConfig`, in its configuration or in the parameters \
      of a request; the report says which.
      """)

  static let logger = CheckText(
    .note, "ADAL's log or telemetry",
    remedy: "use `MSALGlobalConfig.loggerConfig` and `telemetryConfig`",
    happened: "The code sets the level or the callback of ADAL's log, or takes its telemetry.",
    because: "MSAL masks personal data by `logMaskingLevel`.")

  static let result = CheckText(
    .note, "the status of a result is compared",
    remedy: "the block gets a result or an error; cancelled is `MSALErrorUserCanceled`",
    happened: "The code asks ADAL's result whether it succeeded.",
    because: "MSAL's blocks have two parameters, `MSALResult` and `NSError`, and no status.")

  static let errorCode = CheckText(
    .note, "an error code or domain of ADAL's",
    remedy: "compare with `MSALErrorDomain` and `MSALError`",
    happened: "The code compares an error with ADAL's codes or domains, or reads its details.",
    because: """
      ADAL 1.x and 2.x use different numbers; MSAL has few codes and keeps details in \
      `userInfo`.
      """)

  static let challenge = CheckText(
    .warning, "a WWW-Authenticate header is parsed by ADAL",
    remedy: "parse the header yourself and pass claims as `claimsRequest`",
    happened: "The code takes authority and resource from a service's answer.",
    because: "MSAL has no counterpart.")

  static let b2cFork = CheckText(
    .error, "the preview of ADAL with B2C policies is used",
    remedy: "use `MSALB2CAuthority`; tokens of the preview are not carried",
    happened: "The code uses a preview of ADAL that had scopes, policies and profiles.",
    because: "It was never released, and what it stored is not known to any library.",
    team: "People sign in once.")
}
