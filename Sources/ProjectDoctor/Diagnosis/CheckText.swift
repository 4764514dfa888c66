// SPDX-License-Identifier: MIT

/// What is to be said about a rule, written once: reports, `adal2msal explain` and Documentation/rules.md take
/// it from here. Backquotes mark code, as in Markdown.
struct CheckText: Sendable {
  /// The severity of the rule where a place does not have its own.
  var severity: Severity
  /// What is the case, in a few words without a full stop.
  var summary: String
  /// What to do, in one line without a full stop.
  var remedy: String
  /// What was found, in full.
  var happened: String
  /// Why MSAL or the service is like that.
  var because: String
  /// What the team that ships the app can do beyond the remedy.
  var team: String?

  init(
    _ severity: Severity, _ summary: String, remedy: String, happened: String, because: String,
    team: String? = nil
  ) {
    self.severity = severity
    self.summary = summary
    self.remedy = remedy
    self.happened = happened
    self.because = because
    self.team = team
  }
}

extension Check {
  /// The one table: every rule has its text.
  var text: CheckText {
    switch self {
    case .adalDeclared: .adalDeclared
    case .adalVersion: .adalVersion
    case .adalVendored: .adalVendored
    case .adalLinked: .adalLinked
    case .adalPlugin: .adalPlugin
    case .adalTransitive: .adalTransitive
    case .adalBesideMSAL: .adalBesideMSAL
    case .adalFork: .adalFork
    case .sdkWithADAL: .sdkWithADAL
    case .intuneSDK: .intuneSDK
    case .importADAL: .importADAL
    case .importInternal: .importInternal
    case .type: .type
    case .context: .context
    case .acquireToken: .acquireToken
    case .acquireTokenSilent: .acquireTokenSilent
    case .silentWithoutAccount: .silentWithoutAccount
    case .prompt: .prompt
    case .requestExtras: .requestExtras
    case .userIdentifier: .userIdentifier
    case .userID: .userID
    case .userInformation: .userInformation
    case .cache: .cache
    case .cacheRead: .cacheRead
    case .cacheRemove: .cacheRemove
    case .cacheWrite: .cacheWrite
    case .refreshToken: .refreshToken
    case .assertion: .assertion
    case .brokerResponse: .brokerResponse
    case .credentialsType: .credentialsType
    case .webView: .webView
    case .webAuth: .webAuth
    case .parentController: .parentController
    case .settings: .settings
    case .logger: .logger
    case .result: .result
    case .errorCode: .errorCode
    case .challenge: .challenge
    case .b2cFork: .b2cFork
    case .customStore: .customStore
    case .macArchive: .macArchive
    case .groupCustom: .groupCustom
    case .groupPrivate: .groupPrivate
    case .groupNotEntitled: .groupNotEntitled
    case .groupMissing: .groupMissing
    case .universalStorageMissing: .universalStorageMissing
    case .querySchemesMissing: .querySchemesMissing
    case .urlSchemeMissing: .urlSchemeMissing
    case .urlSchemeReserved: .urlSchemeReserved
    case .redirectUnusable: .redirectUnusable
    case .redirectBundleMismatch: .redirectBundleMismatch
    case .redirectADALForm: .redirectADALForm
    case .authorityClosedCloud: .authorityClosedCloud
    case .authorityADFS: .authorityADFS
    case .authorityB2C: .authorityB2C
    case .authorityDomain: .authorityDomain
    case .authorityValidationOff: .authorityValidationOff
    case .authorityUnknownHost: .authorityUnknownHost
    case .resourceAADGraph: .resourceAADGraph
    case .resourceDiscovery: .resourceDiscovery
    case .resourceTrailingSlash: .resourceTrailingSlash
    case .clientChanged: .clientChanged
    case .deployTarget: .deployTarget
    case .openURLMissing: .openURLMissing
    case .appExtension: .appExtension
    case .tokenSaved: .tokenSaved
    case .cookieSignOut: .cookieSignOut
    case .clientUnseen: .clientUnseen
    case .clientUnlisted: .clientUnlisted
    case .groupDiffers: .groupDiffers
    case .resourceUnlisted: .resourceUnlisted
    }
  }
}
