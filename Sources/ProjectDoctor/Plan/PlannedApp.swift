// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ProjectFiles

/// The plan's facts about one Xcode project: its build system, and the values for its code.
struct PlannedApp {
  let diagnosis: ProjectDiagnosis
  /// The path of the project file; nil if there is none.
  let project: String?
  let targets: [TargetFacts]
  /// The Podfile that its dependencies are in.
  let podfile: String?
  let delegates: [Occurrence]
  /// Whether an app delegate, or the files that use ADAL, are in Swift and not in Objective-C.
  let isSwift: Bool

  /// The placeholders for an unknown bundle ID, client ID and key of a saved user ID.
  static let openBundleID = "BUNDLE-ID"
  static let openClientID = "CLIENT-ID"
  static let openKey = "USER-ID-KEY"

  /// The URI that MSAL makes of a bundle id, and checks a configuration with.
  static func redirectURI(_ bundleID: String) -> String { "\(scheme(bundleID))://auth" }

  static func scheme(_ bundleID: String) -> String { "msauth.\(bundleID)" }

  /// The bundle ids of targets, each once, with the name for those that are not known.
  static func bundleIDs(_ targets: [TargetFacts]) -> [String] {
    let ids = targets.flatMap { $0.bundleIDs + ($0.isBundleIDOpen ? [openBundleID] : []) }
    return ids.isEmpty ? [openBundleID] : ids.each
  }

  /// The one bundle id of its apps; nil where there are several.
  private var bundleID: String? {
    let ids = Self.bundleIDs(targets.filter { !$0.isExtension })
    return ids.count == 1 ? ids.first : nil
  }

  /// The URI for the configuration; nil where each target has another, so that MSAL makes it.
  var redirectURI: String? { bundleID.map(Self.redirectURI) }

  /// Whether all of its apps run on macOS.
  var isMac: Bool {
    let apps = targets.filter { !$0.isExtension }
    return !apps.isEmpty && apps.allSatisfy { $0.platform == .macOS }
  }

  /// The keychain group that the code has to name; nil for the one that MSAL takes by itself.
  var group: String? {
    let groups = diagnosis.facts.groupUses.filter { $0.concerns(project) }.map(\.group)
    let named = groups.compactMap { $0?.groupName }.filter { !$0.isEmpty }.min()
    guard let group = named ?? (groups.contains(nil) ? ownGroup : nil) else { return nil }
    return group == Platform.iOS.group && !isMac ? nil : group
  }

  /// The group that ADAL uses if the code says nil.
  private var ownGroup: String {
    let groups = targets.filter { !$0.isExtension }.compactMap { diagnosis.firstGroup(of: $0) }.each
    return (groups.count == 1 ? groups.first : bundleID) ?? Self.openBundleID
  }

  /// Whether it keeps ADAL's archive itself.
  var hasArchive: Bool { isMac && !diagnosis.places([.macArchive]).isEmpty }

  /// Whether the lines for the app delegate hand the broker's answer to MSAL; with scenes, a scene does.
  var opensURLs: Bool {
    diagnosis.places([.openURLMissing]).contains { place in
      delegates.contains { $0.span == place.span }
    }
  }

  /// The apps of a diagnosis, by their projects; one app without a project if there are none.
  static func all(of diagnosis: ProjectDiagnosis) -> [PlannedApp] {
    let facts = diagnosis.facts
    let projects: [String?] = diagnosis.targets.map(\.project).each
    let calls = diagnosis.findings.filter { $0.check.family == "api" }.flatMap(\.places)
    return (projects.isEmpty ? [nil] : projects).map { project in
      let folder = project.map { RelativePath.folder(of: RelativePath.folder(of: $0)) } ?? ""
      let podfile = facts.podfiles.filter {
        RelativePath.isInside(folder, RelativePath.folder(of: $0))
      }.max { $0.utf8.count < $1.utf8.count }
      let delegates = facts.appDelegates.filter { RelativePath.isInside($0.file, folder) }
      let files = (delegates.isEmpty ? calls : delegates).map(\.file)
        .filter { RelativePath.isInside($0, folder) }
      let swift = files.count { RelativePath.fileExtension(of: $0) == "swift" }
      return PlannedApp(
        diagnosis: diagnosis, project: project,
        targets: diagnosis.targets.filter { $0.project == project },
        podfile: project == nil ? facts.podfiles.first : podfile, delegates: delegates,
        isSwift: 2 * swift >= files.count)
    }
  }
}

extension ProjectDiagnosis {
  /// The findings of some rules that count.
  func counted(_ checks: Set<Check>) -> [Finding] { counted.filter { checks.contains($0.check) } }

  func places(_ checks: Set<Check>) -> [Occurrence] { counted(checks).flatMap(\.places) }

  /// The places where the app saves a user ID of ADAL's.
  var savedUserIDs: [Occurrence] {
    counted([.userID]).filter { $0.severity == .warning }.flatMap(\.places)
  }
}

extension TargetFacts {
  /// The group that a target needs in its entitlements; nil where it has it. An app's own group needs no entry.
  func missingGroup(named group: String?) -> String? {
    let needed = group ?? platform.group
    let isThere = keychainGroups.map(\.groupName).contains { $0 == needed || $0 == "*" }
    return isThere || !isExtension && bundleIDs.contains(needed) ? nil : needed
  }
}

extension String {
  /// Text inside a literal of code, which it cannot end.
  var asLiteral: String {
    PlainText.show(maskedAddress).filter { !"\"\\`".contains($0) }
  }
}

/// The lines that migrate the sign-ins when an app starts, for its app delegate: the migration, the wait for a device
/// that was never unlocked, and the user IDs of ADAL that the app saved.
extension PlannedApp {
  /// The place where the lines save the account's identifier.
  static let identifierKey = "MSALAccountIdentifier"

  /// Objective-C and pods take the façade for Objective-C, which Swift can call too.
  private var usesFacade: Bool { podfile != nil || !isSwift }

  /// The module to import, which is the product of the package and the name of the pod.
  var module: String { usesFacade ? "ADALMigrationObjC" : "ADALMigration" }

  var startCode: String {
    let group = group?.asLiteral
    let keychain = ".keychain(\(group.map { "group: \"\($0)\"" } ?? ""))"
    return fenced(
      swift: PackageResources.AppDelegate_swift_template,
      objectiveC: PackageResources.AppDelegate_m_template,
      where: [
        "mac": isMac, "phone": !isMac, "facade": usesFacade, "package": !usesFacade,
        "opens": opensURLs, "saves": !diagnosis.savedUserIDs.isEmpty,
        "forgets": diagnosis.savedUserIDs.isEmpty, "grouped": group != nil, "blob": hasArchive,
      ],
      [
        "application": isMac ? "NSApplication" : "UIApplication",
        "unlocked": "ProtectedDataDidBecomeAvailable\(isMac ? "Notification" : "")",
        "group": group ?? "", "keychain": keychain,
        "source": hasArchive ? ".blob([UInt8](archiveOfADAL))" : keychain,
        "identifierKey": Self.identifierKey, "savedKey": Self.openKey,
      ])
  }

  /// A filled-in `MSALPublicClientApplicationConfig`, in the language of the app.
  var configuration: String {
    let facts = diagnosis.facts
    let client = facts[.clientID].first?.value ?? Self.openClientID
    let authority =
      facts[.authority].first?.value ?? "https://login.microsoftonline.com/common"
    let literal = isSwift ? "" : "@"
    return fenced(
      swift: PackageResources.Application_swift_template,
      objectiveC: PackageResources.Application_m_template,
      where: [
        "open": redirectURI == nil, "grouped": group != nil,
        // The code has authorities that MSAL does not know by itself.
        "known": !diagnosis.counted([.authorityValidationOff, .authorityUnknownHost]).isEmpty,
      ],
      [
        "client": client.asLiteral, "authority": authority.asLiteral,
        "group": group?.asLiteral ?? "",
        "redirect": redirectURI.map { "\(literal)\"\($0.asLiteral)\"" } ?? "nil",
      ])
  }

  /// The lines of a template in the language of the app, as Markdown.
  private func fenced(
    swift: [UInt8], objectiveC: [UInt8], where conditions: [String: Bool],
    _ values: [String: String]
  ) -> String {
    let lines = Template.lines(of: isSwift ? swift : objectiveC, where: conditions, values)
    return MarkdownWords.fenced(isSwift ? "swift" : "objective-c", lines)
  }
}
