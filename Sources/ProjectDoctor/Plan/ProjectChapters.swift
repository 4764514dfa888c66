// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The chapters about the build of a project: dependencies, property lists, entitlements.
extension MigrationChecklist {
  /// The system that the library for apps runs on.
  private static func own(_ platform: Platform) -> String { platform == .iOS ? "15.0" : "12.0" }

  var dependencies: [String] {
    // An app that stops using ADAL removes it. For the rest, the rules apply.
    steps([
      .sdkWithADAL, .adalTransitive, .intuneSDK, .adalPlugin, .adalLinked, .adalVendored, .adalFork,
      .adalBesideMSAL,
    ]) + step("Take out ADAL", at: [.adalDeclared]) + steps([.deployTarget]) + raised + added
  }

  /// Targets that MSAL runs on and the library does not.
  private var raised: [String] {
    diagnosis.targets.compactMap { target in
      let own = Self.own(target.platform)
      guard let version = target.deploymentTarget, version.isOlderVersion(than: own),
        diagnosis.msal.least(target.platform).isOlderVersion(than: own)
      else { return nil }
      let system = "\(target.platform.rawValue) \(own)"
      return box(
        "Raise the deployment target of \(code(target.name)) to \(system), which adal2msal needs")
    }
  }

  /// MSAL and the migration, once for each Podfile and once for each project without one.
  private var added: [String] {
    let pin = diagnosis.msal.withFixes
    let version = Report.toolVersion
    let project = "https://github.com/adal2msal/adal2msal"
    let podspec = "\(project)/releases/download/v\(version)/ADALMigrationObjC.podspec"
    let pods = apps.compactMap(\.podfile).each.flatMap { podfile in
      [
        box("Add MSAL and the migration to \(code(podfile))"),
        MarkdownWords.fenced(
          "ruby",
          ["pod 'MSAL', '\(pin.pod)'", "pod 'ADALMigrationObjC', :podspec => '\(podspec)'"]),
      ]
    }
    let packages = apps.filter { $0.podfile == nil }.flatMap { app in
      let products = "\(code("MSAL")) and \(code(app.module))"
      return [
        box(
          "Add the packages of MSAL and of the migration\(named(app)), and link their products \(products)"
        ),
        MarkdownWords.fenced(
          "swift",
          [
            ".package(",
            "  url: \"https://github.com/AzureAD/microsoft-authentication-library-for-objc\",",
            "  \(pin.package)),",
            ".package(url: \"\(project)\", from: \"\(version)\", traits: []),",
          ]),
      ]
    }
    return pods + packages + (apps.isEmpty ? [] : [versions])
  }

  /// The reason for the pinned version.
  private var versions: String {
    let msal = diagnosis.msal
    let announced = MSALRelease.announced
    var text =
      "MSAL \(msal.version) needs iOS \(msal.iOS) or macOS \(msal.macOS). The line above takes its fixes only, "
      + "because a later minor release may need a newer system: MSAL's branch for development asks for "
      + "iOS \(announced.iOS) and macOS \(announced.macOS)."
    let versions = diagnosis.targets.filter { $0.platform == .iOS }.compactMap(\.deploymentTarget)
    let oldest = versions.min { $0.isOlderVersion(than: $1) }
    if let oldest, oldest.isOlderVersion(than: msal.iOS),
      !oldest.isOlderVersion(than: Self.own(.iOS)), let other = MSALRelease.newest(onIOS: oldest)
    {
      text +=
        " An app that stays on iOS \(MarkdownWords.escape(oldest)) takes MSAL \(other.version): "
        + "run \(code("adal2msal doctor . --msal \(other.version) --plan FILE"))."
    }
    // The source of the migration until its version is published.
    return text
      + " adal2msal \(Report.toolVersion) is planned. Until it is published, take the package with "
      + "\(code("branch: \"main\"")), or for pods the framework that \(code("scripts/xcframework")) builds."
  }

  // The declarations of each target.

  var propertyLists: [String] {
    guard facts.signsIn else { return steps([.urlSchemeReserved]) }
    var apps = diagnosis.targets.filter { $0.platform == .iOS && !$0.isExtension }
    if diagnosis.targets.isEmpty {
      // An app without a project file.
      var app = TargetFacts(name: "the app", platform: .iOS, project: "")
      app.isBundleIDOpen = true
      apps = [app]
    }
    return apps.flatMap(listed) + steps([.urlSchemeReserved])
  }

  /// The missing entries in the property list of an app.
  private func listed(_ app: TargetFacts) -> [String] {
    func list(_ check: Check) -> String {
      app.infoPlist.map { link($0, [check]) } ?? "the Info.plist of \(code(app.name))"
    }
    func beside(_ there: [String]) -> String { there.isEmpty ? "" : ", beside the schemes there" }
    let schemes = PlannedApp.bundleIDs([app]).map(PlannedApp.scheme).filter { scheme in
      // `msauth.$(PRODUCT_BUNDLE_IDENTIFIER)` is the scheme of a bundle id that is not known.
      !app.urlSchemes.contains { $0 == scheme || $0.hasPrefix("msauth.$") }
    }
    let types =
      ["<key>CFBundleURLTypes</key>", "<array>", "  <dict>"]
      + Self.array("CFBundleURLSchemes", schemes.map(Self.inXML)).map { "    " + $0 }
      + ["  </dict>", "</array>"]
    let registered = [
      box(
        "Register the scheme of the redirect URI in \(list(.urlSchemeMissing))\(beside(app.urlSchemes)): MSAL does not start without it"
      ), MarkdownWords.fenced("xml", types),
    ]
    let queries = ProjectDiagnosis.brokerSchemes(missingIn: app.querySchemes)
    let queried = [
      box(
        "Add the query schemes that MSAL finds brokers with to \(list(.querySchemesMissing))\(beside(app.querySchemes))"
      ), MarkdownWords.fenced("xml", Self.array("LSApplicationQueriesSchemes", queries)),
    ]
    return (schemes.isEmpty ? [] : registered) + (queries.isEmpty ? [] : queried)
  }

  /// A file, as a link to the first finding in it.
  private func link(_ path: String, _ checks: Set<Check>) -> String {
    let place = diagnosis.places(checks).first { $0.file == path }
    return place.map { [$0].links } ?? code(path)
  }

  /// An entry of a property list.
  private static func array(_ key: String, _ strings: [String]) -> [String] {
    ["<key>\(key)</key>", "<array>"] + strings.map { "  <string>\($0)</string>" } + ["</array>"]
  }

  var entitlements: [String] {
    let groups = diagnosis.targets.map { target in
      let list = target.keychainGroups.map(code).joined(separator: ", ")
      return "- \(code(target.name)) (\(target.platform.rawValue)): "
        + (list.isEmpty ? "no keychain groups are known" : list)
    }
    let seen = evidence.flatMap(\.groups).sorted { $0.key < $1.key }.map { group, rows in
      "- seen in the cache: \(code(group)), \(rows.counted("row"))"
    }
    // ADAL's group is that of the plan's code, too.
    let added =
      step(
        "Stay in the keychain group that ADAL uses: chapters 5 and 9 name it",
        at: [.groupCustom, .groupPrivate])
      + apps.flatMap { app in app.targets.flatMap { missingGroup(of: $0, in: app) } }
    let steps = (facts.signsIn ? added : []) + steps([.groupDiffers])
    guard !(groups + seen).isEmpty else { return steps }
    let begin = steps.isEmpty ? "Nothing to do. " : ""
    return ["\(begin)The keychain groups today:"] + groups + seen + steps
  }

  private func missingGroup(of target: TargetFacts, in app: PlannedApp) -> [String] {
    guard let group = target.missingGroup(named: app.group) else { return [] }
    let checks: Set<Check> = [.groupMissing, .groupNotEntitled, .universalStorageMissing]
    let place =
      target.entitlements.map { link($0, checks) } ?? "new entitlements of \(code(target.name))"
    let settings =
      target.entitlements == nil
      ? diagnosis.places(checks).filter { $0.file == target.project } : []
    // Items without a group go to the first group, which must stay the same.
    let has =
      target.keychainGroups.isEmpty ? ", after the app's own group" : ", after the groups there"
    let ids = target.isBundleIDOpen ? [] : target.bundleIDs
    let own = ids.count == 1 ? ids.map(Self.inXML) : ["$(CFBundleIdentifier)"]
    let groups = (target.keychainGroups.isEmpty ? own : []) + [Self.inXML(group)]
    return [
      box("Add the keychain group of ADAL's and MSAL's tokens to \(place)\(has)", settings),
      MarkdownWords.fenced(
        "xml", Self.array("keychain-access-groups", groups.map { "$(AppIdentifierPrefix)\($0)" })),
    ]
  }

  /// Text inside an element, with the characters of IDs and groups.
  private static func inXML(_ text: String) -> String {
    text.filter { $0.isLetter || $0.isNumber || ".-_".contains($0) }
  }
}
