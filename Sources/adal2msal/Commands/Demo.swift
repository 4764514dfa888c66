// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import PlatformFoundation
import KeychainItems

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    "demo",
    abstract: "Show the report of a migration of a sample cache",
    usage: "adal2msal demo [<options>]")

  @Option(
    help: ArgumentHelp(
      "Write the sample to this file, to try other commands.",
      discussion: "An existing file is not overwritten.", valueName: "file"))
  var save: String?

  @OptionGroup var output: OutputOptions

  /// The name of the sample in its report.
  private static let name = "sample.adalcache"
  /// `Samples/Caches/contoso.adalcache`, in which nothing was ever valid.
  private static let bytes = PackageResources.contoso_adalcache
  /// The instant around which its access tokens live.
  private static let now = 1_700_000_000

  func run() throws {
    try output.reports.check(against: [], caches: [], and: [save].compactMap { $0 })
    let names = try output.names.shown()
    let path = save ?? Self.name
    if let save, try OutputFile(path: save).exists {
      guard try CacheFile.bytes(of: save) == Self.bytes else {
        throw Failure(.cannotWrite, "\(save) already exists; nothing was written")
      }
    }
    let migration = Migration(
      from: .blob(Self.bytes, file: path), into: .items(MemoryStore()),
      now: { Date(timeIntervalSince1970: TimeInterval(Self.now)) })
    let report = try Failure.reading([]) { try migration.preview() }
    if let save { try OutputFile(path: save).replace(with: Self.bytes) }
    try output.deliver(report, names)
    Terminal.note(
      save == nil
        ? "note: to try other commands on this sample: adal2msal demo --save \(Self.name)"
        : "note: the sample is in \(path); for example: adal2msal inspect \(path) --now \(Self.now)"
    )
  }
}
