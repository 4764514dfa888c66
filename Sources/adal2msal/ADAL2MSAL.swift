// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles

/// The command.
///
/// It turns words into places and options, and reports into output; what becomes of a row is decided
/// in `ADALMigration`.
@main struct ADAL2MSAL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adal2msal",
    abstract: "Move the people who are signed in to an app from ADAL to MSAL.",
    discussion: """
      ADAL's cache is only read, MSAL's is only added to, and running a command again changes \
      nothing. No option shows a token, and the network is not used.

      Example, in a clone of the project:
        adal2msal inspect Samples/Caches/contoso.sqlite
        adal2msal migrate Samples/Caches/contoso.sqlite -n
      """,
    version: Report.toolVersion,
    // Each says its name: found from its type, all of them cost a millisecond at every start.
    subcommands: [
      Inspect.self, Migrate.self, Undo.self, Stream.self, LookupCommand.self, Scrub.self,
      Diagnose.self, Pipeline.self, Explain.self, Demo.self,
    ])

  /// Runs the command that the process was started with and ends the process.
  static func main() {
    Terminal.prepare()
    SnapshotFile.limitMemory()
    do {
      var command = try parse()
      try command.run()
    } catch {
      Ending(error).exit()
    }
  }

  /// The command that the process was started with.
  private static func parse() throws -> any ParsableCommand {
    let arguments = try Terminal.words()
    let words = Words(arguments)
    try words.checkCommand()
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) == .validationFailure {
      throw words.unknownOption() ?? error
    }
  }
}
