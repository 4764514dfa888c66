// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// What the plan knows of one Xcode project: what it is built with, and which values its code gets.
struct PlannedApp {
  /// The language of an app delegate, or of the files that use ADAL.
  enum Language: String {
    case swift
    case objectiveC = "objective-c"
  }

  /// The path of the project file; nil where there is none.
  let project: String?
  let targets: [ProjectDiagnosis.TargetFacts]
  /// The Podfile that its dependencies are in.
  let podfile: String?
  let delegates: [ProjectDiagnosis.Occurrence]
  let language: Language

  /// What stands for a bundle id that is not known.
  static let openBundleID = "BUNDLE-ID"

  /// The URI that MSAL makes of a bundle id, and checks a configuration with.
  static func redirectURI(_ bundleID: String) -> String { "\(scheme(bundleID))://auth" }

  static func scheme(_ bundleID: String) -> String { "msauth.\(bundleID)" }

  /// The bundle ids of targets, each once, with the name for those that are not known.
  static func bundleIDs(_ targets: [ProjectDiagnosis.TargetFacts]) -> [String] {
    let ids = targets.flatMap { $0.bundleIDs + ($0.isBundleIDOpen ? [openBundleID] : []) }
    return ids.isEmpty ? [openBundleID] : ids.each
  }

  var apps: [ProjectDiagnosis.TargetFacts] { targets.filter { !$0.isExtension } }

  /// The URI for the configuration; nil where each target has another, so that MSAL makes it.
  var redirectURI: String? {
    let ids = Self.bundleIDs(apps)
    return ids.count == 1 ? ids.first.map(Self.redirectURI) : nil
  }

  /// Whether all of its apps run on macOS.
  var isMac: Bool { !apps.isEmpty && apps.allSatisfy { $0.platform == "macOS" } }

  /// The apps of a diagnosis, by their projects; one without a project where there is none.
  static func all(of diagnosis: ProjectDiagnosis) -> [PlannedApp] {
    let facts = diagnosis.facts
    let projects = diagnosis.targets.map(\.project).each
    guard !projects.isEmpty else {
      return [
        PlannedApp(
          project: nil, targets: [], podfile: facts.podfiles.first, delegates: facts.appDelegates,
          language: language(facts.appDelegates, diagnosis, in: ""))
      ]
    }
    return projects.map { project in
      let folder = RelativePath.folder(of: RelativePath.folder(of: project))
      let delegates = facts.appDelegates.filter { RelativePath.isInside($0.file, folder) }
      let podfile = facts.podfiles
        .filter { RelativePath.isInside(folder, RelativePath.folder(of: $0)) }
        .max { $0.utf8.count < $1.utf8.count }
      return PlannedApp(
        project: project, targets: diagnosis.targets.filter { $0.project == project },
        podfile: podfile, delegates: delegates,
        language: language(delegates, diagnosis, in: folder))
    }
  }

  private static func language(
    _ delegates: [ProjectDiagnosis.Occurrence], _ diagnosis: ProjectDiagnosis, in folder: String
  ) -> Language {
    let calls = diagnosis.findings.filter { $0.check.family == "api" }.flatMap(\.places)
    let files = (delegates.isEmpty ? calls : delegates).map(\.file)
      .filter { RelativePath.isInside($0, folder) }
    let swift = files.filter { RelativePath.fileExtension(of: $0) == "swift" }.count
    return 2 * swift >= files.count ? .swift : .objectiveC
  }
}

extension PlannedApp {
  /// The keychain group that the code has to name; nil for the one that MSAL takes by itself.
  func group(_ facts: ProjectDiagnosis.Facts) -> String? {
    if let group = facts.keychainGroups.lazy.map(\.value.groupName).first(where: { !$0.isEmpty }) {
      return group == KeychainGroups.shared && !isMac ? nil : group
    }
    guard facts.usesOwnGroup else { return nil }
    let ids = Self.bundleIDs(apps)
    return ids.count == 1 ? ids.first : Self.openBundleID
  }
}

extension ProjectDiagnosis.TargetFacts {
  /// The group that a target needs in its entitlements; nil where it has it. An app's own group needs no entry.
  func missingGroup(named group: String?) -> String? {
    let needed = group ?? (platform == "macOS" ? KeychainGroups.universal : KeychainGroups.shared)
    let isThere = keychainGroups.map(\.groupName).contains { $0 == needed || $0 == "*" }
    return isThere || !isExtension && bundleIDs.contains(needed) ? nil : needed
  }
}
