// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import MigrationReports

struct Scrub: ParsableCommand {
  static let configuration = CommandConfiguration(
    "scrub",
    abstract: "Write an anonymized copy of a cache for test fixtures and bug reports",
    usage: "adal2msal scrub <source> --into <target> [<options>]")

  @Argument(help: "The cache to read.")
  var source: PlaceArgument

  @Option(
    help: ArgumentHelp(
      "The file to write, or a folder if SOURCE is a folder.", valueName: "target"),
    completion: .file())
  var into: String

  @Option(
    help: ArgumentHelp(
      "Use the same replacements in every run with this seed",
      discussion: "(default: random).", valueName: "text"))
  var seed: String?

  @Flag(help: "Keep the client IDs.")
  var keepClient = false

  func run() throws {
    if case .scheme(let scheme, _) = source.kind, !scheme.isOfFile {
      throw Failure(
        .usage, "scrub cannot read a keychain",
        hint: "copy its items into a snapshot or an items file first")
    }
    let target = OutputFile(path: into)
    for path in try source.files where try Target.opening({ try target.isSame(as: path) }) {
      throw Failure(.usage, "\(into) is the source too")
    }
    guard try !target.exists else {
      // A run that was killed may have made the target and left its other name.
      try target.removeOtherName()
      throw Failure(.cannotWrite, "\(into) already exists; nothing was written")
    }
    try target.check()
    if let folder = source.path, try CacheFile.files(inFolder: folder) != nil {
      try scrubFolder()
    } else {
      try scrubFile(try file(source))
    }
  }

  private func file(_ place: PlaceArgument) throws -> CacheFile {
    guard let path = place.path else {
      return CacheFile(bytes: try CacheFile.standardInput(), name: place.words)
    }
    return try CacheFile(settledAt: path)
  }

  private func scrubFile(_ file: CacheFile) throws {
    let place =
      source.kind == .standardInput ? try SourcePlace(file) : try SourcePlace.opened(source)
    let report = try inspect(place)
    var copy = try ScrubbedCopy([file], seed: key, keeping: keepClient ? clients(in: report) : [])
    let made = try copy.content(of: file)
    try copy.check([made], target: into)
    try made.write(to: into)
    try say(report)
  }

  private func scrubFolder() throws {
    let place = try SourcePlace.opened(source)
    let report = try inspect(place)
    let files = try Set(place.caches.compactMap(\.file)).sorted().map {
      try CacheFile(settledAt: $0)
    }
    var copy = try ScrubbedCopy(files, seed: key, keeping: keepClient ? clients(in: report) : [])
    let names = try copy.names(of: files)
    let made = try files.map { try copy.content(of: $0) }
    try copy.check(made, names: names, target: into)
    try OutputFolder(path: into).make { folder in
      for (name, made) in zip(names, made) {
        try made.write(to: "\(folder)/\(name)", tidiesUp: false)
      }
    }
    try say(report)
  }

  private func say(_ report: Report) throws {
    let rows = report.summary.rows.counted("row")
    let accounts = report.summary.accounts.counted("account")
    try Terminal.write(
      "\(PlainText.show(into)): \(rows) of \(accounts), as in \(PlainText.show(source.words)); "
        + "every name, identifier and token was replaced.\n")
  }

  private func clients(in report: Report) -> Set<String> {
    Set(report.entries.compactMap(\.clientID))
  }

  /// The seed of the words.
  private var key: [UInt8] {
    if let seed { return Array(seed.utf8) }
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  private func inspect(_ place: SourcePlace) throws -> Report {
    try Failure.reading(place.caches) {
      try Terminal.working(on: source.words) { try Migration.inspect(place.caches).report }
    }
  }
}
