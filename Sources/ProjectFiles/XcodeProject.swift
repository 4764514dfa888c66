// SPDX-License-Identifier: MIT

/// An Xcode project, as far as rules ask for it.
package struct XcodeProject: Sendable {
  package struct FileReference: Sendable {
    /// The path as it is written, or the name.
    package var path: String
    /// The path below the folder that is looked at, where groups tell it.
    package var location: String?
    package var span: TextSpan

    package var lastName: String { RelativePath.name(of: path) }
  }

  package typealias PackageReference = (url: String, requirement: String?, span: TextSpan)

  /// A configuration: the settings of a target or of the project.
  package struct Configuration: Sendable {
    package var name: String
    package var settings: BuildSettings
    /// The path of the xcconfig file that it is based on, where groups tell it.
    package var base: String?
  }

  package struct Target: Sendable {
    package var name: String
    package var productType: String
    package var configurations: [Configuration]
    /// The paths of its sources, where groups tell them.
    package var sources: [String]
    /// The folders that belong to it as a whole.
    package var folders: [String]
    /// The last names of its linked files, and its package products.
    package var linked: [String]

    package var isTest: Bool { productType.contains("test") }
    package var isApplication: Bool {
      productType == "com.apple.product-type.application"
    }
    package var isAppExtension: Bool { productType.contains("extension") }
  }

  /// The path of the `project.pbxproj`.
  package let path: String
  package let folder: String
  package private(set) var files: [FileReference] = []
  package private(set) var packages: [PackageReference] = []
  package private(set) var configurations: [Configuration] = []
  package private(set) var targets: [Target] = []

  package init(_ text: FileText) throws(Unreadable) {
    // CocoaPods once wrote projects as XML.
    guard let root = PropertyListText.value(of: text), let list = root["objects"]?.entries else {
      throw Unreadable(why: "not a project")
    }
    path = text.path
    folder = RelativePath.folder(of: RelativePath.folder(of: path))
    let reader = XcodeObjects(list, text: text, folder: folder)
    for entry in list {
      switch entry.value["isa"]?.string {
      case "PBXFileReference": files.append(reader.file(entry))
      case "XCRemoteSwiftPackageReference": packages.append(reader.package(entry))
      case "PBXNativeTarget": targets.append(reader.target(entry.value))
      case "PBXProject": configurations = reader.configurations(of: entry.value)
      default: break
      }
    }
  }
}

/// The objects of a project file by their ids.
private struct XcodeObjects {
  let text: FileText
  let folder: String
  private var objects: [String: PlacedValue] = [:]
  /// The group that each object is in.
  private var groups: [String: String] = [:]
  private var locations: [String: String] = [:]

  init(_ list: [PlacedValue.Entry], text: FileText, folder: String) {
    self.text = text
    self.folder = folder
    for entry in list {
      objects[entry.key] = entry.value
      for child in entry.value["children"]?.strings ?? [] { groups[child] = entry.key }
    }
    for entry in list { locate(entry.key) }
  }

  private static let deepest = 64

  /// Finds out where a file is, group by group from the outermost; groups inside themselves end.
  private mutating func locate(_ id: String) {
    var chain: [String] = []
    var current: String? = id
    while let next = current, locations[next] == nil, chain.count < Self.deepest {
      chain.append(next)
      let tree = objects[next]?["sourceTree"]?.string
      current = tree == "<group>" ? groups[next] : nil
    }
    for id in chain.reversed() {
      guard let object = objects[id] else { continue }
      let base: String? =
        switch object["sourceTree"]?.string {
        case "<group>": groups[id].map { locations[$0] } ?? folder
        case "SOURCE_ROOT": folder
        default: nil
        }
      guard let base else { continue }
      locations[id] = object["path"]?.string.map { RelativePath.join(base, $0) } ?? base
    }
  }

  private func object(_ id: PlacedValue?) -> PlacedValue? { id?.string.flatMap { objects[$0] } }

  private func objects(_ ids: PlacedValue?) -> [PlacedValue] {
    ids?.strings.compactMap { objects[$0] } ?? []
  }

  private func location(_ id: PlacedValue?) -> String? { id?.string.flatMap { locations[$0] } }

  func file(_ entry: PlacedValue.Entry) -> XcodeProject.FileReference {
    XcodeProject.FileReference(
      path: entry.value["path"]?.string ?? entry.value["name"]?.string ?? "",
      location: locations[entry.key],
      span: text.span(entry.value["path"]?.range ?? entry.keyRange))
  }

  func package(_ entry: PlacedValue.Entry) -> XcodeProject.PackageReference {
    let url = entry.value["repositoryURL"]
    let requirement = entry.value["requirement"]
    let version = requirement?["minimumVersion"] ?? requirement?["version"]
    return (url?.string ?? "", version?.string, text.span(url?.range ?? entry.keyRange))
  }

  func configurations(of object: PlacedValue) -> [XcodeProject.Configuration] {
    let list = self.object(object["buildConfigurationList"])
    return objects(list?["buildConfigurations"]).map { object in
      XcodeProject.Configuration(
        name: object["name"]?.string ?? "",
        settings: BuildSettings(object["buildSettings"], in: text),
        base: location(object["baseConfigurationReference"]))
    }
  }

  func target(_ object: PlacedValue) -> XcodeProject.Target {
    func files(_ phase: String) -> [PlacedValue] {
      objects(object["buildPhases"]).filter { $0["isa"]?.string == phase }
        .flatMap { objects($0["files"]) }
    }
    let linked = files("PBXFrameworksBuildPhase").compactMap { file in
      let product = self.object(file["productRef"])?["productName"]
      return (self.object(file["fileRef"])?["path"] ?? product)?.string.map(RelativePath.name)
    }
    let products = objects(object["packageProductDependencies"]).compactMap {
      $0["productName"]?.string
    }
    return XcodeProject.Target(
      name: object["name"]?.string ?? "", productType: object["productType"]?.string ?? "",
      configurations: configurations(of: object),
      sources: files("PBXSourcesBuildPhase").compactMap { location($0["fileRef"]) },
      folders: (object["fileSystemSynchronizedGroups"]?.strings ?? []).compactMap {
        locations[$0]
      },
      // The frameworks phase names products too, but not those of every project.
      linked: linked + products.filter { !linked.contains($0) })
  }
}
