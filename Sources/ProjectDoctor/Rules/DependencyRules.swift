// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for how ADAL gets in.
extension Examination {
  mutating func readDependencies() {
    for path in reading.vendored { hit(.adalVendored, TextSpan(startOf: path)) }
    for podfile in reading.podfiles { readPods(podfile) }
    for podspec in reading.podspecs { readPods(podspec, isSpec: true) }
    for pod in reading.locked { readLocked(pod) }
    for lines in reading.lines { readLines(lines) }
    for manifest in reading.manifests { readManifest(manifest) }
    for (text, value) in reading.resolved { readResolved(value, text) }
    for project in reading.projects { readProject(project) }
    for span in reading.scans.flatMap(\.resolvers) {
      hit(.sdkWithADAL, span, symbol: "ADALDependencyResolver")
    }
    readPlugins()
    // The Intune SDK matters beside ADAL only.
    let hasADAL = hits.contains { Self.bringsADAL.contains($0.check) }
    if !hasADAL, reading.adalSources.isEmpty { hits.removeAll { $0.check == .intuneSDK } }
    readBesideMSAL()
  }

  private static let bringsADAL: Set<Check> = [
    .adalDeclared, .adalVersion, .adalVendored, .adalLinked, .adalPlugin, .adalTransitive,
  ]

  private static func isIntune(_ name: String) -> Bool {
    name.hasPrefix("IntuneMAM") || name.hasPrefix("libIntuneMAM")
  }

  // CocoaPods

  /// A podspec is a version and no finding: its subspecs depend on one another by the same words.
  private mutating func readPods(_ podfile: Podfile, isSpec: Bool = false) {
    for pod in podfile.pods {
      let isADAL = LibraryNames.adal.hasPod(pod.name)
      if isADAL { declare(pod.requirement, pod.span) }
      if isSpec { continue }
      if isADAL {
        hit(.adalDeclared, pod.span, symbol: pod.name, becomes: "`pod 'MSAL'`")
        if pod.isFork { hit(.adalFork, pod.span, symbol: pod.name) }
      } else if LibraryNames.msal.hasPod(pod.name) {
        msalPaths.insert(podfile.path)
      } else if ["Office365", "OneDriveSDK", "Office-365-SDK"].contains(where: pod.name.hasPrefix) {
        hit(.sdkWithADAL, pod.span, symbol: pod.name)
      } else if Self.isIntune(pod.name) {
        hit(.intuneSDK, pod.span, symbol: pod.name)
      }
    }
  }

  private mutating func declare(_ requirement: String?, _ span: TextSpan) {
    let version = requirement.map { String($0.drop { !$0.isNumber }) } ?? ""
    add(version.isEmpty ? nil : version, .declared, span)
  }

  private mutating func add(_ version: String?, _ source: ADALVersion.Source, _ span: TextSpan) {
    versions.append(ADALVersion(version: version, source: source, place: Occurrence(span)))
  }

  private mutating func readLocked(_ pod: LockedPod) {
    if LibraryNames.msal.hasPod(pod.name) { msalPaths.insert(pod.span.file) }
    if LibraryNames.adal.pods.contains(pod.name) { lockVersion(pod.version, pod.span, pod.name) }
    guard !LibraryNames.adal.hasPod(pod.name) else { return }
    for dependency in pod.dependencies where LibraryNames.adal.hasPod(dependency.name) {
      throughOthers.append(pod.name)
      hit(
        .adalTransitive, dependency.span, symbol: dependency.name,
        message: "`\(pod.name)` needs ADAL")
    }
  }

  private mutating func lockVersion(_ version: String, _ span: TextSpan, _ symbol: String) {
    hit(.adalVersion, span, symbol: symbol, message: Self.cache(ofVersion: version))
    add(version, .lock, span)
  }

  /// What MSAL finds by itself in the cache of this ADAL.
  private static func cache(ofVersion version: String) -> String {
    if version.isEmpty { return "devices have ADAL's cache" }
    let form =
      version.isOlderVersion(than: "2.0")
      ? "archived items of 1.x without home account ids"
      : version.isOlderVersion(than: "2.7")
        ? "archived items that MSAL finds by user name only"
        : "entries that MSAL reads, beside archived items"
    return "devices have ADAL \(version)'s cache: \(form)"
  }

  // Carthage, submodules, Swift packages

  private mutating func readLines(_ lines: DependencyLines) {
    let path = lines.text.path
    let isResolved = RelativePath.name(of: path).lowercased() == "cartfile.resolved"
    let isModules = ProjectFileKind(path: path) == .gitmodules
    for line in lines.lines
    where isModules ? line.keyword == "url" : ["github", "git"].contains(line.keyword) {
      guard let piece = isModules ? line.pieces.last : line.quoted.first else { continue }
      let span = lines.text.span(piece.range)
      if readRepository(piece.text, span), isResolved, line.quoted.count > 1 {
        lockVersion(line.quoted[1].text, span, "ADAL")
      }
    }
  }

  /// Notes which library a repository is of. Returns whether it is ADAL.
  private mutating func readRepository(
    _ url: String, _ span: TextSpan, mayBeFork: Bool = true
  ) -> Bool {
    if LibraryNames.msal.hasRepository(url) { msalPaths.insert(span.file) }
    guard LibraryNames.adal.hasRepository(url) else { return false }
    hit(.adalDeclared, span)
    // A repository that is not ADAL's own.
    if mayBeFork, !url.lowercased().contains("azuread/") { hit(.adalFork, span) }
    return true
  }

  private mutating func readManifest(_ manifest: SourceText) {
    for index in manifest.tokens.indices {
      guard let literal = manifest.literal(index) else { continue }
      if literal.contains("/") {
        _ = readRepository(literal, manifest.span(index))
      } else if LibraryNames.msal.hasRepository(literal) {
        msalPaths.insert(manifest.path)
      }
    }
  }

  private mutating func readResolved(_ value: PlacedValue, _ text: FileText) {
    for pin in value["pins"]?.array ?? value["object"]?["pins"]?.array ?? [] {
      guard let url = pin["location"] ?? pin["repositoryURL"], let address = url.string,
        readRepository(address, text.span(url.range), mayBeFork: false),
        let version = pin["state"]?["version"]?.string
      else { continue }
      add(version, .lock, text.span(url.range))
    }
  }

  // Xcode

  private static let linked = LibraryNames.adal.binaries.union([
    "ADAL.xcodeproj", "ADALiOS.xcodeproj", "ADALiOS.bundle", "ADAL_iPhone_Storyboard.storyboard",
    "ADAL_iPad_Storyboard.storyboard",
  ])

  private mutating func readProject(_ project: XcodeProject) {
    for file in project.files {
      let name = file.lastName
      if Self.linked.contains(name) {
        hit(.adalLinked, file.span, symbol: name)
      } else if Self.isIntune(name) {
        hit(.intuneSDK, file.span, symbol: name)
      } else if LibraryNames.msal.binaries.contains(name) {
        msalPaths.insert(project.path)
      }
    }
    for package in project.packages where readRepository(package.url, package.span) {
      declare(package.requirement, package.span)
    }
  }
}

extension Podfile.Pod {
  /// Whether it is not a release.
  fileprivate var isFork: Bool {
    line.pieces.contains { piece in
      // `git: '…'` is the same as `:git => '…'`.
      let option = piece.text.hasSuffix(":") ? ":" + piece.text.dropLast() : piece.text
      return !piece.isQuoted && [":git", ":branch", ":commit", ":path"].contains(option)
    }
  }
}
