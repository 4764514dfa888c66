// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// One run of all rules over what was read.
struct Examination {
  let reading: ProjectReading
  let doctor: Doctor
  private(set) var hits: [Hit] = []
  /// What is found out, but for the findings.
  private(set) var diagnosis: ProjectDiagnosis
  /// What sources and settings give ADAL.
  private var values: [GivenValues]
  private var sourceHits: [Hit] = []

  init(_ path: String, reading: ProjectReading, doctor: Doctor) {
    self.reading = reading
    self.doctor = doctor
    diagnosis = ProjectDiagnosis(path: path, msal: doctor.msal)
    diagnosis.read = reading.read
    diagnosis.skipped = reading.skipped
    values = [GivenValues(reading.lists)]
  }

  private static let stateFamilies: Set<String> = [
    "plist", "redirect", "keychain", "app", "deploy",
  ]

  mutating func run() {
    var dependencies = DependencyRules(reading)
    dependencies.run()
    for source in reading.adalSources {
      var rules = SourceRules(source.text, path: source.path, constants: reading.constants)
      rules.run()
      sourceHits += rules.hits
      values.append(rules.values)
    }
    // A podspec is no finding, and what it declares a trace all the same.
    let hasADAL =
      !reading.adalSources.isEmpty || !dependencies.hits.isEmpty || !dependencies.versions.isEmpty
    // A package that no line of code uses is not yet MSAL in the app.
    let hasMSAL = reading.scans.contains(where: \.hasMSAL)
    diagnosis.dependsOnMSAL = !dependencies.msalPaths.isEmpty
    diagnosis.library = hasADAL ? hasMSAL ? .both : .adal : hasMSAL ? .msal : .none
    diagnosis.adalVersions = known(dependencies.versions)
    if sourceHits.isEmpty, dependencies.hits.allSatisfy({ $0.check == .adalTransitive }) {
      diagnosis.adalOnlyThrough = Set(dependencies.throughOthers).sorted()
    }
    let uses = firstUses()
    let signsIn =
      !uses.isEmpty || reading.scans.contains(where: \.namesApplication)
      || dependencies.hits.contains { $0.check == .intuneSDK }
    let projects = projectsLookedAt(dependencies)
    hits = dependencies.hits + sourceHits
    readValues(projects)
    readState(projects, uses)
    if !signsIn { hits.removeAll { Self.stateFamilies.contains($0.check.family) } }
    if !hasADAL { hits.removeAll { ["authority", "resource"].contains($0.check.family) } }
    diagnosis.targets = projects.flatMap { reading.facts(of: $0) }
    collectFacts()
    diagnosis.facts.signsIn = signsIn
    for evidence in doctor.evidence {
      hits += evidence.hits(beside: diagnosis.facts, groups: groupsLookedInto())
    }
    hits = Array(Set(hits))
  }

  /// Lock files tell the version, else what is declared, else the names.
  private func known(
    _ versions: [ProjectDiagnosis.ADALVersion]
  ) -> [ProjectDiagnosis.ADALVersion] {
    let locked = versions.filter { $0.source == .lock }
    if !locked.isEmpty { return locked }
    let declared = versions.filter { $0.source == .declared && $0.version != nil }
    if !declared.isEmpty { return declared }
    let named = reading.scans.reduce(into: Set<String>()) { $0.formUnion($1.versions) }
    guard !reading.adalSources.isEmpty || !versions.isEmpty else { return [] }
    return named.isEmpty
      ? [.init(version: nil, source: .names, place: nil)]
      : named.sorted().map { .init(version: $0, source: .names, place: nil) }
  }

  private func firstUses() -> [String: ProjectDiagnosis.Occurrence] {
    var uses: [String: ProjectDiagnosis.Occurrence] = [:]
    for hit in sourceHits where ["import", "api"].contains(hit.check.family) {
      if let known = uses[hit.place.file], known.isBefore(hit.place) { continue }
      uses[hit.place.file] = hit.place
    }
    return uses
  }

  /// The projects with something of ADAL's or MSAL's in their folder or below.
  private func projectsLookedAt(_ dependencies: DependencyRules) -> [XcodeProject] {
    let traces =
      Set(dependencies.hits.map(\.place.file)).union(sourceHits.map(\.place.file))
      .union(dependencies.msalPaths).union(reading.scans.filter(\.hasMSAL).map(\.path))
    var folders: Set<String> = []
    for trace in traces {
      _ = RelativePath.folders(above: trace).first { !folders.insert($0).inserted }
    }
    return reading.projects.filter { folders.contains($0.folder) }
  }

  // Values

  private var redirectURIs: [PlacedText] {
    let files = Set(reading.adalSources.map(\.path))
    let named = reading.constants.literals(where: \.isRedirectURI).map(\.text)
      .filter { files.contains($0.file) }
    return values.flatMap(\.redirectURIs) + named
  }

  private mutating func readValues(_ projects: [XcodeProject]) {
    var rules = ValueRules(
      hosts: doctor.hosts, bundleIDs: bundleIDs(projects), reading: reading)
    for value in redirectURIs { rules.readRedirect(value) }
    for value in values.flatMap(\.authorities) { rules.readAuthority(value) }
    for source in reading.adalSources {
      for index in source.text.tokens.indices {
        guard let literal = source.text.literal(index), literal.utf8.count > 20 else { continue }
        rules.readTenant(
          PlacedText(value: literal, file: source.path, span: source.text.span(index)))
      }
    }
    for value in values.flatMap(\.resources) { rules.readResource(value) }
    rules.readClients(adal: values.flatMap(\.clientIDs), msal: reading.newClientIDs)
    hits += rules.hits
    keptSchemes = rules.keptSchemes
    for scan in reading.scans {
      hits += scan.closedServices.map { Hit($0.check, scan.path, $0.span) }
    }
    for value in values.first?.resources ?? [] {
      if let check = Check.ofClosedService(in: value.value) {
        hits.append(Hit(check, value.file, value.span))
      }
    }
  }

  private var keptSchemes: Set<String> = []

  private func bundleIDs(_ projects: [XcodeProject]) -> [String: Set<String>?] {
    var result: [String: Set<String>?] = [:]
    for project in projects {
      let ids = project.targets.filter(\.isApplication).flatMap {
        reading.settings(of: $0, in: project).map(\.bundleID)
      }
      result[project.path] = .some(ids.contains(nil) ? nil : Set(ids.compactMap { $0 }))
    }
    return result
  }

  // State

  private mutating func readState(
    _ projects: [XcodeProject], _ uses: [String: ProjectDiagnosis.Occurrence]
  ) {
    var rules = StateRules(
      reading: reading, msal: doctor.msal, library: diagnosis.library, projects: projects,
      groupHits: sourceHits.filter { [.groupCustom, .groupPrivate].contains($0.check) },
      groups: values.flatMap(\.groupUses).map { ($0.token.file, $0.value) },
      keptSchemes: keptSchemes, uses: uses)
    rules.run()
    hits += rules.hits
  }

  // Facts

  private mutating func collectFacts() {
    var facts = ProjectDiagnosis.Facts()
    let files = Set(reading.adalSources.map(\.path))
    let named = reading.constants.literals { $0.lowercased().isClientID }.map(\.text)
      .filter { files.contains($0.file) }
    facts.clientIDs = Self.facts(
      (values.flatMap(\.clientIDs) + named).filter {
        Policy.isClientID($0.value)
      })
    facts.authorities = Self.facts(
      values.flatMap(\.authorities).filter { WrittenAddress($0.value) != nil })
    facts.resources = Self.facts(
      values.flatMap(\.resources).filter {
        WrittenAddress($0.value) != nil || Policy.isClientID($0.value)
      })
    facts.redirectURIs = Self.facts(redirectURIs.filter { $0.value.isRedirectURIValue })
    facts.keychainGroups = Self.facts(values.flatMap(\.groupUses).compactMap(\.value))
    facts.savedUserIDs = Self.facts(values.flatMap(\.savedUserIDs))
    facts.usesOwnGroup = values.contains { $0.groupUses.contains { $0.value == nil } }
    facts.appDelegates = reading.scans.flatMap { scan in
      scan.appDelegates.map { ProjectDiagnosis.Occurrence(file: scan.path, span: $0) }
    }
    facts.podfiles = reading.podfiles.map(\.path)
    diagnosis.facts = facts
  }

  private static func facts(_ values: [PlacedText]) -> [ProjectDiagnosis.Fact] {
    var places: [String: Set<PlacedText>] = [:]
    for value in values { places[value.value, default: []].insert(value) }
    return places.sorted { RelativePath.isBefore($0.key, $1.key) }.map { value, texts in
      ProjectDiagnosis.Fact(
        value: value,
        places: texts.map { ProjectDiagnosis.Occurrence(file: $0.file, span: $0.span) }
          .sorted { $0.isBefore($1) })
    }
  }

  /// The keychain groups that the app will look into with MSAL, as far as code and entitlements say.
  private func groupsLookedInto() -> Set<String> {
    let (facts, targets) = (diagnosis.facts, diagnosis.targets)
    let code = facts.keychainGroups.map(\.value.groupName)
    let own = facts.usesOwnGroup ? targets.compactMap(\.bundleID) : []
    let isMac = targets.contains { $0.platform == "macOS" }
    let standard =
      isMac ? [KeychainGroups.universal, KeychainGroups.shared] : [KeychainGroups.shared]
    return Set(code + own).isEmpty ? Set(standard) : Set(code + own)
  }
}

extension ProjectReading {
  private static let clientTypes: Set<String> = [
    "MSALPublicClientApplication", "MSALPublicClientApplicationConfig",
  ]

  /// The client ids that MSAL gets.
  var newClientIDs: [PlacedText] {
    msalSources.flatMap { path, source in
      SourceOutline(source).invocations.compactMap { invocation in
        let isSwift =
          Self.clientTypes.contains(source.word(invocation.name))
          && invocation.arguments.first?.label == "clientId"
        guard isSwift || invocation.selector == "initWithClientId",
          let value = invocation.arguments.first?.value
        else { return nil }
        return constants.resolve(value, in: source, path: path)
      }
    }
  }

  /// What is known of a project's targets.
  func facts(of project: XcodeProject) -> [ProjectDiagnosis.TargetFacts] {
    project.targets.compactMap { target in
      let all = settings(of: target, in: project)
      guard !target.isTest, target.isApplication || target.isAppExtension,
        let settings = all.first, let platform = settings.platform
      else { return nil }
      var facts = ProjectDiagnosis.TargetFacts(
        name: target.name, platform: platform.rawValue, project: project.path)
      facts.isExtension = target.isAppExtension
      facts.bundleIDs = all.compactMap(\.bundleID).each
      facts.isBundleIDOpen = all.contains { $0.bundleID == nil }
      facts.deploymentTarget = settings.value(
        platform == .iOS ? "IPHONEOS_DEPLOYMENT_TARGET" : "MACOSX_DEPLOYMENT_TARGET")
      facts.infoPlist = settings.file("INFOPLIST_FILE").flatMap { lists[$0] == nil ? nil : $0 }
      facts.entitlements = settings.file("CODE_SIGN_ENTITLEMENTS")
        .flatMap { lists[$0] == nil ? nil : $0 }
      let entitled = facts.entitlements.flatMap { lists[$0] }?.root["keychain-access-groups"]
      facts.keychainGroups = entitled?.strings ?? []
      let info = facts.infoPlist.flatMap { lists[$0] }
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
