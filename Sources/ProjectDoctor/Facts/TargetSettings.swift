// SPDX-License-Identifier: MIT
import ProjectFiles

/// The settings of a target in one configuration, as they are in effect.
struct TargetSettings {
  let project: XcodeProject
  let target: XcodeProject.Target
  let configuration: XcodeProject.Configuration
  let reading: ProjectReading
  /// The levels that set a setting, by precedence: the target's own, its xcconfig's with the files that it includes,
  /// the project's, its xcconfig's.
  let levels: [[BuildSettings]]

  /// The setting as it is written, on the first level that has it.
  func setting(_ name: String) -> PlacedText? { setting(name, from: 0)?.setting }

  private func setting(_ name: String, from level: Int) -> (setting: PlacedText, level: Int)? {
    for (level, files) in levels.enumerated().dropFirst(level) {
      if let setting = files.lazy.compactMap({ $0[name] }).first { return (setting, level) }
    }
    return nil
  }

  /// The value of a setting with its variables replaced; nil if it is missing or a part of it is unknown.
  func value(_ name: String) -> String? { setting(name) == nil ? nil : expand("$(\(name))") }

  var platform: Platform? {
    let supported = setting("SUPPORTED_PLATFORMS")?.value
    guard let root = setting("SDKROOT")?.value else { return nil }
    if root.hasPrefix("macosx") { return .macOS }
    guard root.hasPrefix("iphoneos") || root == "auto" else { return nil }
    if supported?.contains("iphoneos") ?? (root != "auto") { return .iOS }
    return root == "auto" && supported == "macosx" ? .macOS : nil
  }

  /// A text with its variables replaced as Xcode replaces them; nil where something of it is not known.
  func expand(_ text: String) -> String? {
    SettingExpansion { name, level in
      if let found = setting(name, from: level) { return (found.setting.value, found.level) }
      return level > levels.count ? nil : implied(name).map { ($0, levels.count) }
    }.expand(text)
  }

  /// Xcode's defaults for settings that no project sets.
  private func implied(_ name: String) -> String? {
    switch name {
    case "TARGET_NAME", "TARGETNAME": target.name
    case "SRCROOT", "PROJECT_DIR", "SOURCE_ROOT": "."
    case "CONFIGURATION": configuration.name
    case "PROJECT_NAME", "PROJECT":
      RelativePath.stem(of: RelativePath.folder(of: project.path))
    case "PRODUCT_NAME": "$(TARGET_NAME)"
    case "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)"
    default: nil
    }
  }

  /// The path of a file that a setting names, below the folder that is looked at.
  func file(_ setting: String) -> String? {
    guard let path = value(setting), !path.isEmpty else { return nil }
    return RelativePath.join(project.folder, path)
  }

  func list(_ setting: String) -> PropertyListText? {
    file(setting).flatMap { reading.lists[$0] }
  }

  /// The bundle id, or nil where it is not known.
  var bundleID: String? {
    let written = list("INFOPLIST_FILE")?.root["CFBundleIdentifier"]?.string
    return written.map(expand) ?? value("PRODUCT_BUNDLE_IDENTIFIER")
  }
}

extension ProjectReading {
  func settings(of target: XcodeProject.Target, in project: XcodeProject) -> [TargetSettings] {
    target.configurations.map { configuration in
      let general = project.configurations.first { $0.name == configuration.name }
      let levels = [configuration, general].flatMap {
        [[$0?.settings ?? [:]], settings(ofFile: $0?.base)]
      }
      return TargetSettings(
        project: project, target: target, configuration: configuration, reading: self,
        levels: levels)
    }
  }

  /// The settings of an xcconfig file, and the files that it includes.
  fileprivate func settings(ofFile path: String?) -> [BuildSettings] {
    var waiting = [path].compactMap { $0 }
    var seen: Set<String> = []
    var all: [BuildSettings] = []
    while let path = waiting.popLast(), seen.count < 64 {
      guard seen.insert(path).inserted, let (own, includes) = settings[path] else { continue }
      all.append(own)
      waiting += includes.compactMap { RelativePath.join(RelativePath.folder(of: path), $0) }
    }
    return all
  }
}
