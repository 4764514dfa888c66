// SPDX-License-Identifier: MIT

// The pages on what each call becomes, continued.

extension Check {
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
    because: """
      MSAL has one call for both. In an app with scenes it belongs in the scene delegate.
      """)

  static let credentialsType = Check(
    "api.credentials-type", .note, "where ADAL shows its sign-in page",
    remedy: """
      AUTO: nothing, the redirect URI decides; EMBEDDED: `webviewType` `.wkWebView` and no \
      broker
      """,
    happened: """
      The code chooses between the broker and a web view in the app. The web view is a warning.
      """,
    because: """
      MSAL uses the system's browser session by default, which shares cookies with Safari. \
      `MSALGlobalConfig.brokerAvailability` turns the broker off.
      """)

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
    happened: """
      The code sets a timeout, a buffer, a presentation style or another property of ADAL.
      """,
    because: """
      MSAL has most of them in `MSALGlobalConfig`, in its configuration or in the parameters \
      of a request. The report names each.
      """)

  static let logger = Check(
    "api.logger", .note, "ADAL's log or telemetry",
    remedy: "use `MSALGlobalConfig.loggerConfig` and `telemetryConfig`",
    happened: "The code sets the level or the callback of ADAL's log, or takes its telemetry.",
    because: "MSAL masks personal data by `logMaskingLevel`.")

  static let result = Check(
    "api.result", .note, "the app compares the status of a result",
    remedy: """
      check for a result or an error; the code for a canceled sign-in is \
      `MSALErrorUserCanceled`
      """,
    happened: "The code checks the status of ADAL's result.",
    because: "MSAL's blocks have two parameters, `MSALResult` and `NSError`, and no status.")

  static let errorCode = Check(
    "api.error-code", .note, "an error code or domain of ADAL",
    remedy: "compare with `MSALErrorDomain` and `MSALError`",
    happened: "The code compares an error with ADAL's codes or domains, or reads its details.",
    because: """
      ADAL 1.x and 2.x use different numbers. MSAL has few codes and puts details into \
      `userInfo`.
      """)

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
