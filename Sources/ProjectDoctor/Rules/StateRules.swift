// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for what MSAL needs in a project: property lists, entitlements, deployment targets, the
/// broker's answer.
struct StateRules {
  let reading: ProjectReading
  let msal: MSALRelease
  let library: ProjectDiagnosis.Library
  /// The projects that are looked at.
  let projects: [XcodeProject]
  /// Findings about keychain groups, by file.
  let groupHits: [Hit]
  /// The groups that code sets, with the file that does.
  let groups: [(file: String, group: PlacedText?)]
  /// Schemes of redirect URIs in ADAL's form.
  let keptSchemes: Set<String>
  /// Files with a finding of `import` or `api`, with the first of them.
  let uses: [String: ProjectDiagnosis.Occurrence]
  private(set) var hits: [Hit] = []

  mutating func run() {
    let answering = Dictionary(
      grouping: reading.scans.filter {
        $0.handlesResponses || !$0.appDelegates.isEmpty || !$0.sceneDelegates.isEmpty
      }, by: { reading.owner(of: $0.path) })
    for project in projects {
      var hasPhoneApp = false
      var hasScenes = false
      for target in project.targets {
        let settings = reading.settings(of: target, in: project)
        if library != .msal, !target.isTest { settings.forEach { readDeployment($0) } }
        if target.isAppExtension { readExtension(target) }
        guard target.isApplication, let platform = settings.lazy.compactMap(\.platform).first else {
          continue
        }
        readEntitlements(settings, platform, project)
        guard platform == .iOS else { continue }
        hasPhoneApp = true
        for path in Set(settings.compactMap { $0.file("INFOPLIST_FILE") }).sorted() {
          guard let list = reading.lists[path] else { continue }
          readInfo(list, path)
          if list.root.entry("UIApplicationSceneManifest") != nil { hasScenes = true }
        }
        hasScenes =
          hasScenes
          || settings.contains {
            $0.setting("INFOPLIST_KEY_UIApplicationSceneManifest_Generation")?.value == "YES"
          }
      }
      if hasPhoneApp {
        readAnswers(answering[project.path] ?? [], hasScenes, others: answering[nil] ?? [])
      }
    }
    if library != .msal { readPodfiles() }
  }

  // Deployment

  private mutating func readDeployment(_ settings: TargetSettings) {
    guard let platform = settings.platform else { return }
    let name = platform == .iOS ? "IPHONEOS_DEPLOYMENT_TARGET" : "MACOSX_DEPLOYMENT_TARGET"
    guard let setting = settings.setting(name), let version = settings.value(name) else {
      return
    }
    deployment(version, platform, setting.file, setting.span)
  }

  private mutating func readPodfiles() {
    for (path, podfile) in reading.podfiles
    where podfile.pods.contains(where: { ADALNames.isPod($0.name) }) {
      for line in podfile.platforms {
        let platform: TargetSettings.Platform? =
          line.name == "ios" ? .iOS : ["osx", "macos"].contains(line.name) ? .macOS : nil
        guard let platform else { continue }
        deployment(line.version, platform, path, podfile.lines.text.span(line.range))
      }
    }
  }

  private mutating func deployment(
    _ version: String, _ platform: TargetSettings.Platform, _ file: String, _ span: TextSpan
  ) {
    let least = platform == .iOS ? msal.iOS : msal.macOS
    guard version.first?.isNumber ?? false, VersionNumber.isOlder(version, than: least) else {
      return
    }
    let needs = "\(platform.rawValue) \(least)"
    hits.append(
      Hit(
        .deployTarget, file, span, symbol: version,
        message: "target is older than MSAL \(msal.version) supports (\(needs))",
        remedy: "raise the deployment target to \(needs)"))
  }

  private mutating func readExtension(_ target: XcodeProject.Target) {
    let known = Set(target.sources)
    let sources = uses.keys.sorted().filter { path in
      known.contains(path)
        || target.folders.contains { RelativePath.isInside(path, $0) }
    }
    for path in sources {
      guard let place = uses[path] else { continue }
      hits.append(Hit(.appExtension, path, place.span, symbol: place.symbol))
    }
  }

  // Info.plist

  private static let brokerSchemes = ["msauthv2", "msauthv3"]
  private static let reserved: Set<String> = ["msauth", "msauthv2", "msauthv3"]

  private mutating func readInfo(_ list: PropertyListText, _ path: String) {
    let schemes = list.urlSchemes
    let lowered = schemes.map { ($0.string ?? "").lowercased() }
    for (scheme, name) in zip(schemes, lowered) where Self.reserved.contains(name) {
      hits.append(Hit(.urlSchemeReserved, path, list.text.span(scheme.range), symbol: name))
    }
    let hasBroker = lowered.contains { $0.hasPrefix("msauth.") }
    let hasClient = lowered.contains { $0.hasPrefix("msal") && !$0.hasPrefix("msauth") }
    let queries = list.root["LSApplicationQueriesSchemes"]?.strings.map { $0.lowercased() } ?? []
    // MSAL with a scheme of the client's alone, as for B2C, asks no broker.
    let asksNoBroker = library == .msal && hasClient && !hasBroker
    if !Self.brokerSchemes.allSatisfy(queries.contains), !asksNoBroker {
      let missing = Self.brokerSchemes.filter { !queries.contains($0) }.map { "`\($0)`" }
      let names = missing.joined(separator: " and ")
      hits.append(
        Hit(
          .querySchemesMissing, path,
          list.span(of: "LSApplicationQueriesSchemes"),
          message:
            "\(names) \(missing.count == 1 ? "is" : "are") not in LSApplicationQueriesSchemes",
          remedy: "add `msauthv2` and `msauthv3`"))
    }
    if !hasBroker, !hasClient, keptSchemes.isDisjoint(with: lowered) {
      let types = list.root.entry("CFBundleURLTypes")
      let key = types?.value.array?.lazy.compactMap { $0.entry("CFBundleURLSchemes") }.first
      let range = (key ?? types)?.keyRange ?? list.root.range
      hits.append(Hit(.urlSchemeMissing, path, list.text.span(range)))
    }
  }

  // Entitlements

  private mutating func readEntitlements(
    _ settings: [TargetSettings], _ platform: TargetSettings.Platform, _ project: XcodeProject
  ) {
    let named = settings.map { $0.setting("CODE_SIGN_ENTITLEMENTS") != nil }
    let paths = Set(settings.compactMap { $0.file("CODE_SIGN_ENTITLEMENTS") }).sorted()
    // A file that is named and not there says nothing.
    guard paths.allSatisfy({ reading.lists[$0] != nil }), !named.contains(true) || !paths.isEmpty
    else { return }
    let group = platform == .iOS ? KeychainGroups.shared : KeychainGroups.universal
    let check: Check = platform == .iOS ? .groupMissing : .universalStorageMissing
    let isOther = platform == .iOS && groupHits.contains { concerns($0.place.file, project) }
    let ids = Set(settings.compactMap(\.bundleID))
    for path in paths {
      guard let list = reading.lists[path] else { continue }
      let groups = list.root["keychain-access-groups"]?.strings.map(\.groupName) ?? []
      if !groups.contains(where: { $0 == group || $0 == "*" }), !isOther {
        hits.append(Hit(check, path, list.span(of: "keychain-access-groups")))
      }
      readEntitled(groups, list.span(of: "keychain-access-groups"), path, ids, project)
    }
    guard paths.isEmpty,
      let line = settings.lazy.compactMap({ $0.setting("INFOPLIST_FILE") }).first
    else { return }
    if !isOther { hits.append(Hit(check, line.file, line.span)) }
    readEntitled([], line.span, line.file, ids, project)
  }

  /// The groups that code sets and the entitlements do not have.
  private mutating func readEntitled(
    _ entitled: [String], _ span: TextSpan, _ path: String, _ ids: Set<String>,
    _ project: XcodeProject
  ) {
    for (file, group) in groups where concerns(file, project) {
      guard let group, !group.value.contains("$") else { continue }
      let name = group.value.groupName
      let isOwn = ids.contains(name)
      guard !isOwn, name != KeychainGroups.shared, !entitled.contains(name),
        !entitled.contains("*")
      else { continue }
      hits.append(
        Hit(
          .groupNotEntitled, path, span, symbol: name,
          message: "the keychain group `\(name.shownGroup)` is not in the entitlements",
          remedy: "add it to `keychain-access-groups`"))
    }
  }

  /// Whether a file belongs to a project, or to none and so to all.
  private func concerns(_ file: String, _ project: XcodeProject) -> Bool {
    reading.owner(of: file).map { $0 == project.path } ?? true
  }

  // The broker's answer

  /// - Parameters:
  ///   - own: The files of a project that have a delegate or handle the broker's answer.
  ///   - others: Those of no project.
  private mutating func readAnswers(
    _ own: [SourceScan], _ hasScenes: Bool, others: [SourceScan]
  ) {
    let isHandled = (own + others).contains {
      $0.handlesResponses && (!hasScenes || $0.opensURLContexts)
    }
    guard !isHandled else { return }
    for scan in own {
      for span in hasScenes ? scan.sceneDelegates : scan.appDelegates {
        hits.append(Hit(.openURLMissing, scan.path, span))
      }
    }
  }
}

extension PropertyListText {
  /// The URL schemes of an Info.plist.
  var urlSchemes: [PlacedValue] {
    (root["CFBundleURLTypes"]?.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.array ?? [] }
  }

  /// The key, where it is there, else the root.
  func span(of key: String) -> TextSpan {
    text.span(root.entry(key)?.keyRange ?? root.range)
  }
}
