// SPDX-License-Identifier: MIT
import ArgumentParser
import CacheFiles
import PlatformFoundation
import MigrationReports

struct Pipeline: ParsableCommand {
  static let configuration = CommandConfiguration(
    "ci",
    abstract: "Write a workflow that tries the migration for every change",
    usage: "adal2msal ci <service> [<path>] [<options>]")

  @Argument(help: "The build service.")
  var service: WorkflowFile.Service

  @Argument(help: "A folder of the repository.", completion: .directory)
  var path = "."

  @Option(
    help: ArgumentHelp(
      "A cache to try, below the repository's root; repeatable.",
      discussion: "(default: the caches in the repository).", valueName: "path"))
  var cache: [String] = []

  @Option(
    help: ArgumentHelp(
      "The app's project, below the repository's root.",
      discussion: "(default: the folder above all Xcode projects).", valueName: "path"))
  var project: String?

  @Option(
    help: ArgumentHelp(
      "Use this time as the current time in every run: ISO 8601 or Unix seconds.",
      discussion: "(default: now). The workflow names it, so that the report stays the same.",
      valueName: "instant"),
    transform: Instant.init(word:))
  var now: Instant?

  @Option(
    help: ArgumentHelp(
      "Write the workflow to this file; '-' is standard output.", valueName: "file"),
    completion: .file(extensions: ["yml"]))
  var output: String?

  func run() throws {
    guard try CacheFile.files(inFolder: path) != nil else {
      throw Failure(.noInput, "\(path) is not a folder")
    }
    let root = RepositoryFiles(above: path).root ?? path
    let file = output ?? root + "/" + service.file
    let workflow = WorkflowFile(
      service: service, found: survey(root), now: try instant(in: file))
    try check(workflow.found)
    for note in workflow.found.notes { Terminal.note("note: \(note)") }
    if output == "-" {
      try Terminal.write(workflow.text)
      return
    }
    if output == nil { try makeFolders(of: service.file, in: root) }
    let isNew = try write(workflow.text, to: file)
    let name = output ?? service.file
    try Terminal.write(
      ([isNew ? "\(name) is written." : "\(name) already exists and is the same."]
        + workflow.summary).joined(separator: "\n") + "\n")
  }

  /// The instant that tokens are judged at: the given one, or the one of the workflow that is there, so that the
  /// same repository has the same workflow tomorrow.
  private func instant(in file: String) throws -> Int {
    if let now { return Int(now.date.timeIntervalSince1970) }
    let isThere = try file != "-" && OutputFile(path: file).exists
    let bytes = isThere ? try CacheFile.bytes(of: file) : []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let written = lines.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("now: \"") }
    return written.flatMap { Int($0.dropFirst(6).dropLast()) } ?? Int(Date().timeIntervalSince1970)
  }

  /// The values found in the repository, or given on the command line.
  private func survey(_ root: String) -> RepositorySurvey {
    var found = Terminal.working(on: path) {
      RepositorySurvey(root, cachesAreNamed: !cache.isEmpty)
    }
    if let project { found.project = project }
    if !cache.isEmpty { found.caches = cache }
    if found.caches.isEmpty { found.accountMap = nil }
    if found.project == nil { found.baseline = nil }
    return found
  }

  private func check(_ found: RepositorySurvey) throws {
    let values = found.caches + [found.project, found.accountMap, found.baseline].compactMap { $0 }
    for value in values where !WorkflowFile.isUsable(value) {
      throw Failure(.usage, "the build service would expand the value '\(value)'; rename it")
    }
    guard found.project != nil || !found.caches.isEmpty else {
      throw Failure(
        .notACache, "\(path) has neither an app's project nor a cache",
        hint: "give '--project' or '--cache'")
    }
  }

  private func makeFolders(of file: String, in root: String) throws {
    var folder = root
    for name in file.split(separator: "/").dropLast() {
      folder += "/\(name)"
      try OutputFile(path: folder).makeFolder()
    }
  }

  /// Writes the workflow, unless the existing one may have been edited; false when it is the same.
  private func write(_ text: String, to path: String) throws -> Bool {
    let file = OutputFile(path: path)
    try file.check()
    if try file.exists {
      guard try CacheFile.bytes(of: path) == Array(text.utf8) else {
        throw Failure(
          .cannotWrite, "\(path) already exists and differs; nothing was written",
          hint: "compare it with '--output -'")
      }
      return false
    }
    try file.replace(with: Array(text.utf8))
    return true
  }
}

extension WorkflowFile.Service: OptionWord {}
