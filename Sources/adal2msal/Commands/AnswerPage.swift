// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The answer as a page: the results, the misses with their reasons, and the remedies.
extension ClientAnswer {
  /// The most entries that are explained. The JSON has all of them.
  private static let most = 100

  var page: String {
    HTMLPage.text(
      kind: "Lookup", headline: result.headline,
      tone: result.isFound ? .good : result.staysSignedIn ? .fair : .bad,
      lead: [question] + unknownClient,
      chapters: [remedies, accounts, tokens, rows, knownAccounts], remarks: ["No token is shown."])
  }

  private var question: String {
    let parts = [
      "client \(PlainText.show(request.clientID))",
      request.username.flatMap { request.shown($0) }.map { "user \(PlainText.show($0))" },
      request.accountID.map { "account \(PlainText.show($0))" },
      request.scopes.isEmpty
        ? nil : "scope \(request.scopes.map { PlainText.show($0) }.joined(separator: " "))",
      request.authority.map { "authority \(PlainText.show($0))" },
      request.familyID.map { "family \(PlainText.show($0))" },
    ]
    return "Asked: \(parts.compactMap { $0 }.joined(separator: ", "))."
  }

  private var unknownClient: [String] {
    guard let known = result.knownClients else { return [] }
    func list(_ names: some Sequence<String>) -> String {
      names.map(PlainText.show).joined(separator: ", ")
    }
    if !result.otherGroups.isEmpty {
      return [
        "The selected access group has no entry of this client. "
          + "Its entries are in \(list(result.otherGroups))."
      ]
    }
    if known.isEmpty { return ["The cache has no client."] }
    return ["The cache does not know this client. It has: \(list(known.prefix(Self.most)))."]
  }

  private var remedies: HTML {
    guard let remedies = result.remedies, !remedies.isEmpty else { return .none }
    let items = remedies.map { remedy in
      let code = remedy.failed.map { HTML.tag(.code, content: .text($0)) }
      return HTML.tag(
        .li, content: code.map { .group([$0, ": "]) } ?? .none, .text(remedy.remedy))
    }
    return .chapter("what-to-do", "What to do", .element(.ul, [], items))
  }

  private var accounts: HTML {
    let known =
      result.accounts.isEmpty
      ? HTML.tag(.p, content: "None is listed.") : Self.table(of: result.accounts)
    let others = (result.alternatives ?? []).prefix(2).map { accounts in
      HTML.group([
        .tag(.p, content: "MSAL's result order is undefined. It may also return:"),
        Self.table(of: accounts),
      ])
    }
    return .chapter(
      "accounts", "Accounts", known, .group(others),
      why(result.accountCandidates, result.accountError))
  }

  private static func table(of accounts: [LookupRendering.Account]) -> HTML {
    let rows: [[HTML]] = accounts.map { account in
      [
        .name(account.username),
        account.identifier.map { .name($0) } ?? "none before the first refresh",
        .name(account.environment),
        .element(
          .div, [],
          account.tenantProfiles.map { profile in
            .tag(.div, content: .name(profile.tenantID), profile.isHome ? " (home)" : .none)
          }),
      ]
    }
    return .table("Accounts", ["user name", "identifier", "environment", "tenants"], rows)
  }

  private var tokens: HTML {
    guard !result.tokens.isEmpty else { return .none }
    return .chapter(
      "tokens", "Tokens",
      .group(
        result.tokens.map { name, token in
          .card(
            token.isFound ? .good : .bad, badge: token.isFound ? "found" : "not found",
            title: .shown(name.capitalizedStart),
            token.isFound ? .tag(.p, content: .shown(token.words)) : .none,
            token.why.map { .tag(.p, content: .text($0 + ".")) } ?? .none,
            why(token.candidates, token.error))
        }))
  }

  private func why(_ candidates: [LookupRendering.Candidate]?, _ error: String?) -> HTML {
    if let error {
      return .tag(.p, content: "MSAL reports an error: ", .text(error), ".")
    }
    guard let candidates else { return .none }
    if candidates.isEmpty {
      return .tag(.p, content: "The cache has no entry of this kind.")
    }
    let nearest = request.asksForAccount ? candidates.nearest : candidates.inOrder
    if nearest.isEmpty { return .tag(.p, content: "No entry in the cache matches this account.") }
    let items = nearest.prefix(Self.most).map { candidate in
      HTML.tag(
        .li, content: .name(shown: candidate.words), ": ",
        .tag(.code, content: .text(candidate.failed.rawValue)), ", ", .text(candidate.why))
    }
    return .folded(
      .shown("Why not: \(nearest.count.counted("entry")) that come near"),
      .element(.ul, [], items))
  }

  private var rows: HTML {
    guard let rows = result.rows, !rows.isEmpty else { return .none }
    let shown: [[HTML]] = rows.prefix(Self.most).map { row in
      [
        .shown(String(row.row)), .text(row.kind), .name(row.clientID),
        .tag(.code, content: .text(row.failed)), .text(row.why),
      ]
    }
    let columns = ["row", "kind", "client", "reason", "why"]
    return .chapter(
      "rows", "Rows that cannot be used", .table("Rows", columns, numeric: ["row"], shown))
  }

  private var knownAccounts: HTML {
    guard let known = result.knownAccounts, !known.isEmpty else { return .none }
    let shown: [[HTML]] = known.prefix(Self.most).map { account in
      [
        .name(account.username), .name(account.identifier),
        .element(.div, [], account.clients.flatMap { [.name($0), " "] }),
      ]
    }
    return .chapter(
      "people", "Accounts in the cache",
      .table("Accounts", ["user name", "identifier", "clients"], shown))
  }
}
