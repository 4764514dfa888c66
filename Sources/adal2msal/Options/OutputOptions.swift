// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ArgumentParser
import CacheFiles

extension ReportFormat: OptionWord {}

/// The files of `--report`.
struct ReportFiles {
  let paths: [String]

  static let help = ArgumentHelp(
    "Also write the report to this file; repeatable.",
    discussion: "The extension selects the format: \(explained).", valueName: "path")
  static let completion = CompletionKind.file(
    extensions: ReportFormat.allCases.compactMap(\.fileExtension))

  /// The extensions that select a format, each with its dot.
  static let extensions = ReportFormat.allCases.compactMap(\.fileExtension).map { ".\($0)" }

  /// The same for the help, which names the format that its extension does not.
  private static let explained = extensions.map { $0 == ".xml" ? "\($0) (JUnit)" : $0 }
    .joined(separator: " ")

  /// Sees that the files can be written and are not among those that the run reads or writes, before it
  /// does either.
  ///
  /// - Parameters:
  ///   - caches: inputs beside which are locks and journals.
  ///   - more: other files that are written as a whole.
  func check(against inputs: [String], caches: [String], and more: [String] = []) throws {
    let files = (paths + more).map(OutputFile.init(path:))
    guard !files.isEmpty else { return }
    let others = try inputs + caches + caches.flatMap { try OutputFile.companions(of: $0) }
    for (index, file) in files.enumerated() {
      let taken = others + files.prefix(index).map(\.path)
      try file.check()
      if let other = try taken.first(where: file.isSame) {
        throw Failure(.usage, "\(file.path) would overwrite \(other)")
      }
    }
  }

  /// Sees that each extension selects a format.
  func check(_ hasFormat: (String) -> Bool) throws {
    if let path = paths.first(where: { !hasFormat($0) }) {
      throw ValidationError(
        "The report '\(path)' must end in \(Self.extensions.alternatives).")
    }
  }
}

struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: "The format of the report on standard output (default: text).")
  var format: ReportFormat?

  @Option(name: .customLong("report"), help: ReportFiles.help, completion: ReportFiles.completion)
  var reportPaths: [String] = []

  @OptionGroup var names: NameOptions

  @Option(name: .customLong("color"), help: "Color the text on standard output (default: auto).")
  var color: Terminal.Color?

  var reports: ReportFiles { ReportFiles(paths: reportPaths) }

  func validate() throws {
    try reports.check { ReportFormat(path: $0) != nil }
  }

  /// Writes the report everywhere it is to go; where one place fails, the others get it all the same.
  ///
  /// - Parameters:
  ///   - source: the source. Build services name files within its repository.
  ///   - outcome: the state of the target, printed if only a report is missing.
  /// - Throws: ``Failure`` of status 74 when a place cannot be written.
  func deliver(
    _ report: consuming Report, _ names: ShownNames, of source: PlaceArgument? = nil,
    outcome: String? = nil
  ) throws {
    let shown = names(report)
    var failures: [Failure] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { failures.append(Failure(error)) }
    }
    for path in reports.paths {
      guard let format = ReportFormat(path: path) else { continue }
      attempt {
        var bytes: [UInt8] = []
        format.write(shown, files: RepositoryFiles(above: source?.path)) { bytes += $0 }
        try OutputFile(path: path).replace(with: bytes)
      }
    }
    attempt {
      try (format ?? .text).write(
        shown, style: Terminal.style(color ?? .auto), files: RepositoryFiles(above: source?.path)
      ) {
        try Terminal.write($0)
      }
    }
    guard !failures.isEmpty else { return }
    let what = failures.map(\.message).joined(separator: "; ")
    throw Failure(.interrupted, outcome.map { "\(what); \($0)" } ?? what)
  }
}

extension OutputFile {
  /// Writes the file, unless there is one that may have been changed since it was written.
  ///
  /// - Throws: ``Failure`` of status 73 when there is.
  func make(_ bytes: [UInt8], unlessItMayHaveBeen changed: String) throws {
    if try exists {
      let old = try CacheFile.bytes(of: path)
      guard old.isEmpty || old == bytes else {
        throw Failure(
          .cannotWrite, "\(path) already exists and may have been \(changed); nothing was written")
      }
    }
    try replace(with: bytes)
  }
}

extension [String] {
  /// `a, b or c`.
  var alternatives: String {
    guard let last, count > 1 else { return joined() }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}
