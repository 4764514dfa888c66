// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import PlatformFoundation
import MSALLookup

struct LookupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lookup",
    abstract: "Simulate an MSAL cache lookup and explain the result",
    usage: """
      adal2msal lookup <cache> [--client-id <id>] [<options>]
      adal2msal lookup <cache> --queries <file> [<options>]
      """)

  enum Library: String, OptionWord {
    case objc, python
  }

  enum Format: String, OptionWord {
    case text, json, html
  }

  @Argument(help: "The cache to look in.")
  var cache: PlaceArgument

  @Option(
    name: .customLong("client-id"),
    help: ArgumentHelp("The client ID of the app.", valueName: "id"))
  var clientID: String?

  @Option(
    help: ArgumentHelp(
      "The account with this user name, in clear text or as reports mask it.", valueName: "name"))
  var username: String?

  @Option(
    name: .customLong("account-id"),
    help: ArgumentHelp("The account with this home account ID.", valueName: "uid.utid"))
  var accountID: String?

  @Option(
    name: .customLong("scope"),
    help: ArgumentHelp("A scope of the access token; repeatable.", valueName: "scope"))
  var scopes: [String] = []

  @Option(
    help: ArgumentHelp(
      "The authority of the request",
      discussion: "(default: 'common' in the account's cloud).", valueName: "url"))
  var authority: String?

  @Option(
    name: .customLong("family-id"),
    help: ArgumentHelp("Look up the refresh token of this family.", valueName: "id"))
  var familyID: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The library to simulate: objc for keychain items, python for cache documents.",
      valueName: "library"))
  var library: Library?

  @Flag(
    name: .customLong("no-instance-metadata"),
    help: "Do not use the cloud table: a host has no aliases.")
  var withoutInstanceMetadata = false

  @Option(
    help: ArgumentHelp(
      "The keychain access group to look in.",
      discussion: "(default: the only group, MSAL's own, or the client's).",
      valueName: "group"))
  var accessGroup: String?

  @Option(
    help: ArgumentHelp("Answer the queries in this JSON file.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var queries: String?

  @Option(
    help: ArgumentHelp(
      "Use this time as the current time: ISO 8601 or Unix seconds.", valueName: "instant"),
    transform: Instant.init(word:))
  var now: Instant?

  @Option(help: "The format of the answer on standard output")
  var format: Format = .text

  @OptionGroup var names: NameOptions

  func validate() throws {
    let ids = [
      ("--client-id", clientID), ("--username", username), ("--account-id", accountID),
    ]
    if queries != nil {
      let others =
        ids + [
          ("--scope", scopes.first), ("--authority", authority), ("--family-id", familyID),
        ]
      if let other = others.first(where: { $0.1 != nil }) {
        throw ValidationError(
          "'\(other.0)' cannot be used with '--queries': each query names its own values.")
      }
    } else if clientID == nil, format == .html {
      throw ValidationError("A page has the answer of one client: name it with '--client-id'.")
    }
    let values =
      ids + [("--family-id", familyID), ("--access-group", accessGroup)]
      + scopes.map { ("--scope", $0) }
    if let empty = values.first(where: { $0.1?.allSatisfy(\.isWhitespace) ?? false }) {
      throw ValidationError("The value of '\(empty.0)' is empty.")
    }
    if let authority, RequestAuthority(authority) == nil {
      throw ValidationError(
        "The authority '\(authority)' is not of the form https://HOST/TENANT.")
    }
    if username != nil, accountID != nil {
      throw ValidationError("Use '--username' or '--account-id', not both.")
    }
    if queries != nil, format == .html {
      throw ValidationError("The answers to '--queries' are text or JSON, not a page.")
    }
  }

  func run() throws {
    if let queries { return try answer(QueryFile(path: queries)) }
    let request = AppRequest(
      clientID: clientID ?? "", username: username, accountID: accountID, scopes: scopes,
      authority: authority, familyID: familyID, names: try names.shown())
    let opened = try open(clientID)
    if clientID == nil {
      let answers = try Terminal.working(on: cache.words) {
        try ClientAnswers(request, asked: opened)
      }
      let text = format == .json ? JSONText.encode(answers.json) : answers.text(width: width)
      return try write(text, isFound: answers.isFound)
    }
    let answer = try Terminal.working(on: cache.words) {
      try ClientAnswer(request, asked: opened)
    }
    let text =
      switch format {
      case .json: JSONText.encode(answer.result.json)
      case .html: answer.page
      case .text: answer.text(width: width)
      }
    try write(text, isFound: answer.result.isFound)
  }

  private func write(_ text: String, isFound: Bool) throws {
    try Terminal.write(text)
    if !isFound { throw ExitCode(ExitStatus.found.rawValue) }
  }

  private var knowsClouds: Bool { !withoutInstanceMetadata }
  private var width: Int { Terminal.style(.never).width ?? .max }

  private func answer(_ queries: QueryFile) throws {
    guard let items = try open(nil).items else {
      throw Failure(.usage, "queries are asked of keychain items, and \(cache.text) is a document")
    }
    let answers = Terminal.working(on: cache.words) {
      queries.answers(
        of: items.lookup(
          now: now?.seconds ?? queries.now ?? Date().timeIntervalSince1970,
          knowsClouds: queries.knowsClouds && knowsClouds))
    }
    try write(
      format == .json ? answers.json : answers.text,
      isFound: !answers.contains { $0.agrees == false || $0.isFoundByChance })
  }

  /// The cache, if the library that asks reads such a one.
  private func open(_ clientID: String?) throws -> LookupCache {
    let opened = try LookupCache(
      cache, group: accessGroup, clientID: clientID,
      now: now?.seconds ?? Date().timeIntervalSince1970, knowsClouds: knowsClouds)
    switch (opened.content, library) {
    case (.items, .python?):
      throw Failure(.usage, "MSAL for Python reads cache documents, and \(cache.text) is none")
    case (.document, .objc?):
      throw Failure(
        .usage, "MSAL for iOS and macOS reads keychain items, and \(cache.text) is a document")
    default: return opened
    }
  }
}
