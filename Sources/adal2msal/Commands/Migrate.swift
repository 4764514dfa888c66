// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import PlatformFoundation
import KeychainItems
import MigrationUndo

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    "migrate",
    abstract: "Add MSAL entries for the tokens in an ADAL cache",
    usage: """
      adal2msal migrate <source> --into <target> [<options>]
      adal2msal migrate <source> --into-folder <folder> [<options>]
      adal2msal migrate <source> --dry-run [--into <target>] [<options>]
      """)

  @Argument(help: "The cache to read.")
  var source: PlaceArgument

  @Option(
    name: .customLong("into"),
    help: ArgumentHelp("The cache to add entries to.", valueName: "target"))
  var into: PlaceArgument?

  @Option(
    name: .customLong("into-folder"),
    help: ArgumentHelp(
      "Write one cache document per account in this folder.",
      discussion: "Each file has the name of MSAL.NET's key: the home account ID.",
      valueName: "folder"),
    completion: .directory)
  var intoFolder: String?

  @Flag(
    name: [.customShort("n"), .customLong("dry-run")],
    help: ArgumentHelp(
      "Report what would happen and write nothing.",
      discussion: "Without --into, the target is SOURCE itself or an empty items file."))
  var dryRun = false

  @Option(
    name: .customLong("journal"),
    help: ArgumentHelp(
      "Record the added entries for 'undo': keys and hashes, no secrets.",
      discussion: "The file must not exist.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var journal: String?

  @OptionGroup var deciding: DecidingOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if into?.kind == .standardInput {
      throw ValidationError("The target cannot be '-'; name a path.")
    }
    if into != nil && intoFolder != nil {
      throw ValidationError("Use '--into' or '--into-folder', not both.")
    }
    guard dryRun || into != nil || intoFolder != nil else {
      throw ValidationError("Name the target with '--into', or add '--dry-run'.")
    }
  }

  func run() throws {
    try output.reports.check(
      against: [deciding.policy, reading.accountMap].compactMap { $0 },
      caches: try source.files + targetFiles, and: [journal].compactMap { $0 })
    if let journal, try OutputFile(path: journal).exists {
      throw Failure(
        .cannotWrite, "\(journal) already exists; nothing was written",
        hint: "it may be the journal of an earlier run; choose another file")
    }
    let names = try output.names.shown()
    let policy = try deciding.decisions(reading)
    let opened = try SourcePlace.opened(source, zone: reading.zone())
    let named = try self.target(of: opened)
    try refuseDocumentInPlace(opened, named)
    let target = try dryRun ? named : named.prepared()
    warnOfNoJournal(policy)
    let place = try opened.sharing(target, at: into?.path)

    let report = try report(of: place, into: target, policy, named: targetName(opened))
    let outcome = outcome(of: report)
    let isFailure = deciding.failOn.isReached(by: report)
    try output.deliver(report, names, of: source, outcome: outcome)
    if isFailure { throw ExitCode(ExitStatus.found.rawValue) }
  }

  private func report(
    of place: SourcePlace, into target: TargetPlace, _ policy: Policy, named name: String?
  ) throws -> Report {
    var report = try Failure.reading(place.caches) {
      try Terminal.counting(on: source.words) { step in
        try reading.timed { try migrate(place, into: target, policy, onStep: step) }
      }
    }
    if !dryRun { warnOfReaders() }
    report = place.listed(in: report, failingWhere: deciding.failOn.isReached)
    report.target = Report.JudgedTarget(target.kind, place: name)
    return report
  }

  /// The words about the target if its report could not be written (D39).
  private func outcome(of report: Report) -> String? {
    if dryRun { return nil }
    return report.summary.written > 0
      ? "the target was written; only the report is missing"
      : "the target needed no change; only the report is missing"
  }

  /// Warns that accounts from a map or a join cannot be removed later, because a wrong home account is a second
  /// account.
  private func warnOfNoJournal(_ policy: Policy) {
    guard journal == nil, !policy.accountMap.entries.isEmpty || policy.joinsGuests else { return }
    Terminal.note(
      "note: with '--journal FILE', 'undo' can remove what an account map or '--join-guests' adds")
  }

  /// Warns of other users who can read the target. Its owner decides its permissions.
  private func warnOfReaders() {
    for path in (try? targetFiles) ?? [] {
      do {
        guard let readers = try OutputFile(path: path).otherReaders else { continue }
        Terminal.note("warning: \(path) holds tokens, and \(readers)")
      } catch {
        Terminal.note("warning: \(path) holds tokens; cannot check its readers: \(error)")
      }
      return
    }
  }

  /// The name of the target in reports; nil without a target if the source cannot be one.
  private func targetName(_ opened: SourcePlace) -> String? {
    into?.text ?? intoFolder ?? opened.store.map { _ in source.text }
  }

  private func target(of source: SourcePlace) throws -> TargetPlace {
    if let into { return try TargetPlace(into) }
    if let intoFolder { return .folder(try DocumentFolderPlace(path: intoFolder)) }
    // A dry run that names no target is decided for an empty items file.
    return .items(source.store ?? MemoryStore())
  }

  private func refuseDocumentInPlace(_ source: SourcePlace, _ target: TargetPlace) throws {
    if case .folder(let folder) = target {
      try refuseDocuments(of: source, in: folder)
      return
    }
    guard case .document(let file) = target else {
      if deciding.reader != nil {
        Terminal.note("note: --for is ignored: it applies to cache documents only")
      }
      return
    }
    if deciding.intoGroup != nil {
      Terminal.note("note: --into-group is ignored: a cache document has no access groups")
    }
    let isSource = try source.caches.contains { cache in
      try cache.file.map { try OutputFile(path: $0).isSame(as: file.path) } ?? false
    }
    guard !isSource else {
      throw Failure(
        .usage,
        "\(file.path) is the source too, and a cache document cannot be migrated in place")
    }
  }

  private func refuseDocuments(of source: SourcePlace, in folder: DocumentFolderPlace) throws {
    if deciding.intoGroup != nil {
      Terminal.note("note: --into-group is ignored: cache documents have no access groups")
    }
    guard let path = try source.caches.compactMap(\.file).first(where: folder.holds) else { return }
    throw Failure(.usage, "\(path) is in the target folder; name another folder")
  }

  private var targetFiles: [String] {
    get throws {
      if let intoFolder { return try CacheFile.files(inFolder: intoFolder) ?? [] }
      guard let path = into?.path else { return [] }
      // The target decides where the link leads, not the source.
      try Target.opening { _ = try OutputFile.companions(of: path) }
      return [path]
    }
  }

  private func migrate(
    _ source: SourcePlace, into target: TargetPlace, _ policy: Policy,
    onStep: (@Sendable (Migration.Step) -> Void)?
  ) throws -> Report {
    let now = reading.now?.date ?? Date()
    var into = target.target(accessGroup: deciding.intoGroup, reader: deciding.reader)
    let journal = dryRun ? nil : journal.map { OutputFile(path: $0) }
    if let journal {
      try journal.check()
      into = into.recording { try journal.replace(with: $0.json) }
    }
    let migration = Migration(
      from: source.caches, into: into,
      policy: policy, accessGroups: reading.groups, now: { now }
    ).requiring(reading.typedFilters).counted(onStep)
    guard dryRun else {
      let report = try migration.run()
      // A run that adds nothing has a journal, too. Once something was added, no question about files may fail.
      if let journal, report.summary.written == 0 { try journal.replace(with: Journal().json) }
      return report
    }
    // Without a target its group does not matter.
    return self.into == nil && intoFolder == nil && deciding.intoGroup == nil
      ? try migration.preview() : try migration.plan()
  }
}
