// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for plugins of hybrid apps, and for ADAL beside MSAL.
extension Examination {
  private static let plugins: Set<String> = [
    "cordova-plugin-ms-adal", "react-native-ms-adal", "nativescript-adal",
  ]

  mutating func readPlugins() {
    for (text, value) in reading.packages { readPackage(value, text) }
    for text in reading.documents { readDocument(text) }
  }

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
  mutating func readBesideMSAL() {
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
        // A target inherits what the ones around it have.
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
