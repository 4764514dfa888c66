// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import PlatformFoundation
import MSALCache
import MigrationReports
import ProjectDoctor
import ProjectFiles

extension DiagnosisFormat: OptionWord {}

struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    "doctor",
    abstract: "Check an app's project for what must change to move from ADAL to MSAL",
    usage: "adal2msal doctor <path> [<options>]")

  enum Threshold: String, OptionWord {
    case error, warning, note, never
  }

  @Argument(help: "The app's project.", completion: .directory)
  var path: String

  @Option(
    help: ArgumentHelp(
      "Write the migration checklist with this project's values (Markdown).",
      discussion: "An existing file is not overwritten.", valueName: "file"))
  var plan: String?

  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "Compare with this cache, any place that 'inspect' reads; repeatable.", valueName: "place"))
  var caches: [PlaceArgument] = []

  @Option(
    name: .customLong("access-group"),
    help: ArgumentHelp("Read keychain items of this group only; repeatable.", valueName: "group"))
  var accessGroups: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use this time as the current time: ISO 8601 or Unix seconds.", valueName: "instant"),
    transform: Instant.init(word:))
  var now: Instant?

  @Option(help: ArgumentHelp("The MSAL release to move to", valueName: "version"))
  var msal = MSALRelease.newest.version

  @Option(
    name: .customLong("rule"),
    help: ArgumentHelp("Report only this rule or family of rules; repeatable.", valueName: "id"))
  var rules: [String] = []

  @Option(
    name: .customLong("exclude"),
    help: ArgumentHelp(
      "Skip these paths, with '**' as in .gitignore; repeatable.", valueName: "glob"))
  var exclusions: [String] = []

  @Option(help: "Exit with status 1 if any finding is at least this severe.")
  var failOn: Threshold = .error

  @Option(
    help: ArgumentHelp("Do not count the findings in this file.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Write the current findings to this file, for '--baseline'.", valueName: "file"))
  var writeBaseline: String?

  @Flag(help: "Also report suppressed and baselined findings, marked as such.")
  var showSuppressed = false

  @Option(help: "The format of the report on standard output")
  var format: DiagnosisFormat = .text

  @Option(name: .customLong("report"), help: ReportFiles.help, completion: ReportFiles.completion)
  var reportPaths: [String] = []

  @Option(help: "Color the text on standard output")
  var color: Terminal.Color = .auto

  private var reports: ReportFiles { ReportFiles(paths: reportPaths) }

  func validate() throws {
    try reports.check { DiagnosisFormat(path: $0) != nil }
    if MSALRelease(msal) == nil {
      throw ValidationError("'\(msal)' is not a version of MSAL, such as 2.14.0.")
    }
  }

  func run() throws {
    try checkOutputs()
    let project = try ProjectPlace(path, excluding: exclusions)
    let doctor = try makeDoctor()
    let diagnosis = Terminal.working(on: path) {
      doctor.diagnose(path, project.folder, project.access)
    }
    guard diagnosis.readFiles > 0 || !diagnosis.findings.isEmpty else {
      throw Failure(
        .notACache, "\(path) has no source, project or dependency file",
        hint: "name the folder of the app's project")
    }
    try deliver(diagnosis, doctor.evidence, project)
    let threshold = Severity(rawValue: failOn.rawValue)
    if let threshold, diagnosis.reaches(threshold) {
      throw ExitCode(ExitStatus.found.rawValue)
    }
  }

  private func deliver(
    _ diagnosis: ProjectDiagnosis, _ evidence: [CacheEvidence], _ project: ProjectPlace
  ) throws {
    let said = try plan.map { plan in
      let checklist = MigrationChecklist(diagnosis, evidence: evidence)
      try OutputFile(path: plan).make(Array(checklist.text.utf8), unlessItMayHaveBeen: "edited")
      return "The plan is in \(PlainText.show(plan)): \(checklist.steps.counted("step"))."
    }
    if let writeBaseline {
      try OutputFile(path: writeBaseline).replace(with: Array(Baseline(diagnosis).json.utf8))
    }
    for path in reports.paths {
      guard let format = DiagnosisFormat(path: path) else { continue }
      let text = format.render(
        diagnosis, root: project.address, files: project.files, showingSuppressed: showSuppressed,
        plan: said)
      try OutputFile(path: path).replace(with: Array(text.utf8))
    }
    try Terminal.write(
      format.render(
        diagnosis, root: project.address, files: project.files, style: Terminal.style(color),
        showingSuppressed: showSuppressed, plan: said))
    // The text and the page say it themselves.
    if let said, format != .text, format != .html { Terminal.note("note: \(said)") }
  }

  private func checkOutputs() throws {
    // Writing a baseline over the one that was read is how it shrinks.
    let isSame = try baseline.flatMap { baseline in
      try writeBaseline.map { try OutputFile(path: baseline).isSame(as: $0) }
    }
    try reports.check(
      against: [baseline].compactMap { isSame ?? false ? nil : $0 },
      caches: try caches.flatMap { try $0.files }, and: [plan, writeBaseline].compactMap { $0 })
  }
}

extension Diagnose {
  /// The doctor with the settings of the options.
  private func makeDoctor() throws -> ProjectDoctor.Doctor {
    var doctor = ProjectDoctor.Doctor(
      knownHosts: Set(Cloud.all.filter { !$0.isClosed }.flatMap(\.aliases)),
      closedHosts: Set(Cloud.all.filter(\.isClosed).flatMap(\.aliases)))
    doctor.msal = MSALRelease(msal) ?? .newest
    if !rules.isEmpty { doctor.rules = Set(try rules.flatMap(Self.checks)) }
    if let baseline { doctor.baseline = try Self.baseline(baseline) }
    doctor.evidence = try caches.map(evidence)
    return doctor
  }

  private static func checks(named name: String) throws -> [Check] {
    let checks = Check.named(name)
    guard checks.isEmpty else { return checks }
    throw Failure(
      .usage, "there is no rule '\(name)'", hint: "'adal2msal explain' lists them all")
  }

  private static func baseline(_ path: String) throws -> Baseline {
    do {
      return try Baseline(json: try CacheFile.bytes(of: path))
    } catch Baseline.Refusal.notABaseline {
      throw Failure(.notACache, "\(path) is not a baseline")
    } catch Baseline.Refusal.otherVersion(let version) {
      throw Failure(
        .usage,
        "\(path) is a baseline of version \(version); this program does not know that version")
    }
  }

  /// The content of a cache, as `inspect` reads it.
  private func evidence(of place: PlaceArgument) throws -> CacheEvidence {
    let source = try SourcePlace.opened(place)
    let groups = accessGroups.isEmpty ? nil : Set(accessGroups)
    let inspection = try Failure.reading(source.caches) {
      try Terminal.working(on: place.words) {
        try Migration.inspect(source.caches, accessGroups: groups, now: now?.date ?? .now)
      }
    }
    var evidence = CacheEvidence(place: place.text, clients: [:], groups: [:], resources: [:])
    for entry in inspection.report.entries {
      if let client = entry.clientID, !client.isEmpty {
        evidence.clients[client.normalized, default: 0] += 1
      }
      if let group = entry.place.accessGroup { evidence.groups[group, default: 0] += 1 }
      if let resource = entry.resource, !resource.isEmpty {
        evidence.resources[resource, default: 0] += 1
      }
    }
    return evidence
  }
}

/// The kind of PATH: a folder, or one file.
struct ProjectPlace {
  let folder: ProjectFolder
  let access: DiskFolder
  /// Its files as build services name them.
  let files: RepositoryFiles
  /// The folder that those names are below, as an address that ends in a slash.
  let address: String

  init(_ path: String, excluding exclusions: [String]) throws {
    var root = path
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    let name = RelativePath.name(of: root)
    let parent = root.contains("/") ? RelativePath.folder(of: root) : "."
    let above = parent.isEmpty ? "/" : parent
    let base: String
    switch try Self.found(path, { try DiskFolder.kind(of: root) }) {
    case .folder:
      let isPackage = ["xcodeproj", "xcworkspace"].contains(RelativePath.fileExtension(of: root))
      base = isPackage ? above : root
      let disk = DiskFolder(path: base)
      _ = try Self.found(base) { try disk.entries(of: "") }
      access = disk
      folder = ProjectFolder(disk, excluding: exclusions.map(PathPattern.init))
    case .file:
      guard let kind = ProjectFileKind(path: root) else {
        throw Failure(.notACache, "\(path) is not a file that doctor reads")
      }
      base = above
      let disk = DiskFolder(path: base)
      _ = try Self.found(path) { try disk.bytes(of: name, atMost: 0) }
      access = disk
      folder = ProjectFolder(file: name, kind: kind)
    case .link, .special, .unnamed, .unnamedFolder:
      throw Failure(.notACache, "\(path) is neither a folder nor a file")
    case nil: throw Failure(.noInput, "\(path) does not exist")
    }
    files = RepositoryFiles(above: base, namesFrom: base)
    let url = URL(fileURLWithPath: files.root ?? base, isDirectory: true).absoluteString
    address = url.hasSuffix("/") ? url : url + "/"
  }

  private static func found<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as Unreadable {
      throw Failure(.noInput, "\(path): \(error.why)")
    }
  }
}
