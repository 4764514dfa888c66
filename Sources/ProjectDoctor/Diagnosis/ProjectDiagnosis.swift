// SPDX-License-Identifier: MIT
import ProjectFiles

/// What the doctor found in a project: facts, targets and findings. A kind of its own and not a
/// report of rows.
package struct ProjectDiagnosis: Sendable, Hashable {
  /// Which of the two libraries the project has.
  package enum Library: String, Sendable, Hashable {
    case none, adal, msal, both
  }

  /// The folder or file that was looked at, as it was given.
  package var path: String
  /// The MSAL that the project is measured against.
  package var msal: MSALRelease
  /// What the code uses, and for ADAL what is declared.
  package var library = Library.none
  /// Whether MSAL is a dependency, used or not.
  package var dependsOnMSAL = false
  /// Whether nothing but other SDKs brings ADAL; their names.
  package var adalOnlyThrough: [String] = []
  package var adalVersions: [ADALVersion] = []
  /// What was read, by kind of file.
  package var read = Reading()
  /// What was left out, in the order of paths.
  package var skipped: [Skipped] = []
  package var targets: [TargetFacts] = []
  package var facts = Facts()
  /// Worst first, then by rule.
  package var findings: [Finding] = []
  /// How many entries of the baseline no longer occur.
  package var baselineStale = 0
  /// Suppressions in the source without effect.
  package var idleSuppressions: [Occurrence] = []

  package init(path: String, msal: MSALRelease) {
    self.path = path
    self.msal = msal
  }
}

extension ProjectDiagnosis {
  /// A rule that fired, with every place where it did in the same words.
  package struct Finding: Sendable, Hashable {
    package var check: Check
    package var severity: Severity
    /// What is the case, without a full stop and without counts.
    package var message: String
    package var remedy: String
    /// What the code becomes, where that is a name of MSAL's.
    package var becomes: String?
    /// In the order of paths, lines and columns; not empty.
    package var places: [Occurrence]
  }

  /// Where something was found.
  package struct Occurrence: Sendable, Hashable {
    /// The path below the folder, with `/`; for a cache what was given for it.
    package var file: String
    /// Nil in a cache, which has no lines.
    package var span: TextSpan?
    /// The name that stands there, where the rule is about a name.
    package var symbol: String?
    /// 32 hex digits that stay the same when lines above are added.
    package var fingerprint = ""
    /// Whether a comment in the source suppresses it.
    package var isSuppressed = false
    package var isBaselined = false
    /// The reason that the suppression gives.
    package var justification: String?

    /// Whether it counts: neither suppressed nor in the baseline.
    package var counts: Bool { !isSuppressed && !isBaselined }
  }

  /// An ADAL that the app was built with, as far as the project says.
  package struct ADALVersion: Sendable, Hashable {
    /// What tells the version.
    package enum Source: String, Sendable, Hashable {
      case lock, declared, names
    }
    package var version: String?
    package var source: Source
    package var place: Occurrence?
  }

  /// What was read.
  package struct Reading: Sendable, Hashable {
    package var files = 0
    package var bytes = 0
    /// How many files of each kind, in the order of `ProjectFileKind`.
    package var kinds: [ProjectFileKind: Int] = [:]
  }

  /// A target of an Xcode project, as its settings are in effect.
  package struct TargetFacts: Sendable, Hashable {
    package var name: String
    package var platform: String
    /// The path of the project file.
    package var project: String
    /// Whether it is an extension of an app.
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

  /// A value in code or in a property list, with where it stands.
  package struct Fact: Sendable, Hashable {
    package var value: String
    package var places: [Occurrence]
  }

  /// The values that the plan is filled in with.
  package struct Facts: Sendable, Hashable {
    package var clientIDs: [Fact] = []
    package var authorities: [Fact] = []
    package var resources: [Fact] = []
    package var redirectURIs: [Fact] = []
    package var keychainGroups: [Fact] = []
    package var savedUserIDs: [Fact] = []
    /// Whether the project signs in itself, and not only another SDK of it.
    package var signsIn = false
    /// Whether code gives ADAL the app's own keychain group.
    package var usesOwnGroup = false
    /// Where app delegates are declared.
    package var appDelegates: [Occurrence] = []
    /// The paths of the Podfiles.
    package var podfiles: [String] = []
  }
}

extension ProjectDiagnosis {
  /// The findings with only those places that count.
  package var counted: [Finding] {
    findings.compactMap { finding in
      var finding = finding
      finding.places.removeAll { !$0.counts }
      return finding.places.isEmpty ? nil : finding
    }
  }

  /// Whether something that counts is at least this severe.
  package func reaches(_ severity: Severity) -> Bool {
    counted.contains { $0.severity >= severity }
  }
}
