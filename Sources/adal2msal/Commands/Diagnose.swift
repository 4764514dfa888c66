// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import Foundation
import MigrationReports
import ProjectDoctor
import ProjectFiles

extension DiagnosisFormat: ExpressibleByArgument {}

struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check an app's project for what must change to move from ADAL to MSAL",
    usage: "adal2msal doctor <path> [<options>]",
    discussion: Help.text(of: "doctor"))

  enum Threshold: String, CaseIterable, ExpressibleByArgument {
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

  @OptionGroup var reports: ReportFiles

  @Option(help: "Color the text on standard output")
  var color: Terminal.Color = .auto

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
