// SPDX-License-Identifier: MIT

/// An Xcode project, as far as rules ask for it.
package struct XcodeProject: Sendable {
  /// A file that the project refers to.
  package struct FileReference: Sendable {
    /// The path as it is written, or the name.
    package var path: String
    /// The path below the folder that is looked at, where groups tell it.
    package var location: String?
    package var span: TextSpan

    package var lastName: String { RelativePath.name(of: path) }
  }

  /// A Swift package that the project refers to.
  package typealias PackageReference = (url: String, requirement: String?, span: TextSpan)

  /// A configuration: what a target or the project says for it.
  package struct Configuration: Sendable {
    package var name: String
    package var settings: BuildSettings
    /// The path of the xcconfig file that it is based on, where groups tell it.
    package var base: String?
  }

  /// A target.
  package struct Target: Sendable {
    package var name: String
    package var productType: String
    package var configurations: [Configuration]
    /// The paths of its sources, where groups tell them.
    package var sources: [String]
    /// The folders that belong to it as a whole.
    package var folders: [String]
    /// The last names of what it links, and its package products.
    package var linked: [String]

    package var isTest: Bool { productType.contains("test") }
    package var isApplication: Bool {
      productType == "com.apple.product-type.application"
    }
    package var isAppExtension: Bool { productType.contains("extension") }
  }

  /// The path of the `project.pbxproj`.
  package let path: String
  /// The folder that the project is in.
  package let folder: String
  package private(set) var files: [FileReference] = []
  package private(set) var packages: [PackageReference] = []
  package private(set) var configurations: [Configuration] = []
  package private(set) var targets: [Target] = []

  /// - Returns: nil where the text is no project file.
  package init?(_ text: FileText, path: String) {
    // CocoaPods once wrote projects as XML.
    guard let root = PropertyListText.value(of: text), let list = root["objects"]?.entries else {
      return nil
    }
    self.path = path
    folder = RelativePath.folder(of: RelativePath.folder(of: path))
    var reader = XcodeObjects(list, text: text, path: path, folder: folder)
    reader.locateFiles()
    for entry in list {
      switch entry.value["isa"]?.string {
      case "PBXFileReference": files.append(reader.file(entry))
      case "XCRemoteSwiftPackageReference": packages.append(reader.package(entry))
      case "PBXNativeTarget": targets.append(reader.target(entry.value))
      case "PBXProject":
        configurations = reader.configurations(entry.value["buildConfigurationList"]?.string)
      default: break
      }
    }
  }
}

/// The objects of a project file by their ids.
struct XcodeObjects {
  private var objects: [String: PlacedValue] = [:]
  private var groups: [String: String] = [:]
  private let text: FileText
  private let path: String
  private let folder: String

  init(_ list: [PlacedValue.Entry], text: FileText, path: String, folder: String) {
    self.text = text
    self.path = path
    self.folder = folder
    for entry in list { objects[entry.key] = entry.value }
    for (id, object) in objects {
      for child in object["children"]?.strings ?? [] { groups[child] = id }
    }
  }

  private var locations: [String: String] = [:]

  /// Finds out where the files are, group by group from the outermost; groups inside themselves end.
  mutating func locateFiles() {
    for id in objects.keys { _ = locate(id) }
  }

  private static let deepest = 64

  private mutating func locate(_ id: String) -> String? {
    var chain: [String] = []
    var current: String? = id
    while let next = current, locations[next] == nil, chain.count < Self.deepest {
      chain.append(next)
      let tree = objects[next]?["sourceTree"]?.string
      current = tree == "<group>" ? groups[next] : nil
    }
    for id in chain.reversed() {
      guard let object = objects[id], let tree = object["sourceTree"]?.string else { continue }
      let base: String? =
        switch tree {
        case "<group>": groups[id].map { locations[$0] } ?? folder
        case "SOURCE_ROOT": folder
        default: nil
        }
      guard let base else { continue }
      locations[id] = object["path"]?.string.map { RelativePath.join(base, $0) } ?? base
    }
    return locations[id]
  }

  func file(_ entry: PlacedValue.Entry) -> XcodeProject.FileReference {
    XcodeProject.FileReference(
      path: entry.value["path"]?.string ?? entry.value["name"]?.string ?? "",
      location: locations[entry.key],
      span: text.span(entry.value["path"]?.range ?? entry.keyRange))
  }

  func package(_ entry: PlacedValue.Entry) -> XcodeProject.PackageReference {
    let url = entry.value["repositoryURL"]
    let requirement = entry.value["requirement"]
    return (
      url?.string ?? "",
      (requirement?["minimumVersion"] ?? requirement?["version"])?.string,
      text.span(url?.range ?? entry.keyRange)
    )
  }

  func configurations(_ list: String?) -> [XcodeProject.Configuration] {
    let ids = list.flatMap { objects[$0] }?["buildConfigurations"]?.strings ?? []
    return ids.compactMap { id in
      guard let object = objects[id] else { return nil }
      return XcodeProject.Configuration(
        name: object["name"]?.string ?? "",
        settings: BuildSettings(object["buildSettings"], file: path, text: text),
        base: object["baseConfigurationReference"]?.string.flatMap { locations[$0] })
    }
  }

  func target(_ object: PlacedValue) -> XcodeProject.Target {
    var sources: [String] = []
    var linked: [String] = []
    for phase in (object["buildPhases"]?.strings ?? []).compactMap({ objects[$0] }) {
      let files = (phase["files"]?.strings ?? []).compactMap { objects[$0] }
      switch phase["isa"]?.string {
      case "PBXSourcesBuildPhase":
        sources += files.compactMap { $0["fileRef"]?.string.flatMap { locations[$0] } }
      case "PBXFrameworksBuildPhase":
        linked += files.compactMap { file in
          let reference = file["fileRef"]?.string.flatMap { objects[$0] }
          let product = file["productRef"]?.string.flatMap { objects[$0] }
          return (reference?["path"] ?? product?["productName"])?.string.map(RelativePath.name)
        }
      default: break
      }
    }
    for product in object["packageProductDependencies"]?.strings ?? [] {
      // The frameworks phase names it too, but not that of every project.
      if let name = objects[product]?["productName"]?.string, !linked.contains(name) {
        linked.append(name)
      }
    }
    return XcodeProject.Target(
      name: object["name"]?.string ?? "", productType: object["productType"]?.string ?? "",
      configurations: configurations(object["buildConfigurationList"]?.string),
      sources: sources,
      folders: (object["fileSystemSynchronizedGroups"]?.strings ?? []).compactMap {
        locations[$0]
      },
      linked: linked)
  }
}
