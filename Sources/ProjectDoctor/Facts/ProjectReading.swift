// SPDX-License-Identifier: MIT
import ProjectFiles

/// Everything that was read of a project, before any rule.
struct ProjectReading: Sendable {
  var scans: [SourceScan] = []
  /// The source files that use ADAL.
  var adalSources: [(path: String, text: SourceText)] = []
  var msalSources: [(path: String, text: SourceText)] = []
  var constants = Constants()
  private(set) var projects: [XcodeProject] = []
  /// The path of the project in each folder that has one.
  private var projectIn: [String: String] = [:]
  var settings: [String: (BuildSettings, includes: [String])] = [:]
  var lists: [String: PropertyListText] = [:]
  var podfiles: [(path: String, file: Podfile)] = []
  var podspecs: [(path: String, file: Podfile)] = []
  var locks: [(path: String, file: PodfileLock)] = []
  /// Cartfiles and `.gitmodules`.
  var lines: [(path: String, file: DependencyLines)] = []
  var manifests: [(path: String, file: SourceText)] = []
  var resolved: [(path: String, text: FileText, value: PlacedValue)] = []
  var packages: [(path: String, text: FileText, value: PlacedValue)] = []
  var documents: [(path: String, text: FileText)] = []
  var remarks: [String: [Remark]] = [:]
  var paths: Set<String> = []
  var bundles: [String] = []
  var vendored = VendoredCopies()
  var read = ProjectDiagnosis.Reading()
  var skipped: [Skipped] = []

  init(_ folder: ProjectFolder, _ access: some FolderAccess) {
    var folder = folder
    paths = Set(folder.files.map(\.path))
    vendored = VendoredCopies(folder)
    bundles = folder.bundles
    var headers: Set<String> = []
    for file in folder.files where !vendored.contain(file.path) {
      guard let bytes = folder.read(file, from: access, total: &read.bytes) else { continue }
      read.files += 1
      read.kinds[file.kind, default: 0] += 1
      if let why = take(bytes, file, &headers) { folder.skip(file.path, why) }
    }
    skipped = folder.skipped.sorted { RelativePath.isBefore($0.path, $1.path) }
    if folder.skippedMore > 0 {
      skipped.append(Skipped(path: "", why: "\(folder.skippedMore) more"))
    }
  }

  /// Reads one file. Returns why it could not be, or nil.
  private mutating func take(
    _ bytes: [UInt8], _ file: ProjectFolder.File, _ headers: inout Set<String>
  ) -> String? {
    let path = file.path
    switch file.kind {
    case .source: takeSource(FileText(bytes), path, &headers)
    case .packageManifest:
      let source = SourceText(FileText(bytes), language: .swift)
      remarks[path] = source.remarks
      manifests.append((path, source))
    case .project:
      guard let project = XcodeProject(FileText(bytes), path: path) else { return "not a project" }
      projects.append(project)
      if projectIn[project.folder] == nil { projectIn[project.folder] = path }
    case .settings:
      let (settings, includes) = BuildSettings.xcconfig(FileText(bytes), file: path)
      self.settings[path] = (settings, includes)
    case .propertyList, .entitlements:
      do {
        let list = try PropertyListText(bytes)
        lists[path] = list
        remarks[path] = list.remarks
      } catch {
        return error.rawValue
      }
    case .podfile, .podspec:
      let podfile = Podfile(FileText(bytes))
      remarks[path] = podfile.lines.remarks
      if file.kind == .podfile {
        podfiles.append((path, podfile))
      } else {
        podspecs.append((path, podfile))
      }
    case .podfileLock: locks.append((path, PodfileLock(FileText(bytes))))
    case .cartfile, .gitmodules:
      let dependencies = DependencyLines(FileText(bytes))
      remarks[path] = dependencies.remarks
      lines.append((path, dependencies))
    case .packageResolved, .packageJSON:
      let text = FileText(bytes)
      guard let value = NestedText.read(text) else { return "not JSON" }
      if file.kind == .packageJSON {
        packages.append((path, text, value))
      } else {
        resolved.append((path, text, value))
      }
    case .pluginXML, .configXML: documents.append((path, FileText(bytes)))
    }
    return nil
  }

  /// The path of the project that a file belongs to: the one whose folder is the longest that the file is in; nil
  /// where there is none.
  func owner(of path: String) -> String? {
    RelativePath.folders(above: path).lazy.compactMap { projectIn[$0] }.first
  }

  private mutating func takeSource(
    _ text: FileText, _ path: String, _ headers: inout Set<String>
  ) {
    let language: SourceLanguage =
      RelativePath.fileExtension(of: path) == "swift" ? .swift : .c
    let source = SourceText(text, language: language)
    let scan = SourceScan(source, path: path)
    constants.read(source, path: path)
    remarks[path] = source.remarks
    let stem = RelativePath.folder(of: path) + "/" + RelativePath.stem(of: path)
    let isHeader = ["h", "hpp"].contains(RelativePath.fileExtension(of: path))
    // A header comes before the file of the same name, by their paths.
    if isHeader, scan.hasADAL { headers.insert(stem) }
    if scan.hasADAL || (!isHeader && language == .c && headers.contains(stem)) {
      adalSources.append((path, source))
    }
    if scan.hasMSAL { msalSources.append((path, source)) }
    scans.append(scan)
  }
}

/// Copies of ADAL's own sources and frameworks in the project: what lies in them is ADAL, not the app.
struct VendoredCopies: Sendable {
  /// The header that tells, for each copy of the sources.
  private(set) var found: [String] = []
  /// ADAL's frameworks and bundles.
  private(set) var bundles: [String] = []
  private var roots: Set<String> = []

  private static let headers: Set<String> = [
    "ADAuthenticationContext.h", "ADAuthenticationSettings.h", "ADAuthenticationResult.h",
    "ADALAuthenticationContext.h", "ADALAuthenticationSettings.h", "ADALAuthenticationResult.h",
  ]
  private static let bundleNames: Set<String> = [
    "ADAL.framework", "ADALiOS.framework", "ADALiOS.bundle",
  ]

  init() {}

  init(_ folder: ProjectFolder) {
    var headers: [String: [String]] = [:]
    for file in folder.files where Self.headers.contains(RelativePath.name(of: file.path)) {
      headers[RelativePath.folder(of: file.path), default: []].append(file.path)
    }
    for (folder, headers) in headers where headers.count >= 3 {
      let header = headers.first { $0.hasSuffix("AuthenticationContext.h") } ?? headers[0]
      found.append(header)
      let root = Self.root(of: folder)
      if !root.isEmpty { roots.insert(root) }
    }
    found.sort(by: RelativePath.isBefore)
    bundles = folder.bundles.filter { Self.bundleNames.contains(RelativePath.name(of: $0)) }
  }

  /// ADAL's sources have their public headers in `src/public`, and the rest beside and above.
  private static func root(of folder: String) -> String {
    let names = folder.split(separator: "/")
    guard names.suffix(2).elementsEqual(["src", "public"]) else { return folder }
    return names.dropLast(2).joined(separator: "/")
  }

  /// Whether a file is part of a copy. A copy at the root would be ADAL itself.
  func contain(_ path: String) -> Bool {
    !roots.isEmpty && RelativePath.folders(above: path).contains(where: roots.contains)
  }
}
