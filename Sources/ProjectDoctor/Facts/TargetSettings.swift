// SPDX-License-Identifier: MIT
import ProjectFiles

/// The settings of a target in one configuration, as they are in effect.
struct TargetSettings {
  let project: XcodeProject
  let target: XcodeProject.Target
  let configuration: XcodeProject.Configuration
  let reading: ProjectReading

  /// The platforms whose MSAL this is about.
  enum Platform: String {
    case iOS = "iOS"
    case macOS = "macOS"
  }

  /// The settings by precedence: the target's own, its xcconfig's, the project's, its xcconfig's.
  func setting(_ name: String) -> BuildSettings.Setting? {
    let general = project.configurations.first { $0.name == configuration.name }
    return configuration.settings.settings[name]
      ?? fromFile(configuration.base, name)
      ?? general?.settings.settings[name]
      ?? fromFile(general?.base, name)
  }

  /// What an xcconfig file or one that it includes says.
  private func fromFile(_ path: String?, _ name: String) -> BuildSettings.Setting? {
    var waiting = [path].compactMap { $0 }
    var seen: Set<String> = []
    while let path = waiting.popLast(), seen.count < 64 {
      guard seen.insert(path).inserted, let (settings, includes) = reading.settings[path] else {
        continue
      }
      if let setting = settings.settings[name] { return setting }
      waiting += includes.compactMap { RelativePath.join(RelativePath.folder(of: path), $0) }
    }
    return nil
  }

  var platform: Platform? {
    let supported = setting("SUPPORTED_PLATFORMS")?.value
    guard let root = setting("SDKROOT")?.value else { return nil }
    if root.hasPrefix("iphoneos") { return supported?.contains("iphoneos") ?? true ? .iOS : nil }
    if root.hasPrefix("macosx") { return .macOS }
    if root == "auto" {
      if supported?.contains("iphoneos") ?? false { return .iOS }
      return supported == "macosx" ? .macOS : nil
    }
    return nil
  }

  /// A value with its variables replaced; nil where one is left.
  func expand(_ text: String) -> String? {
    var result = text
    for _ in 0..<16 {
      guard let start = result.firstRange(of: "$") else { return result }
      let rest = result[start.upperBound...]
      guard let open = rest.first,
        let close: Character = open == "(" ? ")" : open == "{" ? "}" : nil,
        let end = rest.firstIndex(of: close)
      else { return nil }
      let inner = rest[rest.index(after: rest.startIndex)..<end]
      let parts = inner.split(separator: ":", omittingEmptySubsequences: false)
      guard let name = parts.first, var value = variable(String(name)), value.utf8.count < 1024
      else { return nil }
      if parts.dropFirst().contains("rfc1034identifier") { value = value.asHostName }
      if parts.dropFirst().contains("lower") { value = value.lowercased() }
      result.replaceSubrange(start.lowerBound..<result.index(after: end), with: value)
      guard result.utf8.count < 4096 else { return nil }
    }
    return nil
  }

  private func variable(_ name: String) -> String? {
    switch name {
    case "TARGET_NAME", "TARGETNAME": return target.name
    case "SRCROOT", "PROJECT_DIR", "SOURCE_ROOT": return "."
    case "CONFIGURATION": return configuration.name
    case "PROJECT_NAME":
      return RelativePath.stem(of: RelativePath.folder(of: project.path))
    case "inherited": return nil
    case "PRODUCT_NAME":
      return setting(name)?.value ?? target.name
    default: return setting(name)?.value
    }
  }

  /// The path of a file that a setting names, below the folder that is looked at.
  func file(_ setting: String) -> String? {
    guard let value = self.setting(setting)?.value, !value.isEmpty, let path = expand(value) else {
      return nil
    }
    return RelativePath.join(project.folder, path)
  }

  /// The bundle id, or nil where it is not known.
  var bundleID: String? {
    if let path = file("INFOPLIST_FILE"), let list = reading.lists[path],
      let id = list.root["CFBundleIdentifier"]?.string
    {
      return expand(id)
    }
    return setting("PRODUCT_BUNDLE_IDENTIFIER").flatMap { expand($0.value) }
  }
}

extension String {
  /// With a hyphen for everything that a bundle id cannot have.
  fileprivate var asHostName: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" })
  }
}

extension ProjectReading {
  /// The settings of a target in each of its configurations.
  func settings(of target: XcodeProject.Target, in project: XcodeProject) -> [TargetSettings] {
    target.configurations.map {
      TargetSettings(project: project, target: target, configuration: $0, reading: self)
    }
  }
}
