// SPDX-License-Identifier: MIT
import ProjectFiles

/// Everything that was read of a project, before any rule.
struct ProjectReading: Sendable {
  var scans: [SourceScan] = []
  var adalSources: [SourceText] = []
  var msalSources: [SourceText] = []
  var constants = Constants()
  private(set) var projects: [XcodeProject] = []
  /// The path of the project in each folder that has one.
  private var projectIn: [String: String] = [:]
  var settings: [String: (BuildSettings, [String])] = [:]
  var lists: [String: PropertyListText] = [:]
  var podfiles: [Podfile] = []
  var podspecs: [Podfile] = []
  var locked: [LockedPod] = []
  /// Cartfiles and `.gitmodules`.
  var lines: [DependencyLines] = []
  var manifests: [SourceText] = []
  var resolved: [(text: FileText, value: PlacedValue)] = []
  var packages: [(text: FileText, value: PlacedValue)] = []
  var documents: [FileText] = []
  var remarks: [Remark] = []
  /// The traces of each copy of ADAL's sources, frameworks and bundles.
  let vendored: [String]
  /// The files that were read and skipped.
  private(set) var folder: ProjectFolder

  init(_ folder: ProjectFolder, _ access: some FolderAccess) {
    self.folder = folder
    let copies = folder.copiesOfADAL
    vendored = copies.map(\.header) + folder.bundlesOfADAL
    // A copy at the root would be ADAL itself.
    let roots = Set(copies.map(\.root)).subtracting([""])
    var headers: Set<String> = []
    for file in folder.files
    where roots.isEmpty || !RelativePath.folders(above: file.path).contains(where: roots.contains) {
      guard let bytes = self.folder.read(file, from: access) else { continue }
      do throws(Unreadable) {
        try take(bytes, file, &headers)
      } catch {
        self.folder.skip(file.path, error.why)
      }
    }
  }

  private mutating func take(
    _ bytes: [UInt8], _ file: ProjectFolder.File, _ headers: inout Set<String>
  ) throws(Unreadable) {
    let path = file.path
    lazy var text = FileText(bytes, path: path)
    switch file.kind {
    case .propertyList:
      let list = try PropertyListText(bytes, path: path)
      lists[path] = list
      remarks += list.remarks
    case .source: takeSource(SourceText(text), &headers)
    case .packageManifest:
      let source = SourceText(text)
      remarks += source.remarks
      manifests.append(source)
    case .project:
      let project = try XcodeProject(text)
      projects.append(project)
      if projectIn[project.folder] == nil, project.targets.contains(where: \.isApplication) {
        projectIn[project.folder] = path
      }
    case .settings: settings[path] = BuildSettings.xcconfig(text)
    case .podfile, .podspec:
      let podfile = Podfile(text)
      remarks += podfile.lines.remarks
      if file.kind == .podfile { podfiles.append(podfile) } else { podspecs.append(podfile) }
    case .podfileLock: locked += LockedPod.all(in: text)
    case .cartfile, .gitmodules:
      let dependencies = DependencyLines(text)
      remarks += dependencies.remarks
      lines.append(dependencies)
    case .packageResolved: resolved.append((text, try NestedText.json(text)))
    case .packageJSON: packages.append((text, try NestedText.json(text)))
    case .pluginXML, .configXML: documents.append(text)
    }
  }

  /// The path of the project with an app that a file belongs to: the one with the longest folder that contains the file;
  /// nil if there is none. A library's files belong to all apps.
  func owner(of path: String) -> String? {
    RelativePath.folders(above: path).lazy.compactMap { projectIn[$0] }.first
  }

  private mutating func takeSource(_ source: SourceText, _ headers: inout Set<String>) {
    let path = source.path
    let scan = SourceScan(source)
    constants.read(source)
    remarks += source.remarks
    let stem = RelativePath.folder(of: path) + "/" + RelativePath.stem(of: path)
    let isHeader = ["h", "hpp"].contains(RelativePath.fileExtension(of: path))
    // A header comes before the file of the same name, by their paths.
    if isHeader, scan.hasADAL { headers.insert(stem) }
    if scan.hasADAL || (!isHeader && !source.isSwift && headers.contains(stem)) {
      adalSources.append(source)
    }
    if scan.hasMSAL { msalSources.append(source) }
    scans.append(scan)
  }
}

extension ProjectFolder {
  private static let headers: Set<String> = [
    "ADAuthenticationContext.h", "ADAuthenticationSettings.h", "ADAuthenticationResult.h",
    "ADALAuthenticationContext.h", "ADALAuthenticationSettings.h", "ADALAuthenticationResult.h",
  ]

  /// Copies of ADAL's own sources, with a header of each. Files in them are ADAL, not the app.
  fileprivate var copiesOfADAL: [(root: String, header: String)] {
    let headers = files.map(\.path).filter { Self.headers.contains(RelativePath.name(of: $0)) }
    let folders = Dictionary(grouping: headers, by: RelativePath.folder).filter { $1.count >= 3 }
    return folders.map { folder, headers in
      // ADAL's sources have their public headers in `src/public`, and the rest beside and above.
      let names = folder.split(separator: "/")
      let isPublic = names.suffix(2).elementsEqual(["src", "public"])
      return (
        isPublic ? names.dropLast(2).joined(separator: "/") : folder,
        headers.first { $0.hasSuffix("AuthenticationContext.h") } ?? headers[0]
      )
    }.sorted { RelativePath.isBefore($0.header, $1.header) }
  }

  /// The property lists of ADAL's frameworks and bundles.
  fileprivate var bundlesOfADAL: [String] {
    let names = ["ADAL.framework", "ADALiOS.framework", "ADALiOS.bundle"]
    return bundles.filter { names.contains(RelativePath.name(of: $0)) }.map { $0 + "/Info.plist" }
  }
}
