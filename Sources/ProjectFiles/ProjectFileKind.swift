// SPDX-License-Identifier: MIT

/// The kinds of files that are read, by their names in any capitals.
package enum ProjectFileKind: String, CaseIterable, Sendable, Hashable {
  case source
  case project
  case settings
  case propertyList
  case entitlements
  case podfile
  case podfileLock
  case podspec
  case cartfile
  case gitmodules
  case packageManifest
  case packageResolved
  case pluginXML
  case configXML
  case packageJSON

  /// The kind of the file at a path, or nil where it is none of these.
  package init?(path: String) {
    let name = RelativePath.name(of: path).lowercased()
    switch name {
    case "project.pbxproj": self = .project
    case "podfile": self = .podfile
    case "podfile.lock": self = .podfileLock
    case "cartfile", "cartfile.resolved": self = .cartfile
    case ".gitmodules": self = .gitmodules
    case "package.swift": self = .packageManifest
    case "package.resolved": self = .packageResolved
    case "plugin.xml": self = .pluginXML
    case "config.xml": self = .configXML
    case "package.json": self = .packageJSON
    default:
      switch RelativePath.fileExtension(of: path) {
      case "swift", "m", "mm", "h", "hpp", "pch": self = .source
      case "xcconfig": self = .settings
      case "plist": self = .propertyList
      case "entitlements": self = .entitlements
      case "podspec": self = .podspec
      default: return nil
      }
    }
  }

  /// The most bytes of such a file that are read: sources and property lists are written by hand,
  /// project and lock files by programs.
  var mostBytes: Int {
    switch self {
    case .project, .podfileLock, .packageResolved: 64 << 20
    default: 4 << 20
    }
  }
}
