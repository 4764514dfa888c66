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
    discussion: Help.page(of: "adal2msal"),
    version: Report.toolVersion,
    subcommands: commands.map(\.value))

  /// The commands by name: to ask a type for its name costs the reading of its help.
  static let commands: KeyValuePairs<String, any ParsableCommand.Type> = [
    "inspect": Inspect.self, "migrate": Migrate.self, "undo": Undo.self, "stream": Stream.self,
    "lookup": LookupCommand.self, "scrub": Scrub.self, "doctor": Diagnose.self,
    "ci": Pipeline.self, "explain": Explain.self, "demo": Demo.self,
  ]

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
    if let command = commands.first(where: { $0.key == arguments.first })?.value,
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
