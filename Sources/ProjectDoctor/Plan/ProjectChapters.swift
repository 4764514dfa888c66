// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The chapters about what a project is built with: dependencies, property lists, entitlements.
extension ChecklistChapters {
  /// The systems that the library for apps runs on.
  private static let own = (iOS: "15.0", macOS: "12.0")

  var dependencies: [String] {
    // Who stops using ADAL itself takes it out; the rest is as the rules say.
    let declared = places([.adalDeclared])
    return steps([
      .sdkWithADAL, .adalTransitive, .intuneSDK, .adalPlugin, .adalLinked, .adalVendored, .adalFork,
      .adalBesideMSAL,
    ])
      + (declared.isEmpty ? [] : [box("Take out ADAL", declared)])
      + steps([.deployTarget]) + raised + added
  }

  /// Targets that MSAL runs on and the library does not.
  private var raised: [String] {
    diagnosis.targets.compactMap { target in
      let isMac = target.platform == "macOS"
      let (own, msal) =
        isMac ? (Self.own.macOS, diagnosis.msal.macOS) : (Self.own.iOS, diagnosis.msal.iOS)
      guard let version = target.deploymentTarget, VersionNumber.isOlder(version, than: own),
        VersionNumber.isOlder(msal, than: own)
      else { return nil }
      return box(
        "Raise the deployment target of \(code(target.name)) to \(target.platform) \(own), which adal2msal needs"
      )
    }
  }

  /// MSAL and the migration, once for each Podfile and once for each project without one.
  private var added: [String] {
    let pin = diagnosis.msal.withFixes
    var lines: [String] = []
    for podfile in apps.compactMap(\.podfile).each {
      lines.append(box("Add MSAL and the migration to \(code(podfile))"))
      lines.append(MarkdownWords.fenced("ruby", ["pod 'MSAL', '\(pin.pod)'", Self.pod]))
    }
    for app in apps where app.podfile == nil {
      let product =
        AppStartCode(
          app: app, group: nil, hasArchive: false, savesUserID: false, opensURLs: false
        ).module
      lines.append(
        box(
          "Add the packages of MSAL and of the migration\(named(app)), and link their products \(code("MSAL")) and \(code(product))"
        ))
      lines.append(
        MarkdownWords.fenced(
          "swift",
          [
            ".package(",
            "  url: \"https://github.com/AzureAD/microsoft-authentication-library-for-objc\",",
            "  \(pin.package)),",
            ".package(url: \"https://github.com/adal2msal/adal2msal\", from: \"\(Report.toolVersion)\", traits: []),",
          ]))
    }
    return lines.isEmpty ? [] : lines + [versions]
  }

  private static var pod: String {
    let release = "https://github.com/adal2msal/adal2msal/releases/download/v\(Report.toolVersion)"
    return "pod 'ADALMigrationObjC', :podspec => '\(release)/ADALMigrationObjC.podspec'"
  }

  /// Why the version is pinned so.
  private var versions: String {
    let msal = diagnosis.msal
    let announced = MSALRelease.announced
    var text =
      "MSAL \(msal.version) needs iOS \(msal.iOS) or macOS \(msal.macOS). The line above takes its fixes only, "
      + "because a later minor release may need a newer system: MSAL's branch for development asks for "
      + "iOS \(announced.iOS) and macOS \(announced.macOS)."
    let versions = diagnosis.targets.filter { $0.platform == "iOS" }.compactMap(\.deploymentTarget)
    let oldest = versions.min { VersionNumber.isOlder($0, than: $1) }
    if let oldest, VersionNumber.isOlder(oldest, than: msal.iOS),
      !VersionNumber.isOlder(oldest, than: Self.own.iOS),
      let other = MSALRelease.newest(onIOS: oldest)
    {
      text +=
        " An app that stays on iOS \(MarkdownWords.escape(oldest)) takes MSAL \(other.version): "
        + "run \(code("adal2msal doctor . --msal \(other.version) --plan FILE"))."
    }
    return text + planned
  }

  /// The source of the migration until its version is published.
  private var planned: String {
    " adal2msal \(Report.toolVersion) is planned. Until it is published, take the package with "
      + "\(code("branch: \"main\"")), or for pods the framework that \(code("scripts/xcframework")) builds."
  }

  // What each target declares

  var propertyLists: [String] {
    let apps = diagnosis.targets.filter { $0.platform == "iOS" && !$0.isExtension }
    guard facts.signsIn else { return steps([.urlSchemeReserved]) }
    return apps.flatMap { target in
      let queries = ["msauthv2", "msauthv3"].filter { name in
        !target.querySchemes.contains { $0.lowercased() == name }
      }
      let schemes = PlannedApp.bundleIDs([target]).map(PlannedApp.scheme).filter { scheme in
        // `msauth.$(PRODUCT_BUNDLE_IDENTIFIER)` is the scheme of a bundle id that is not known.
        !target.urlSchemes.contains { $0 == scheme || $0.hasPrefix("msauth.$") }
      }
      return (schemes.isEmpty ? [] : schemeSteps(target, schemes))
        + (queries.isEmpty ? [] : querySteps(target, queries))
    } + (apps.isEmpty && diagnosis.targets.isEmpty ? withoutProject : [])
      + steps([.urlSchemeReserved])
  }

  /// The lines for an app whose project is not there.
  private var withoutProject: [String] {
    var target = ProjectDiagnosis.TargetFacts(name: "the app", platform: "iOS", project: "")
    target.isBundleIDOpen = true
    return schemeSteps(target, [PlannedApp.scheme(PlannedApp.openBundleID)])
      + querySteps(target, ["msauthv2", "msauthv3"])
  }

  private func schemeSteps(
    _ target: ProjectDiagnosis.TargetFacts, _ schemes: [String]
  ) -> [String] {
    let place = list(of: target, [.urlSchemeMissing])
    let has = target.urlSchemes.isEmpty ? "" : ", beside the schemes there"
    return [
      box(
        "Register the scheme of the redirect URI in \(place)\(has): MSAL does not start without it"),
      Self.xml(
        ["<key>CFBundleURLTypes</key>", "<array>", "  <dict>", "    <key>CFBundleURLSchemes</key>"]
          + ["    <array>"] + schemes.map { "      <string>\(Self.inXML($0))</string>" }
          + ["    </array>", "  </dict>", "</array>"]),
    ]
  }

  private func querySteps(
    _ target: ProjectDiagnosis.TargetFacts, _ queries: [String]
  ) -> [String] {
    let place = list(of: target, [.querySchemesMissing])
    let has = target.querySchemes.isEmpty ? "" : ", beside the schemes there"
    return [
      box("Add the query schemes that MSAL finds brokers with to \(place)\(has)"),
      Self.xml(
        ["<key>LSApplicationQueriesSchemes</key>", "<array>"]
          + queries.map { "  <string>\($0)</string>" } + ["</array>"]),
    ]
  }

  /// The property list of a target, as a link to where something is missing.
  private func list(of target: ProjectDiagnosis.TargetFacts, _ checks: Set<Check>) -> String {
    guard let path = target.infoPlist else { return "the Info.plist of \(code(target.name))" }
    let there = places(checks).filter { $0.file == path }
    return there.isEmpty ? code(path) : ProjectDiagnosis.links(Array(there.prefix(1)))
  }

  var entitlements: [String] {
    let groups = diagnosis.targets.map { target in
      let list = target.keychainGroups.map(code).joined(separator: ", ")
      return "- \(code(target.name)) (\(target.platform)): "
        + (list.isEmpty ? "no keychain groups are known" : list)
    }
    let seen = evidence.flatMap(\.groups).sorted { $0.key < $1.key }.map { group, rows in
      "- seen in the cache: \(code(group)), \(ProjectDiagnosis.count(rows, "row"))"
    }
    let steps =
      (facts.signsIn
        ? named
          + apps.flatMap { app in app.targets.flatMap { missingGroup(of: $0, in: app) } }
        : []) + steps([.groupDiffers])
    guard !(groups + seen).isEmpty else { return steps }
    let begin = steps.isEmpty ? "Nothing to do. " : ""
    return ["\(begin)The keychain groups today:"] + groups + seen + steps
  }

  /// The group that the code gives ADAL, which the code of the plan has, too.
  private var named: [String] {
    let places = places([.groupCustom, .groupPrivate])
    let text = "Stay in the keychain group that the code gives ADAL: chapters 5 and 9 name it"
    return places.isEmpty ? [] : [box(text, places)]
  }

  private func missingGroup(
    of target: ProjectDiagnosis.TargetFacts, in app: PlannedApp
  ) -> [String] {
    guard let group = target.missingGroup(named: app.group(facts)) else { return [] }
    let missing = places([.groupMissing, .groupNotEntitled, .universalStorageMissing])
    let there = missing.filter { $0.file == target.entitlements }
    let place =
      target.entitlements.map {
        there.isEmpty ? code($0) : ProjectDiagnosis.links(Array(there.prefix(1)))
      } ?? "new entitlements of \(code(target.name))"
    let settings =
      target.entitlements == nil ? missing.filter { $0.file == target.project } : []
    // Items without a group go to the first one, which stays what it was.
    let has =
      target.keychainGroups.isEmpty ? ", after the app's own group" : ", after the groups there"
    let ids = target.isBundleIDOpen ? [] : target.bundleIDs
    let own = ids.count == 1 ? ids.map(Self.inXML) : ["$(CFBundleIdentifier)"]
    let groups = (target.keychainGroups.isEmpty ? own : []) + [Self.inXML(group)]
    return [
      box("Add the keychain group of ADAL's and MSAL's tokens to \(place)\(has)", settings),
      Self.xml(
        ["<key>keychain-access-groups</key>", "<array>"]
          + groups.map { "  <string>$(AppIdentifierPrefix)\($0)</string>" } + ["</array>"]),
    ]
  }

  private static func xml(_ lines: [String]) -> String { MarkdownWords.fenced("xml", lines) }

  /// Text inside an element, of what ids and groups have.
  private static func inXML(_ text: String) -> String {
    text.filter { $0.isLetter || $0.isNumber || ".-_".contains($0) }
  }
}
