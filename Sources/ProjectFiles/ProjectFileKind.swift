// SPDX-License-Identifier: MIT

/// The kinds of files that are read, with the usual name of such a file; they go by their names in any capitals.
package enum ProjectFileKind: String, CaseIterable, Sendable, Hashable {
  case source = "source file"
  case project
  case settings = "xcconfig file"
  /// Entitlements, too.
  case propertyList = "property list"
  case podfile = "Podfile"
  case podfileLock = "Podfile.lock"
  case podspec
  case cartfile = "Cartfile"
  case gitmodules = ".gitmodules file"
  case packageManifest = "package manifest"
  case packageResolved = "Package.resolved file"
  case pluginXML = "plugin.xml file"
  case configXML = "config.xml file"
  case packageJSON = "package.json file"

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
      case "plist", "entitlements": self = .propertyList
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
