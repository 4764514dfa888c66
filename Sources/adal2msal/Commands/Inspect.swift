// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import MigrationReports

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    "inspect",
    abstract: "Show what an ADAL or MSAL cache contains",
    usage: "adal2msal inspect <source> [<options>]")

  @Argument(help: "The cache to inspect.")
  var source: PlaceArgument

  @Option(
    help: ArgumentHelp(
      "Write an account map to fill in for the unresolved accounts.",
      discussion: "An existing file is not overwritten.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var accountMapTemplate: String?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try output.reports.check(
      against: [reading.accountMap].compactMap { $0 }, caches: try source.files,
      and: [accountMapTemplate].compactMap { $0 })
    let names = try output.names.shown()
    let policy = try reading.apply()
    let place = try SourcePlace.opened(source, zone: reading.zone())
    var template: String?
    let report = try Failure.reading(place.caches) {
      try Terminal.counting(on: source.words) { step in
        try reading.timed {
          let inspection = try Migration.inspect(
            place.caches, policy: policy, accessGroups: reading.groups,
            now: reading.now?.date ?? .now, requiring: reading.typedFilters, onStep: step)
          if accountMapTemplate != nil { template = names.template(of: inspection) }
          return inspection.report
        }
      }
    }
    if let template, let accountMapTemplate { try write(template, to: accountMapTemplate) }
    try output.deliver(place.listed(in: report) { _ in false }, names, of: source)
  }

  private func write(_ template: String, to path: String) throws {
    guard template.split(separator: "\n").count > 1 else {
      Terminal.note("note: all accounts are resolved, so no account map was written")
      return
    }
    try OutputFile(path: path).make(Array(template.utf8), unlessItMayHaveBeen: "filled in")
    let accounts = (template.split(separator: "\n").count - 1).counted("account")
    Terminal.note(
      "note: the account map is in \(path): \(accounts) to fill in, then give it as --account-map")
  }
}
