// SPDX-License-Identifier: MIT

/// A rule of the doctor with what is to be said about it, written once: reports, `adal2msal explain` and
/// Documentation/rules.md take it from here. Backquotes mark code, as in Markdown.
package struct Check: Sendable {
  /// The rule's id in reports, suppressions and baselines: `deploy.target`.
  package let id: String
  /// The rule's severity where a place does not have its own.
  package let severity: Severity
  /// What is the case, in a few words without a full stop.
  package let summary: String
  /// What to do, in one line without a full stop.
  package let remedy: String
  /// What was found, in full.
  let happened: String
  /// Why MSAL or the service is like that.
  let because: String
  /// What the team that ships the app can do beyond the remedy.
  let team: String?

  init(
    _ id: String, _ severity: Severity, _ summary: String, remedy: String, happened: String,
    because: String, team: String? = nil
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.remedy = remedy
    self.happened = happened
    self.because = because
    self.team = team
  }

  /// The rule with this id, or nil.
  package init?(id: String) {
    guard let check = Self.allCases.first(where: { $0.id == id }) else { return nil }
    self = check
  }
}

extension Check: CaseIterable {
  package static let allCases: [Check] = [
    // How ADAL gets in.
    .adalDeclared, .adalVersion, .adalVendored, .adalLinked, .adalPlugin, .adalTransitive,
    .adalBesideMSAL, .adalFork, .sdkWithADAL, .intuneSDK,
    // What each use becomes.
    .importADAL, .importInternal, .type, .context, .acquireToken, .acquireTokenSilent,
    .silentWithoutAccount, .prompt, .requestExtras, .userIdentifier, .userID, .userInformation,
    .cache, .cacheRead, .cacheRemove, .cacheWrite, .refreshToken, .assertion, .brokerResponse,
    .credentialsType, .webView, .webAuth, .parentController, .settings, .logger, .result,
    .errorCode, .challenge, .b2cFork, .customStore, .macArchive,
    // State that MSAL needs.
    .groupCustom, .groupPrivate, .groupNotEntitled, .groupMissing, .universalStorageMissing,
    .querySchemesMissing, .urlSchemeMissing, .urlSchemeReserved, .redirectUnusable,
    .redirectBundleMismatch, .redirectADALForm, .authorityClosedCloud, .authorityADFS,
    .authorityB2C, .authorityDomain, .authorityValidationOff, .authorityUnknownHost,
    .resourceAADGraph, .resourceDiscovery, .resourceTrailingSlash, .clientChanged, .deployTarget,
    .openURLMissing, .appExtension, .tokenSaved, .cookieSignOut,
    // With a cache.
    .clientUnseen, .clientUnlisted, .groupDiffers, .resourceUnlisted,
  ]
}

extension Check: Comparable, Hashable {
  /// Rules are told apart by their ids.
  package static func == (left: Check, right: Check) -> Bool { left.id == right.id }
  /// Rules sort by their ids.
  package static func < (left: Check, right: Check) -> Bool { left.id < right.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Check {
  /// The first part of the id: `deploy`.
  package var family: String { String(id.prefix { $0 != "." }) }

  /// The anchor of the rule's page in Documentation/rules.md: `deploy-target`.
  package var anchor: String { id.split(separator: ".").joined(separator: "-") }

  /// The rules whose id or family this is.
  package static func named(_ name: String) -> [Check] {
    allCases.filter { $0.id == name || $0.family == name }
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
