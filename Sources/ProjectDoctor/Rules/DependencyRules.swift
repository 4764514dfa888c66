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
    for (text, value) in reading.packages { readPackage(value, text) }
    for text in reading.documents { readDocument(text) }
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
    let sign = (requirement ?? "").prefix { !$0.isNumber }
    let version = (requirement ?? "").dropFirst(sign.count)
    let newest: String? =
      switch sign.filter({ $0 != " " }) {
      case "", "=": String(version)
      // `~> 1.0.2` allows all of 1.0.
      case "~>":
        (version.split(separator: ".").dropLast() + ["\(UInt32.max)"]).joined(separator: ".")
      default: nil
      }
    versions.append(
      ADALVersion(
        version: version.isEmpty ? nil : String(version), newest: newest, source: .declared,
        place: Occurrence(span)))
  }

  private mutating func lock(_ version: String, _ span: TextSpan) {
    versions.append(
      ADALVersion(version: version, newest: version, source: .lock, place: Occurrence(span)))
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
    lock(version, span)
  }

  /// The part of this ADAL's cache that MSAL finds by itself.
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
      lock(version, text.span(url.range))
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

/// The rules for plugins of hybrid apps, and for ADAL beside MSAL.
extension Examination {
  private static let plugins: Set<String> = [
    "cordova-plugin-ms-adal", "react-native-ms-adal", "nativescript-adal",
  ]

  private mutating func readPackage(_ value: PlacedValue, _ text: FileText) {
    let tables = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
    let entries = (tables.map { value[$0] } + [value["cordova"]?["plugins"]])
      .flatMap { $0?.entries ?? [] }
    for entry in entries where Self.plugins.contains(entry.key) {
      hit(.adalPlugin, text.span(entry.keyRange), symbol: entry.key)
    }
  }

  private mutating func readDocument(_ text: FileText) {
    let isPlugin = ProjectFileKind(path: text.path) == .pluginXML
    var events = XMLEvents(text)
    while let event = events.next() {
      guard case .open(let name, let attributes) = event else { continue }
      for attribute in attributes {
        let isHit =
          isPlugin
          ? ["framework", "pod"].contains(name) && ["src", "name", "spec"].contains(attribute.name)
            && Self.isADAL(attribute.value)
          : name == "plugin" && ["name", "id", "spec"].contains(attribute.name)
            && Self.plugins.contains(attribute.value)
        if isHit {
          hit(.adalPlugin, text.span(events.range), symbol: attribute.value)
          break
        }
      }
    }
  }

  private static func isADAL(_ value: String) -> Bool {
    let name = RelativePath.name(of: value)
    return LibraryNames.adal.hasPod(name) || ["ADAL.framework", "ADALiOS.framework"].contains(name)
  }

  /// Both libraries for one target.
  private mutating func readBesideMSAL() {
    var adal: [String: Occurrence] = [:]
    var msal: Set<String> = []
    for podfile in reading.podfiles {
      let folder = RelativePath.folder(of: podfile.path)
      for pod in podfile.pods {
        // Outside of targets a pod is for all of them.
        let names = pod.targets.isEmpty ? podfile.targetNames : pod.targets.suffix(1)
        for name in names.map({ folder + "/" + $0 })
        where LibraryNames.adal.hasPod(pod.name) && adal[name] == nil {
          adal[name] = Occurrence(pod.span, symbol: pod.name)
        }
        guard LibraryNames.msal.hasPod(pod.name) else { continue }
        // A target inherits the settings of the targets around it.
        let all =
          names
          + podfile.pods.map(\.targets).filter { $0.starts(with: pod.targets) }
          .compactMap(\.last)
        msal.formUnion(all.map { folder + "/" + $0 })
      }
    }
    for project in reading.projects {
      for target in project.targets {
        let name = project.folder + "/" + target.name
        if adal[name] == nil, target.links("ADAL", LibraryNames.adal),
          let file = project.files.first(where: {
            LibraryNames.adal.binaries.contains($0.lastName)
          })
        {
          adal[name] = Occurrence(file.span, symbol: file.lastName)
        }
        if target.links("MSAL", LibraryNames.msal) { msal.insert(name) }
      }
    }
    let version = versions.first { $0.source == .lock }?.version ?? versions.first?.version
    let isShared = version.map { !$0.isOlderVersion(than: "2.7") } ?? true
    for (name, place) in adal where msal.contains(name) {
      hits.append(Hit(.adalBesideMSAL, place, severity: isShared ? .error : .warning))
    }
  }
}

extension Podfile {
  fileprivate var targetNames: [String] { Array(Set(pods.compactMap(\.targets.last))).sorted() }
}

extension XcodeProject.Target {
  /// Whether it links the package product or a binary of a library.
  fileprivate func links(_ product: String, _ library: LibraryNames) -> Bool {
    linked.contains { $0 == product || library.binaries.contains($0) }
  }
}
