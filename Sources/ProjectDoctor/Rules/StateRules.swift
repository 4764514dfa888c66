// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for MSAL's requirements in a project: property lists, entitlements, deployment targets, the broker's
/// answer.
extension Examination {
  mutating func readState() {
    let answering = Dictionary(
      grouping: reading.scans.filter {
        $0.handlesResponses || !$0.appDelegates.isEmpty || !$0.sceneDelegates.isEmpty
      }, by: { reading.owner(of: $0.path) })
    for project in projects {
      var phoneApps: [TargetSettings] = []
      for target in project.targets {
        let settings = reading.settings(of: target, in: project)
        if diagnosis.library != .msal, !target.isTest { settings.forEach { readDeployment($0) } }
        if target.isAppExtension { readExtension(target) }
        guard target.isApplication, let platform = settings.lazy.compactMap(\.platform).first else {
          continue
        }
        readEntitlements(settings, platform, project)
        if platform == .iOS { phoneApps += settings }
      }
      guard !phoneApps.isEmpty else { continue }
      let lists = Set(phoneApps.compactMap { $0.file("INFOPLIST_FILE") })
        .compactMap { reading.lists[$0] }
      lists.forEach { readInfo($0) }
      let generated = "INFOPLIST_KEY_UIApplicationSceneManifest_Generation"
      let hasScenes =
        lists.contains { $0.root.entry("UIApplicationSceneManifest") != nil }
        || phoneApps.contains { $0.setting(generated)?.value == "YES" }
      readAnswers(answering[project.path] ?? [], hasScenes, others: answering[nil] ?? [])
    }
    if diagnosis.library != .msal { readPodfiles() }
  }

  // Deployment

  private mutating func readDeployment(_ settings: TargetSettings) {
    guard let platform = settings.platform,
      let setting = settings.setting(platform.deploymentTarget),
      let version = settings.value(platform.deploymentTarget)
    else { return }
    deployment(version, platform, setting.span)
  }

  private mutating func readPodfiles() {
    let platforms: [String: Platform] = ["ios": .iOS, "osx": .macOS, "macos": .macOS]
    for podfile in reading.podfiles
    where podfile.pods.contains(where: { LibraryNames.adal.hasPod($0.name) }) {
      for line in podfile.platforms {
        guard let platform = platforms[line.name] else { continue }
        deployment(line.version, platform, line.span)
      }
    }
  }

  private mutating func deployment(_ version: String, _ platform: Platform, _ span: TextSpan) {
    let least = doctor.msal.least(platform)
    guard version.first?.isNumber ?? false, version.isOlderVersion(than: least) else { return }
    let needs = "\(platform.rawValue) \(least)"
    hit(
      .deployTarget, span, symbol: version,
      message: "target is older than MSAL \(doctor.msal.version) supports (\(needs))",
      remedy: "raise the deployment target to \(needs)")
  }

  private mutating func readExtension(_ target: XcodeProject.Target) {
    let known = Set(target.sources)
    for (path, place) in uses
    where known.contains(path)
      || target.folders.contains(where: { RelativePath.isInside(path, $0) })
    {
      hits.append(Hit(.appExtension, place))
    }
  }

  // Info.plist

  private mutating func readInfo(_ list: PropertyListText) {
    let schemes = list.urlSchemes
    let lowered = schemes.map { ($0.string ?? "").lowercased() }
    for (scheme, name) in zip(schemes, lowered)
    where ["msauth", "msauthv2", "msauthv3"].contains(name) {
      hit(.urlSchemeReserved, list.text.span(scheme.range), symbol: name)
    }
    let hasBroker = lowered.contains { $0.hasPrefix("msauth.") }
    let hasClient = lowered.contains { $0.hasPrefix("msal") && !$0.hasPrefix("msauth") }
    let missing = ProjectDiagnosis.brokerSchemes(
      missingIn: list.root["LSApplicationQueriesSchemes"]?.strings ?? [])
    // MSAL with a scheme of the client's alone, as for B2C, asks no broker.
    let asksNoBroker = diagnosis.library == .msal && hasClient && !hasBroker
    if !missing.isEmpty, !asksNoBroker {
      let names = missing.map { "`\($0)`" }.joined(separator: " and ")
      hit(
        .querySchemesMissing, list.span(of: "LSApplicationQueriesSchemes"),
        message: "\(names) \(missing.count == 1 ? "is" : "are") not in LSApplicationQueriesSchemes")
    }
    if !hasBroker, !hasClient, keptSchemes.isDisjoint(with: lowered) {
      let types = list.root.entry("CFBundleURLTypes")
      let key = types?.value.array?.lazy.compactMap { $0.entry("CFBundleURLSchemes") }.first
      let range = (key ?? types)?.keyRange ?? list.root.range
      hit(.urlSchemeMissing, list.text.span(range))
    }
  }

  // Entitlements

  private mutating func readEntitlements(
    _ settings: [TargetSettings], _ platform: Platform, _ project: XcodeProject
  ) {
    let isNamed = settings.contains { $0.setting("CODE_SIGN_ENTITLEMENTS") != nil }
    let paths = Set(settings.compactMap { $0.file("CODE_SIGN_ENTITLEMENTS") }).sorted()
    // A file that is named and not there says nothing.
    guard paths.allSatisfy({ reading.lists[$0] != nil }), !isNamed || !paths.isEmpty else { return }
    let check: Check = platform == .iOS ? .groupMissing : .universalStorageMissing
    let uses = groupUses.filter { $0.concerns(project.path) }
    let isOther =
      platform == .iOS && uses.contains { $0.group?.groupName != Platform.iOS.group }
    let own = Set(settings.compactMap(\.bundleID)).union([Platform.iOS.group])
    let named = uses.compactMap(\.group).filter { !$0.contains("$") }.map(\.groupName)
    func read(_ groups: [String], _ span: TextSpan) {
      guard !groups.contains("*") else { return }
      if !groups.contains(platform.group), !isOther { hit(check, span) }
      for name in named where !own.contains(name) && !groups.contains(name) {
        hit(
          .groupNotEntitled, span, symbol: name,
          message: "the keychain group `\(name.shownGroup)` is not in the entitlements")
      }
    }
    for path in paths {
      guard let list = reading.lists[path] else { continue }
      let groups = list.root["keychain-access-groups"]?.strings.map(\.groupName) ?? []
      read(groups, list.span(of: "keychain-access-groups"))
    }
    let info = settings.lazy.compactMap { $0.setting("INFOPLIST_FILE") }.first
    if paths.isEmpty, let info { read([], info.span) }
  }

  // The broker's answer

  /// - Parameters:
  ///   - own: The files of a project that have a delegate or handle the broker's answer.
  ///   - others: Those of no project.
  private mutating func readAnswers(_ own: [SourceScan], _ hasScenes: Bool, others: [SourceScan]) {
    let isHandled = (own + others).contains {
      $0.handlesResponses && (!hasScenes || $0.opensURLContexts)
    }
    guard !isHandled else { return }
    for scan in own {
      let delegates = hasScenes ? scan.sceneDelegates : scan.appDelegates
      hits += delegates.map { Hit(.openURLMissing, Occurrence($0)) }
    }
  }
}

extension ProjectDiagnosis {
  /// The schemes that an app has to ask for to find the broker, but for those that it does.
  static func brokerSchemes(missingIn schemes: [String]) -> [String] {
    ["msauthv2", "msauthv3"].filter { !schemes.map { $0.lowercased() }.contains($0) }
  }
}

extension PropertyListText {
  var urlSchemes: [PlacedValue] {
    (root["CFBundleURLTypes"]?.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.array ?? [] }
  }

  /// The key, where it is there, else the root.
  fileprivate func span(of key: String) -> TextSpan {
    text.span(root.entry(key)?.keyRange ?? root.range)
  }
}
