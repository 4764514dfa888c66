// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import CacheFiles
import Foundation
import KeychainItems

/// The options that say what is read and how it is understood.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp(
      "Only rows of this client; repeatable.",
      discussion: "The given spelling is what is written. Without it, every client.",
      valueName: "id"))
  var clientIDs: [String] = []

  @Option(
    help: ArgumentHelp("Home account ids that someone looked up: CSV or JSON.", valueName: "file"),
    completion: .file())
  var accountMap: String?

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Treat this host as an AAD authority of its own cloud; repeatable.", valueName: "host"))
  var allowedHosts: [String] = []

  @Flag(
    name: .customLong("join-guests"),
    help: ArgumentHelp(
      "Give a guest's row the home account of the only member of that user name.",
      discussion: "For tenants that never give a user name to another person."))
  var joinsGuests = false

  @Option(
    name: .customLong("access-group"),
    help: ArgumentHelp("Only keychain items of this group; repeatable.", valueName: "group"))
  var accessGroups: [String] = []

  @Option(
    help: ArgumentHelp(
      "The clock: ISO 8601 or Unix seconds; for repeatable runs and tests.", valueName: "instant"),
    transform: Instant.init(word:))
  var now: Instant?

  @Option(
    name: .customLong("time-zone"),
    help: ArgumentHelp(
      "The time zone of the machine that wrote a list of ADAL Python's.",
      discussion: "A name such as Europe/Berlin, or +02:00. Without it, this machine's.",
      valueName: "zone"),
    transform: TimeZone.init(word:))
  var zone: TimeZone?

  /// The time zone in which lists are read.
  var timeZone: TimeZone { zone ?? .current }

  /// A report with how long it took to make. A run whose clock is given is to be repeatable, and does not
  /// say.
  func timed(_ make: () throws -> Report) rethrows -> Report {
    let start = ProcessInfo.processInfo.systemUptime
    var report = try make()
    if now == nil {
      let seconds = ProcessInfo.processInfo.systemUptime - start
      report.milliseconds = Int((seconds * 1000).rounded())
    }
    return report
  }

  /// The groups to read, or nil for all.
  var groups: Set<String>? { accessGroups.isEmpty ? nil : Set(accessGroups) }

  /// The filters that a person typed, which must fit something; those of a policy file are the report's.
  var typedFilters: Set<UnmatchedFilter.Kind> {
    clientIDs.isEmpty ? [.accessGroups] : [.accessGroups, .clientIDs]
  }

  /// The policy with what the command line says in its place.
  ///
  /// - Throws: ``Failure`` of status 64 when the account map cannot be used.
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

  /// What a file that an option names says.
  static func read<Value>(_ path: String, _ parse: ([UInt8]) throws -> Value) throws -> Value {
    do {
      return try parse(try CacheFile.bytes(of: path))
    } catch let error as StoreError {
      throw Failure(.usage, error.message)
    } catch let error as PolicyError {
      throw Failure(.usage, "\(path): \(error)")
    }
  }
}
