// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// The severity of a finding. A note is a mechanical replacement. A warning works on an assumption that the team should
/// check, or users notice a change. With an error the project does not build or start with MSAL, or a user must sign in
/// again.
package typealias Severity = Report.Severity

/// The platforms of MSAL that the doctor knows.
package enum Platform: String, Sendable, Hashable {
  case iOS, macOS

  /// The build setting that names the least version to run on.
  var deploymentTarget: String {
    self == .iOS ? "IPHONEOS_DEPLOYMENT_TARGET" : "MACOSX_DEPLOYMENT_TARGET"
  }

  /// The keychain group that MSAL uses by itself, on iOS that of ADAL.
  var group: String {
    self == .iOS ? "com.microsoft.adalcache" : "com.microsoft.identity.universalstorage"
  }
}

/// The result of the doctor for a project: facts, targets and findings. It is not a report of rows.
package struct ProjectDiagnosis: Sendable, Hashable {
  /// The libraries that the project has.
  package enum Library: String, Sendable, Hashable {
    case none, adal, msal, both
  }

  /// The folder or file that was looked at, as it was given.
  package var path: String
  /// The MSAL that the project is measured against.
  package var msal: MSALRelease
  /// The libraries that the code uses, and for ADAL the declared versions.
  package var library = Library.none
  /// Whether MSAL is a dependency, used or not.
  package var dependsOnMSAL = false
  /// Whether nothing but other SDKs brings ADAL; their names.
  package var adalOnlyThrough: [String] = []
  package var adalVersions: [ADALVersion] = []
  package var readKinds: [ProjectFileKind: Int] = [:]
  package var readBytes = 0
  /// The skipped files, in the order of paths.
  package var skipped: [Skipped] = []
  package var targets: [TargetFacts] = []
  package var facts = Facts()
  /// Worst first, then by rule.
  package var findings: [Finding] = []
  /// The number of the baseline's entries that no longer occur.
  package var baselineStale = 0
  /// Suppressions in the source without effect.
  package var idleSuppressions: [Occurrence] = []
}

extension ProjectDiagnosis {
  /// The group that ADAL before 1.2.5, and 2.0.2, uses in a target if the code says nil: it names none, and the system
  /// takes the first one of the entitlements. Other ADAL takes the bundle ID (ADKeychainTokenCacheStore.m at 1.2.4, 1.2.5,
  /// 2.0.2 and 2.0.3).
  func firstGroup(of target: TargetFacts) -> String? {
    guard adalVersions.allSatisfy({ $0.isOlder(than: "1.2.5") || $0.newest == "2.0.2" }) else {
      return nil
    }
    return target.keychainGroups.first.map(\.groupName).flatMap { $0.contains("$") ? nil : $0 }
  }

  /// The findings with only those places that count.
  package var counted: [Finding] {
    findings.compactMap { finding in
      var finding = finding
      finding.places.removeAll { $0.isSuppressed || $0.isBaselined }
      return finding.places.isEmpty ? nil : finding
    }
  }

  package var readFiles: Int { readKinds.values.reduce(0, +) }

  /// Whether something that counts is at least this severe.
  package func reaches(_ severity: Severity) -> Bool {
    counted.contains { $0.severity >= severity }
  }
}

/// A rule that fired, with every place where it did in the same words.
package struct Finding: Sendable, Hashable {
  package var check: Check
  package var severity: Severity
  /// The case, without a full stop and without counts.
  package var message: String
  package var remedy: String
  /// The replacement of the code, if it is a name of MSAL's.
  package var becomes: String?
  /// In the order of paths, lines and columns; not empty.
  package var places: [Occurrence]
}

package struct Occurrence: Sendable, Hashable {
  /// The path below the folder, with `/`; for a cache its given path.
  package var file: String
  /// Nil in a cache, which has no lines.
  package var span: TextSpan?
  /// The name that stands there, where the rule is about a name.
  package var symbol: String?
  /// 32 hex digits that stay the same when lines above are added.
  package var fingerprint = ""
  package var isBaselined = false
  /// The reason that a comment in the source gives for its suppression.
  package var justification: String?

  package var isSuppressed: Bool { justification != nil }
}

extension Occurrence {
  init(_ span: TextSpan, symbol: String? = nil) {
    self.init(file: span.file, span: span, symbol: symbol)
  }
}

/// An ADAL that the app was built with, as far as the project says.
package struct ADALVersion: Sendable, Hashable {
  package enum Source: String, Sendable, Hashable {
    case lock, declared, names
  }
  package var version: String?
  /// The newest that the place allows; nil if it sets no limit.
  package var newest: String?
  package var source: Source
  package var place: Occurrence?

  /// Whether all that the place allows is older than a version.
  func isOlder(than version: String) -> Bool {
    // A lock file can also name a commit.
    newest.map { $0.contains(".") && $0.isOlderVersion(than: version) } ?? false
  }
}

/// A target of an Xcode project, as its settings are in effect.
package struct TargetFacts: Sendable, Hashable {
  package var name: String
  package var platform: Platform
  package var project: String
  package var isExtension = false
  /// The bundle ids of its configurations, each once.
  package var bundleIDs: [String] = []
  /// Whether a configuration has a bundle id that is not known.
  package var isBundleIDOpen = false
  package var deploymentTarget: String?
  package var infoPlist: String?
  package var entitlements: String?
  package var keychainGroups: [String] = []
  package var urlSchemes: [String] = []
  package var querySchemes: [String] = []

  /// The bundle id of the first configuration that has one.
  package var bundleID: String? { bundleIDs.first }
}

/// A keychain group that code gives ADAL.
struct GroupUse: Sendable, Hashable {
  /// As it is spelled; nil for the app's own.
  let group: String?
  /// The path of the project of that code; nil for code of all apps.
  let project: String?

  func concerns(_ project: String?) -> Bool { self.project == nil || self.project == project }
}

/// A value in code or in a property list, with where it stands.
package struct Fact: Sendable, Hashable {
  package var value: String
  package var places: [Occurrence]
}

/// The values that the plan is filled in with.
package struct Facts: Sendable, Hashable {
  private var values: [ValueKind: [Fact]] = [:]
  /// Whether the project signs in itself, and not only another SDK of it.
  package var signsIn = false
  /// The keychain groups that code gives ADAL.
  var groupUses: [GroupUse] = []
  package var appDelegates: [Occurrence] = []
  package var podfiles: [String] = []

  package subscript(_ kind: ValueKind) -> [Fact] {
    get { values[kind] ?? [] }
    set { values[kind] = newValue }
  }
}
