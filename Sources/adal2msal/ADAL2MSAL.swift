// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles

/// The command.
///
/// It turns arguments into places and options, and reports into output. `ADALMigration` decides the result of each row.
@main struct ADAL2MSAL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adal2msal",
    abstract: "Convert an ADAL token cache to MSAL's format so that users stay signed in",
    discussion: Help.pages["adal2msal"] ?? "",
    version: Report.toolVersion,
    // Each says its name: found from its type, all of them cost a millisecond at every start.
    subcommands: [
      Inspect.self, Migrate.self, Undo.self, Stream.self, LookupCommand.self, Scrub.self,
      Diagnose.self, Pipeline.self, Explain.self, Demo.self,
    ])

  static func main() {
    Terminal.prepare()
    SnapshotFile.limitMemory()
    do {
      var command = try parse()
      try command.run()
    } catch {
      end(with: error)
    }
  }

  private static func parse() throws -> any ParsableCommand {
    let arguments = try Terminal.words()
    let spelling = SpellingCheck(arguments)
    try spelling.checkCommand()
    // A command parses its own arguments at half the cost of the whole tool. Arguments that it cannot parse, such as a
    // request for help, go to the tool.
    if let command = configuration.subcommands.first(where: { $0._commandName == arguments.first }),
      let read = try? command.parseAsRoot(Array(arguments.dropFirst())), type(of: read) == command
    {
      return read
    }
    do {
      return try parseAsRoot(arguments)
    } catch  where exitCode(for: error) == .validationFailure {
      throw spelling.unknownOption() ?? error
    }
  }
}
