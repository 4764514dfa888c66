// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for how ADAL gets in.
struct DependencyRules {
  let reading: ProjectReading
  var hits: [Hit] = []
  /// Where MSAL is a dependency.
  private(set) var msalPaths: Set<String> = []
  private(set) var versions: [ProjectDiagnosis.ADALVersion] = []
  /// Pods that need ADAL.
  private(set) var throughOthers: [String] = []
  /// Paths with something of the Intune SDK, which matters beside ADAL only.
  private var intune: [Hit] = []

  init(_ reading: ProjectReading) { self.reading = reading }

  mutating func run() {
    readVendored()
    for (path, podfile) in reading.podfiles { readPodfile(podfile, path) }
    for (path, podspec) in reading.podspecs { readPodspec(podspec, path) }
    for (path, lock) in reading.locks { readLock(lock, path) }
    for (path, lines) in reading.lines { readLines(lines, path) }
    for (path, manifest) in reading.manifests { readManifest(manifest, path) }
    for (path, text, value) in reading.resolved { readResolved(value, text, path) }
    for project in reading.projects { readProject(project) }
    for scan in reading.scans {
      for span in scan.resolvers {
        hits.append(Hit(.sdkWithADAL, scan.path, span, symbol: "ADALDependencyResolver"))
      }
    }
    readPlugins()
    let hasADAL = hits.contains { Self.bringsADAL.contains($0.check) }
    if hasADAL || !reading.adalSources.isEmpty { hits += intune }
    besideMSAL()
  }

  private static let bringsADAL: Set<Check> = [
    .adalDeclared, .adalVersion, .adalVendored, .adalLinked, .adalPlugin, .adalTransitive,
  ]

  private mutating func readVendored() {
    let start = TextSpan(
      start: TextPosition(line: 1, column: 1), end: TextPosition(line: 1, column: 1))
    for header in reading.vendored.found {
      hits.append(Hit(.adalVendored, header, start))
    }
    for bundle in reading.vendored.bundles {
      hits.append(Hit(.adalVendored, bundle + "/Info.plist", start))
    }
  }

  private static func isIntune(_ name: String) -> Bool {
    name.hasPrefix("IntuneMAM") || name.hasPrefix("libIntuneMAM")
  }

  // CocoaPods

  private static let sdkPods = ["Office365", "OneDriveSDK", "Office-365-SDK"]

  private mutating func readPodfile(_ podfile: Podfile, _ path: String) {
    for pod in podfile.pods {
      let span = podfile.lines.text.span(pod.nameRange)
      if ADALNames.isPod(pod.name) {
        hits.append(Hit(.adalDeclared, path, span, symbol: pod.name, becomes: "`pod 'MSAL'`"))
        readFork(pod, podfile, path)
        declare(pod.requirement, path, span)
      } else if MSALNames.isPod(pod.name) {
        msalPaths.insert(path)
      } else if Self.sdkPods.contains(where: pod.name.hasPrefix) {
        hits.append(Hit(.sdkWithADAL, path, span, symbol: pod.name))
      } else if Self.isIntune(pod.name) {
        intune.append(Hit(.intuneSDK, path, span, symbol: pod.name))
      }
    }
  }

  /// A podspec is a version and no finding: its subspecs depend on one another by the same words.
  private mutating func readPodspec(_ podspec: Podfile, _ path: String) {
    for pod in podspec.pods where ADALNames.isPod(pod.name) {
      declare(pod.requirement, path, podspec.lines.text.span(pod.nameRange))
    }
  }

  private static let forks: Set<String> = [":git", ":branch", ":commit", ":path"]

  private mutating func readFork(_ pod: Podfile.Pod, _ podfile: Podfile, _ path: String) {
    let options = pod.line.pieces.filter { !$0.isQuoted }.map { piece in
      // `git: '…'` is the same as `:git => '…'`.
      piece.text.hasSuffix(":") ? ":" + piece.text.dropLast() : piece.text
    }
    guard options.contains(where: Self.forks.contains) else { return }
    hits.append(Hit(.adalFork, path, podfile.lines.text.span(pod.nameRange), symbol: pod.name))
  }

  private mutating func declare(_ requirement: String?, _ path: String, _ span: TextSpan) {
    let version = requirement?.drop { !$0.isNumber }
    versions.append(
      .init(
        version: version.flatMap { $0.isEmpty ? nil : String($0) }, source: .declared,
        place: .init(file: path, span: span)))
  }

  private mutating func readLock(_ lock: PodfileLock, _ path: String) {
    for pod in lock.pods {
      if MSALNames.isPod(pod.name) { msalPaths.insert(path) }
      if pod.name == "ADAL" || pod.name == "ADALiOS" {
        version(pod.version, path, lock.text.span(pod.range), pod.name)
      }
      guard !ADALNames.isPod(pod.name) else { continue }
      for dependency in pod.dependencies where ADALNames.isPod(dependency.name) {
        throughOthers.append(pod.name)
        hits.append(
          Hit(
            .adalTransitive, path, lock.text.span(dependency.range), symbol: dependency.name,
            message: "`\(pod.name)` needs ADAL",
            remedy: """
              update that SDK first; with ADAL 2.7 or later, MSAL cannot be linked beside it
              """))
      }
    }
  }

  private mutating func version(
    _ version: String, _ path: String, _ span: TextSpan, _ symbol: String
  ) {
    hits.append(
      Hit(
        .adalVersion, path, span, symbol: symbol,
        message: Counterparts.cache(ofVersion: version)))
    versions.append(
      .init(version: version, source: .lock, place: .init(file: path, span: span)))
  }

  // Carthage, submodules, Swift packages

  private mutating func readLines(_ lines: DependencyLines, _ path: String) {
    let isResolved = RelativePath.name(of: path).lowercased() == "cartfile.resolved"
    let isModules = ProjectFileKind(path: path) == .gitmodules
    for line in lines.lines {
      let isEntry = isModules ? line.keyword == "url" : ["github", "git"].contains(line.keyword)
      guard isEntry,
        let piece = isModules ? line.pieces.last : line.quoted.first
      else { continue }
      let span = lines.text.span(piece.range)
      guard readRepository(piece.text, path, span) else { continue }
      fork(piece.text, path, span)
      if isResolved, line.quoted.count > 1 {
        version(line.quoted[1].text, path, span, "ADAL")
      }
    }
  }

  /// Notes which library a repository is of. Returns whether it is ADAL.
  private mutating func readRepository(
    _ url: String, _ path: String, _ span: @autoclosure () -> TextSpan
  ) -> Bool {
    if MSALNames.isRepository(url) { msalPaths.insert(path) }
    guard ADALNames.isRepository(url) else { return false }
    hits.append(Hit(.adalDeclared, path, span()))
    return true
  }

  /// A repository that is not ADAL's own.
  private mutating func fork(_ url: String, _ path: String, _ span: TextSpan) {
    if !url.lowercased().contains("azuread/") { hits.append(Hit(.adalFork, path, span)) }
  }

  private mutating func readManifest(_ manifest: SourceText, _ path: String) {
    for index in manifest.tokens.indices {
      guard let literal = manifest.literal(index) else { continue }
      if MSALNames.isRepository(literal) { msalPaths.insert(path) }
      guard ADALNames.isRepository(literal), literal.contains("/") else { continue }
      hits.append(Hit(.adalDeclared, path, manifest.span(index)))
      fork(literal, path, manifest.span(index))
    }
  }

  private mutating func readResolved(_ value: PlacedValue, _ text: FileText, _ path: String) {
    let pins = value["pins"]?.array ?? value["object"]?["pins"]?.array ?? []
    for pin in pins {
      guard let url = pin["location"] ?? pin["repositoryURL"], let address = url.string else {
        continue
      }
      guard readRepository(address, path, text.span(url.range)) else { continue }
      if let version = pin["state"]?["version"]?.string {
        versions.append(
          .init(
            version: version, source: .lock,
            place: .init(file: path, span: text.span(url.range))))
      }
    }
  }

  // Xcode

  private static let linked: Set<String> = [
    "ADAL.framework", "ADALiOS.framework", "libADAL.a", "libADALiOS.a", "ADAL.xcodeproj",
    "ADALiOS.xcodeproj", "ADALiOS.bundle", "ADAL_iPhone_Storyboard.storyboard",
    "ADAL_iPad_Storyboard.storyboard",
  ]

  private mutating func readProject(_ project: XcodeProject) {
    for file in project.files {
      let name = file.lastName
      if Self.linked.contains(name) {
        hits.append(Hit(.adalLinked, project.path, file.span, symbol: name))
      } else if Self.isIntune(name) {
        intune.append(Hit(.intuneSDK, project.path, file.span, symbol: name))
      } else if MSALNames.binaries.contains(name) {
        msalPaths.insert(project.path)
      }
    }
    for package in project.packages {
      guard readRepository(package.url, project.path, package.span) else { continue }
      fork(package.url, project.path, package.span)
      declare(package.requirement, project.path, package.span)
    }
  }
}
