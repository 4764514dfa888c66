// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import PlatformFoundation
import KeychainItems
import MigrationPolicies

struct ReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp(
      "Migrate only this client (default: all); repeatable.",
      discussion: "Entries use the ID exactly as given here.",
      valueName: "id"))
  var clientIDs: [String] = []

  @Option(
    name: .customLong("account-map"),
    help: ArgumentHelp(
      "A file with home account IDs from a directory, as CSV or JSON.", valueName: "file"),
    completion: .file())
  var accountMap: String?

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Accept this host as an Entra authority of a separate cloud; repeatable.", valueName: "host"),
    transform: Self.host)
  var allowedHosts: [String] = []

  @Flag(
    name: .customLong("join-guests"),
    help: ArgumentHelp(
      "Match a guest to the only member with the same user name.",
      discussion: "Only for tenants that never reuse a user name."))
  var joinsGuests = false

  @Option(
    name: .customLong("access-group"),
    help: ArgumentHelp("Read keychain items of this group only; repeatable.", valueName: "group"))
  var accessGroups: [String] = []

  // This one and the next are kept as words: each further type of option costs every start a look through all
  // conformances.
  @Option(
    name: .customLong("now"),
    help: ArgumentHelp(
      "Use this time as the current time, for repeatable runs: ISO 8601 or Unix seconds.",
      valueName: "instant"),
    transform: Instant.checked)
  var nowWord: String?

  var now: Instant? { nowWord.flatMap { try? Instant(word: $0) } }

  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp(
      "The time zone of the machine that wrote an ADAL Python cache",
      discussion: "(default: this machine's): a name such as Europe/Berlin, or +02:00.",
      valueName: "zone"),
    transform: ZoneWord.checked)
  var timeZone: String?

  private static func host(_ word: String) throws -> String {
    guard Policy.isHost(word) else {
      throw ValidationError(
        "use a host (login.contoso.example), with its port unless that is 443 (localhost:8443)")
    }
    return word
  }

  /// The time zone of `--time-zone`; nil for this machine's, and for a name, which becomes the zone of this process.
  func zone() -> TimeZone? {
    guard let timeZone else { return nil }
    if let seconds = ZoneWord.offset(timeZone) { return TimeZone(secondsFromGMT: seconds) }
    setenv("TZ", timeZone, 1)
    tzset()
    return nil
  }

  /// A report with its duration. A run with a given clock must be repeatable and leaves it out.
  func timed(_ make: () throws -> Report) rethrows -> Report {
    guard now == nil else { return try make() }
    let start = ProcessInfo.processInfo.systemUptime
    var report = try make()
    let seconds = ProcessInfo.processInfo.systemUptime - start
    report.milliseconds = Int((seconds * 1000).rounded())
    return report
  }

  var groups: Set<String>? { accessGroups.isEmpty ? nil : Set(accessGroups) }

  /// The filters of the command line, which must match something; those of a policy file are the report's.
  var typedFilters: Set<UnmatchedFilter.Kind> {
    clientIDs.isEmpty ? [.accessGroups] : [.accessGroups, .clientIDs]
  }

  /// The policy, with the overrides of the command line.
  func apply(to policy: Policy = Policy()) throws -> Policy {
    var policy = policy
    if !clientIDs.isEmpty { policy.clientIDs = clientIDs }
    if joinsGuests { policy.joinsGuests = true }
    if !allowedHosts.isEmpty { policy.allowedHosts = allowedHosts }
    if let accountMap {
      policy.accountMap = try Self.read(accountMap) { try AccountMap(file: $0) }
    }
    return policy
  }

  /// The content of a file that an option names.
  static func read<Value>(_ path: String, _ parse: ([UInt8]) throws -> Value) throws -> Value {
    do {
      return try parse(try CacheFile.bytes(of: path))
    } catch let error as StoreError {
      throw Failure(.usage, error.message)
    } catch MigrationError.invalidPolicy(let sentence) {
      throw Failure(.usage, "\(path): \(sentence)")
    }
  }
}
