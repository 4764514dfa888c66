// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import MigrationPolicies

struct DecidingOptions: ParsableArguments {
  enum FailOn: String, OptionWord {
    case error, warning, never

    func isReached(by report: Report) -> Bool {
      // Users in an unreadable file may have to sign in again.
      let isUnread = report.caches.contains { $0.objection != nil } && isReached(by: .error)
      return isUnread || report.worstSeverity.map(isReached) ?? false
    }

    func isReached(by severity: Report.Severity) -> Bool {
      Report.Severity(rawValue: rawValue).map { severity >= $0 } ?? false
    }
  }

  @Option(
    name: .customLong("into-group"),
    help: ArgumentHelp(
      "Write entries into this access group, with its team prefix",
      discussion: "(default: the group of the source row).", valueName: "group"))
  var intoGroup: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "The MSAL library that will read a new cache document.", valueName: "library"))
  var reader: MSALLibrary?

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp("A JSON file of policy settings; options override it.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var policy: String?

  @Flag(
    name: .customLong("no-access-tokens"),
    help: "Do not migrate access tokens.")
  var withoutAccessTokens = false

  @Option(
    name: .customLong("fail-on"),
    help: "Exit with status 1 if any finding is at least this severe (default: error).")
  var severity: FailOn?

  var failOn: FailOn { severity ?? .error }

  func validate() throws {
    if let intoGroup, intoGroup.isEmpty {
      throw ValidationError("The access group of '--into-group' is empty.")
    }
  }

  /// The policy of the file, with the overrides of the command line.
  func decisions(_ reading: ReadingOptions) throws -> Policy {
    let file = try policy.map { try ReadingOptions.read($0) { try Policy(json: $0) } }
    var policy = try reading.apply(to: file ?? Policy())
    if withoutAccessTokens { policy.accessTokens = false }
    return policy
  }
}

extension MSALLibrary: OptionWord {}
