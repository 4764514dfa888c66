// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// A rule that fired at one place.
struct Hit: Sendable, Hashable {
  /// The words for a finding without places.
  let finding: Finding
  var place: Occurrence

  var check: Check { finding.check }

  init(
    _ check: Check, _ place: Occurrence, severity: Severity? = nil, message: String? = nil,
    remedy: String? = nil, becomes: String? = nil
  ) {
    finding = Finding(
      check: check, severity: severity ?? check.severity, message: message ?? check.summary,
      remedy: remedy ?? check.remedy, becomes: becomes, places: [])
    self.place = place
  }
}

/// One run of all rules over a reading.
struct Examination {
  let reading: ProjectReading
  let doctor: Doctor
  var hits: [Hit] = []
  /// The results, with findings last.
  var diagnosis: ProjectDiagnosis
  /// The values that property lists and sources pass to ADAL.
  private(set) var values: GivenValues
  private(set) var groupUses: [GroupUse] = []
  /// The paths with MSAL as a dependency.
  var msalPaths: Set<String> = []
  /// The traces that tell the ADAL version of the app.
  var versions: [ADALVersion] = []
  /// Pods that need ADAL.
  var throughOthers: [String] = []
  /// Findings in sources that use ADAL.
  private(set) var sourceHits: [Hit] = []
  /// Files with a finding of `import` or `api`, with the first of them.
  private(set) var uses: [String: Occurrence] = [:]
  /// The projects with something of ADAL's or MSAL's in their folder or below.
  private(set) var projects: [XcodeProject] = []
  /// Schemes of redirect URIs in ADAL's form.
  var keptSchemes: Set<String> = []

  init(_ path: String, reading: ProjectReading, doctor: Doctor) {
    self.reading = reading
    self.doctor = doctor
    diagnosis = ProjectDiagnosis(
      path: path, msal: doctor.msal, readKinds: reading.folder.readKinds,
      readBytes: reading.folder.readBytes, skipped: reading.folder.skipped)
    values = reading.listedValues
  }

  mutating func run() {
    readDependencies()
    let dependencies = hits
    for source in reading.adalSources {
      var rules = SourceRules(source, constants: reading.constants)
      rules.run()
      sourceHits += rules.hits
      values.merge(rules.values, uniquingKeysWith: +)
      groupUses += rules.groups.map {
        GroupUse(group: $0, project: reading.owner(of: source.path))
      }
    }
    // A podspec is not a finding, but its declarations are a trace.
    let hasADAL = !reading.adalSources.isEmpty || !dependencies.isEmpty || !versions.isEmpty
    // A package that no line of code uses is not yet MSAL in the app.
    let hasMSAL = reading.scans.contains(where: \.hasMSAL)
    diagnosis.dependsOnMSAL = !msalPaths.isEmpty
    diagnosis.library = hasADAL ? hasMSAL ? .both : .adal : hasMSAL ? .msal : .none
    diagnosis.adalVersions = knownVersions
    if sourceHits.isEmpty, dependencies.allSatisfy({ $0.check == .adalTransitive }) {
      diagnosis.adalOnlyThrough = Set(throughOthers).sorted()
    }
    readDefaultGroup()
    for place in sourceHits.filter({ ["import", "api"].contains($0.check.family) }).map(\.place)
    where !(uses[place.file]?.isBefore(place) ?? false) {
      uses[place.file] = place
    }
    let signsIn =
      !uses.isEmpty || reading.scans.contains(where: \.namesApplication)
      || dependencies.contains { $0.check == .intuneSDK }
    hits += sourceHits
    findProjects()
    readValues()
    readState()
    // MSAL's requirements apply to projects that sign in, and the rules for values apply to projects with ADAL.
    let state = signsIn ? [] : ["plist", "redirect", "keychain", "app", "deploy"]
    let others = state + (hasADAL ? [] : ["authority", "resource"])
    hits.removeAll { others.contains($0.check.family) }
    diagnosis.targets = projects.flatMap { reading.facts(of: $0) }
    diagnosis.facts = facts
    diagnosis.facts.signsIn = signsIn
    for evidence in doctor.evidence {
      hits += evidence.hits(beside: diagnosis.facts, groups: groupsLookedInto)
    }
    hits = Array(Set(hits))
  }

  mutating func hit(
    _ check: Check, _ span: TextSpan, symbol: String? = nil, severity: Severity? = nil,
    message: String? = nil, remedy: String? = nil, becomes: String? = nil
  ) {
    hits.append(
      Hit(
        check, Occurrence(span, symbol: symbol), severity: severity, message: message,
        remedy: remedy, becomes: becomes))
  }

  /// Lock files tell the version, or else declarations, or else the names.
  private var knownVersions: [ADALVersion] {
    let locked = versions.filter { $0.source == .lock }
    if !locked.isEmpty { return locked }
    let declared = versions.filter { $0.source == .declared && $0.version != nil }
    if !declared.isEmpty { return declared }
    guard !reading.adalSources.isEmpty || !versions.isEmpty else { return [] }
    let named: [String?] = Set(reading.scans.flatMap(\.versions)).sorted()
    return (named.isEmpty ? [nil] : named).map { .init(version: $0, source: .names, place: nil) }
  }

  /// Where the code names no group, ADAL 1.0 uses the app's own one, and later ADAL a shared one
  /// (ADKeychainTokenCacheStore.m at 1.0.2 and 1.1.0).
  private mutating func readDefaultGroup() {
    for version in diagnosis.adalVersions where version.isOlder(than: "1.1") {
      guard let place = version.place else { continue }
      let project = reading.owner(of: place.file)
      guard !groupUses.contains(where: { project == nil || $0.concerns(project) }) else { continue }
      sourceHits.append(Hit(.groupPrivate, place))
      groupUses.append(GroupUse(group: nil, project: project))
    }
  }

  private mutating func findProjects() {
    let traces = Set(hits.map(\.place.file)).union(msalPaths)
      .union(reading.scans.filter(\.hasMSAL).map(\.path))
    var folders: Set<String> = []
    for trace in traces {
      _ = RelativePath.folders(above: trace).first { !folders.insert($0).inserted }
    }
    projects = reading.projects.filter { folders.contains($0.folder) }
  }

  // Facts

  /// Literals in files that use ADAL, if their names match.
  private func literals(named isMeant: (String) -> Bool) -> [PlacedText] {
    let files = Set(reading.adalSources.map(\.path))
    return reading.constants.literals(where: isMeant).filter { files.contains($0.span.file) }
  }

  var redirectURIs: [PlacedText] {
    values[.redirectURI, default: []] + literals(named: \.isRedirectURI)
  }

  private var facts: Facts {
    var all = values
    all[.clientID, default: []] += literals { $0.lowercased().isClientID }
    all[.redirectURI] = redirectURIs
    var facts = Facts()
    for (kind, texts) in all {
      facts[kind] = Self.facts(texts.filter { $0.value.isValue(of: kind) })
    }
    facts.groupUses = groupUses
    facts.appDelegates = reading.scans.flatMap(\.appDelegates).map { Occurrence($0) }
    facts.podfiles = reading.podfiles.map(\.path)
    return facts
  }

  private static func facts(_ values: [PlacedText]) -> [Fact] {
    let byValue = Dictionary(grouping: Set(values), by: \.value)
    return byValue.sorted { RelativePath.isBefore($0.key, $1.key) }.map { value, texts in
      Fact(value: value, places: texts.map { Occurrence($0.span) }.sorted { $0.isBefore($1) })
    }
  }

  /// The keychain groups that the app will look into with MSAL, as far as code and entitlements say.
  private var groupsLookedInto: Set<String> {
    let ofTargets = diagnosis.targets.flatMap { target in
      let uses = groupUses.filter { $0.concerns(target.project) }
      return uses.isEmpty
        ? [target.platform.group, Platform.iOS.group]
        : uses.compactMap {
          $0.group?.groupName ?? diagnosis.firstGroup(of: target) ?? target.bundleID
        }
    }
    let groups = ofTargets.isEmpty ? groupUses.compactMap { $0.group?.groupName } : ofTargets
    return groups.isEmpty ? [Platform.iOS.group] : Set(groups)
  }
}

extension ProjectReading {
  /// The facts about a project's targets.
  fileprivate func facts(of project: XcodeProject) -> [TargetFacts] {
    project.targets.compactMap { target in
      let all = settings(of: target, in: project)
      guard !target.isTest, target.isApplication || target.isAppExtension,
        let settings = all.first, let platform = settings.platform
      else { return nil }
      var facts = TargetFacts(name: target.name, platform: platform, project: project.path)
      facts.isExtension = target.isAppExtension
      facts.bundleIDs = all.compactMap(\.bundleID).each
      facts.isBundleIDOpen = all.contains { $0.bundleID == nil }
      facts.deploymentTarget = settings.value(platform.deploymentTarget)
      let info = settings.list("INFOPLIST_FILE")
      let entitlements = settings.list("CODE_SIGN_ENTITLEMENTS")
      facts.infoPlist = info?.text.path
      facts.entitlements = entitlements?.text.path
      facts.keychainGroups = entitlements?.root["keychain-access-groups"]?.strings ?? []
      let schemes = info?.urlSchemes.compactMap(\.string) ?? []
      facts.urlSchemes = all.flatMap { own in schemes.map { own.expand($0) ?? $0 } }.each
      facts.querySchemes = info?.root["LSApplicationQueriesSchemes"]?.strings ?? []
      return facts
    }
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  var each: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
