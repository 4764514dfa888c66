// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for plugins of hybrid apps, and for ADAL beside MSAL.
extension DependencyRules {
  private static let plugins: Set<String> = [
    "cordova-plugin-ms-adal", "react-native-ms-adal", "nativescript-adal",
  ]

  mutating func readPlugins() {
    for (path, text, value) in reading.packages { readPackage(value, text, path) }
    for (path, text) in reading.documents { readDocument(text, path) }
  }

  private mutating func readPackage(_ value: PlacedValue, _ text: FileText, _ path: String) {
    let tables = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
    let entries = (tables.map { value[$0] } + [value["cordova"]?["plugins"]])
      .flatMap { $0?.entries ?? [] }
    for entry in entries where Self.plugins.contains(entry.key) {
      hits.append(Hit(.adalPlugin, path, text.span(entry.keyRange), symbol: entry.key))
    }
  }

  private mutating func readDocument(_ text: FileText, _ path: String) {
    let isPlugin = ProjectFileKind(path: path) == .pluginXML
    var events = XMLEvents(text)
    while let event = events.next() {
      guard case .open(let name, let attributes, _) = event else { continue }
      for attribute in attributes {
        let isHit =
          isPlugin
          ? ["framework", "pod"].contains(name) && ["src", "name", "spec"].contains(attribute.name)
            && Self.isADAL(attribute.value)
          : name == "plugin" && ["name", "id", "spec"].contains(attribute.name)
            && Self.plugins.contains(attribute.value)
        if isHit {
          hits.append(Hit(.adalPlugin, path, text.span(events.range), symbol: attribute.value))
          break
        }
      }
    }
  }

  /// Whether a plugin's framework or pod is ADAL.
  private static func isADAL(_ value: String) -> Bool {
    let name = RelativePath.name(of: value)
    return ADALNames.isPod(name) || ["ADAL.framework", "ADALiOS.framework"].contains(name)
  }

  /// Both libraries for one target.
  mutating func besideMSAL() {
    var adal: [String: Hit] = [:]
    var msal: Set<String> = []
    for (path, podfile) in reading.podfiles {
      let folder = RelativePath.folder(of: path)
      for pod in podfile.pods {
        // Outside of targets a pod is for all of them.
        let names = pod.targets.isEmpty ? podfile.targetNames : pod.targets.suffix(1)
        for name in names.map({ folder + "/" + $0 }) {
          if ADALNames.isPod(pod.name), adal[name] == nil {
            adal[name] = Hit(
              .adalBesideMSAL, path, podfile.lines.text.span(pod.nameRange), symbol: pod.name)
          }
          if MSALNames.isPod(pod.name) { msal.insert(name) }
        }
        // A target inherits what the ones around it have.
        if MSALNames.isPod(pod.name) {
          msal.formUnion(podfile.targetNames(inside: pod.targets).map { folder + "/" + $0 })
        }
      }
    }
    for project in reading.projects {
      for target in project.targets {
        let name = project.folder + "/" + target.name
        let links = target.linked.contains { $0 == "ADAL" || ADALNames.binaries.contains($0) }
        if links, adal[name] == nil,
          let file = project.files.first(where: { ADALNames.binaries.contains($0.lastName) })
        {
          adal[name] = Hit(.adalBesideMSAL, project.path, file.span, symbol: file.lastName)
        }
        if target.linked.contains(where: { $0 == "MSAL" || MSALNames.binaries.contains($0) }) {
          msal.insert(name)
        }
      }
    }
    let version = versions.first { $0.source == .lock }?.version ?? versions.first?.version
    let isShared = version.map { !VersionNumber.isOlder($0, than: "2.7") } ?? true
    for (name, hit) in adal where msal.contains(name) {
      var hit = hit
      hit.severity = isShared ? .error : .warning
      hits.append(hit)
    }
  }
}

extension Podfile {
  /// Every target that has pods.
  fileprivate var targetNames: [String] { Array(Set(pods.compactMap(\.targets.last))).sorted() }

  /// The targets inside of some.
  fileprivate func targetNames(inside outer: [String]) -> [String] {
    pods.map(\.targets).filter { $0.starts(with: outer) }.compactMap(\.last)
  }
}
