// SPDX-License-Identifier: MIT
import MigrationReports

/// A rule of the doctor. The raw value is its ID in reports, suppressions and baselines. CheckPages.md has its text:
/// reports, `adal2msal explain` and Documentation/rules.md take it from there.
package enum Check: String, Sendable, CaseIterable, Comparable {
  // Rules about the ways to get ADAL.
  case adalDeclared = "deps.adal-declared"
  case adalVersion = "deps.adal-version"
  case adalVendored = "deps.adal-vendored"
  case adalLinked = "deps.adal-linked"
  case adalPlugin = "deps.adal-plugin"
  case adalTransitive = "deps.adal-transitive"
  case adalBesideMSAL = "deps.adal-beside-msal"
  case adalFork = "deps.adal-fork"
  case sdkWithADAL = "deps.sdk-with-adal"
  case intuneSDK = "deps.intune-sdk"
  // The replacements of uses.
  case importADAL = "import.adal"
  case importInternal = "import.adal-internal"
  case type = "api.type"
  case context = "api.context"
  case acquireToken = "api.acquire-token"
  case acquireTokenSilent = "api.acquire-token-silent"
  case silentWithoutAccount = "api.silent-without-account"
  case prompt = "api.prompt"
  case requestExtras = "api.request-extras"
  case userIdentifier = "api.user-identifier"
  case userID = "api.user-id"
  case userInformation = "api.user-information"
  case cache = "api.cache"
  case cacheRead = "api.cache-read"
  case cacheRemove = "api.cache-remove"
  case cacheWrite = "api.cache-write"
  case refreshToken = "api.refresh-token"
  case assertion = "api.assertion"
  case brokerResponse = "api.broker-response"
  case credentialsType = "api.credentials-type"
  case webView = "api.web-view"
  case webAuth = "api.web-auth"
  case parentController = "api.parent-controller"
  case settings = "api.settings"
  case logger = "api.logger"
  case result = "api.result"
  case errorCode = "api.error-code"
  case challenge = "api.challenge"
  case b2cFork = "api.b2c-fork"
  case customStore = "store.custom"
  case macArchive = "store.mac-archive"
  // State that MSAL needs.
  case groupCustom = "keychain.group-custom"
  case groupPrivate = "keychain.group-private"
  case groupNotEntitled = "keychain.group-not-entitled"
  case groupMissing = "keychain.group-missing"
  case universalStorageMissing = "keychain.universal-storage-missing"
  case querySchemesMissing = "plist.query-schemes-missing"
  case urlSchemeMissing = "plist.url-scheme-missing"
  case urlSchemeReserved = "plist.url-scheme-reserved"
  case redirectUnusable = "redirect.unusable"
  case redirectBundleMismatch = "redirect.bundle-mismatch"
  case redirectADALForm = "redirect.adal-form"
  case authorityClosedCloud = "authority.closed-cloud"
  case authorityADFS = "authority.adfs"
  case authorityB2C = "authority.b2c"
  case authorityDomain = "authority.domain"
  case authorityValidationOff = "authority.validation-off"
  case authorityUnknownHost = "authority.unknown-host"
  case resourceAADGraph = "resource.aad-graph"
  case resourceDiscovery = "resource.discovery"
  case resourceTrailingSlash = "resource.trailing-slash"
  case clientChanged = "client.changed"
  case deployTarget = "deploy.target"
  case openURLMissing = "app.open-url-missing"
  case appExtension = "app.extension"
  case tokenSaved = "app.token-saved"
  case cookieSignOut = "app.cookie-sign-out"
  // With a cache.
  case clientUnseen = "evidence.client-unseen"
  case clientUnlisted = "evidence.client-unlisted"
  case groupDiffers = "evidence.group-differs"
  case resourceUnlisted = "evidence.resource-unlisted"

  /// The rule's severity where a place does not have its own.
  package var severity: Severity {
    switch self {
    case .adalBesideMSAL, .cacheWrite, .refreshToken, .assertion, .b2cFork, .customStore,
      .groupNotEntitled, .querySchemesMissing, .urlSchemeMissing, .urlSchemeReserved,
      .redirectUnusable, .redirectBundleMismatch, .authorityClosedCloud, .authorityADFS,
      .authorityB2C, .resourceAADGraph, .resourceDiscovery, .clientChanged, .deployTarget,
      .groupDiffers:
      .error
    case .adalVendored, .adalPlugin, .adalTransitive, .adalFork, .sdkWithADAL, .intuneSDK,
      .importInternal, .silentWithoutAccount, .cacheRead, .cacheRemove, .webView, .challenge,
      .macArchive, .groupCustom, .groupPrivate, .groupMissing, .universalStorageMissing,
      .authorityDomain, .authorityValidationOff, .authorityUnknownHost, .openURLMissing,
      .appExtension, .tokenSaved, .cookieSignOut, .clientUnseen, .clientUnlisted:
      .warning
    default: .note
    }
  }

  package static func < (left: Check, right: Check) -> Bool { left.code < right.code }
}

extension Check: PageSubject {
  static let pages = WrittenPages(PackageResources.CheckPages_md)

  package var written: WrittenPage { Self.pages[code] }
  package var code: String { rawValue }
  package var headline: String { "\(code): \(summary) (\(severity.rawValue))" }
  package var summary: String { written.summary }
  package var remedy: String { written.remedy }
  package var anchor: String { code.split(separator: ".").joined(separator: "-") }
  package var address: PageAddress { PageAddress(ruleAnchor: anchor) }
}

extension Check {
  /// The first part of the code: `deploy`.
  package var family: String { String(code.prefix { $0 != "." }) }

  /// The rules with this code or family.
  package static func named(_ name: String) -> [Check] {
    allCases.filter { $0.code == name || $0.family == name }
  }

  /// The rules by topic, in reading order.
  package static var topics: [(title: String, checks: [Check])] {
    [
      ("How ADAL gets into the app", ["deps"]),
      ("What each use of ADAL becomes", ["import", "api", "store"]),
      ("What MSAL needs in the project", ["keychain", "plist", "redirect", "deploy", "app"]),
      ("Authorities, resources and clients in the code", ["authority", "resource", "client"]),
      ("The project beside a cache", ["evidence"]),
    ].map { title, families in
      (title, families.flatMap { family in allCases.filter { $0.family == family } })
    }
  }
}
