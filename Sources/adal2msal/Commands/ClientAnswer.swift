// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import MigrationReports

/// The results of one client in a cache, and the reasons for misses.
struct ClientAnswer {
  /// The query, with the user name in clear text.
  private(set) var request: AppRequest
  private(set) var result: LookupRendering

  /// - Parameter inspection: that of the cache, where there is one already.
  init(
    _ request: AppRequest, asked cache: LookupCache, inspection: CacheInspection? = nil
  ) throws {
    self.request = request
    var inspection = inspection
    if let mask = request.username, CacheInspection.isMask(mask) {
      let made = try inspection ?? cache.inspection()
      self.request.username = try made.name(behind: mask, request.names) ?? mask
      inspection = made
    }
    result = cache.answer(self.request)
    // A client of a family finds its tokens even if its id is misspelled.
    if !result.isFound || !cache.knows(request.clientID) {
      let miss = MissExplanation(
        request: self.request, inspection: try inspection ?? cache.inspection(),
        items: cache.items)
      miss.explain(&result)
    }
  }

  func text(width: Int) -> String {
    AnswerText(result: result, request: request, width: width).text
  }
}

/// The answer to a look-up without a client: the clients of the cache, with the results of each if the look-up is about
/// one account or if there is one client.
struct ClientAnswers {
  private let clients: [String]
  private let answers: [ClientAnswer]?

  /// The most clients that are asked. Each look-up reads every row.
  private static let mostAsked = 20
  /// The most clients that text lists. The JSON has all of them.
  private static let shown = 100

  /// - Parameter request: the query for each client. It names no client.
  init(_ request: AppRequest, asked cache: LookupCache) throws {
    let inspection = try cache.inspection()
    let clients = inspection.clients(in: cache.items?.group)
    self.clients = clients
    var request = request
    let accounts = inspection.report.accounts
    if !request.asksForAccount, accounts.count == 1, let account = accounts.first {
      request.username = account.userID
      request.accountID = account.userID == nil ? account.homeAccountID : nil
    }
    guard clients.count == 1 || request.asksForAccount, clients.count <= Self.mostAsked else {
      answers = nil
      return
    }
    answers = try clients.map { client in
      request.clientID = client
      return try ClientAnswer(request, asked: cache, inspection: inspection)
    }
  }

  /// Whether every client that was asked found everything; true where they are only listed.
  var isFound: Bool { answers?.allSatisfy(\.result.isFound) ?? true }

  func text(width: Int) -> String {
    guard let answers, !answers.isEmpty else { return list(width: width) }
    return answers.map { answer in
      "client \(PlainText.show(answer.request.clientID))\n" + answer.text(width: width)
    }.joined(separator: "\n")
  }

  private func list(width: Int) -> String {
    if clients.isEmpty { return "The cache has no client.\n" }
    let number = clients.count.counted("client")
    let lines =
      TextLines.fill(
        "The cache has \(number). Name one with '--client-id', or an account with '--username'.",
        width: width)
      + clients.prefix(Self.shown).map { "  \(PlainText.show($0))" }
      + (clients.count > Self.shown ? ["  and \(clients.count - Self.shown) more"] : [])
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    let list = answers.map { answers in
      JSONValue.array(
        answers.map {
          .object(["clientId": .string($0.request.clientID), "answer": $0.result.json])
        })
    }
    return .members([
      "version": .integer(1), "clients": list,
      "knownClients": list == nil ? .texts(clients) : nil,
    ])
  }
}
