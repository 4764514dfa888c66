// SPDX-License-Identifier: MIT
import CacheJSON
import LookupAnswers
import MSALLookup
import MigrationReports

/// The answer of a look-up for printing (contract §7). Names are already masked.
struct LookupRendering {
  struct TenantProfile: Hashable {
    var tenantID: String?
    var identifier: String?
    var isHome: Bool
  }

  struct Account: Hashable {
    var identifier: String?
    var username: String?
    var environment: String?
    var tenantProfiles: [TenantProfile]
  }

  /// The place of an entry: an item or a row by its number and attributes, or an entry of a document.
  struct Place {
    var index: Int?
    var service: String?
    var account: String?
    var section: String?
    var key: String?
    /// An ADAL row in words; not in JSON.
    var words: String?
  }

  /// An entry that does not match the query.
  struct Candidate {
    /// The number that reports give the row.
    var row: Int?
    var place: Place
    var failed: LookupPredicate
    var why: String
    /// The place where the look-up found it.
    var origin: LookupCandidate.EntryPlace

    var isOfOthers: Bool { failed == .username || failed == .homeAccountID }
  }

  /// A row of the account that the look-up cannot use.
  struct Row {
    /// The distance of the row from the query; not in JSON.
    var rank: Int
    /// The number that reports give it.
    var row: Int
    var place: Place
    var kind: String
    var clientID: String?
    /// A check of the look-up, or the reason that a report gives.
    var failed: String
    var why: String
    /// Printed once for all rows with the same text.
    var remedy: Remedy
  }

  /// An account of the cache, of any client.
  struct KnownAccount {
    var username: String?
    var identifier: String?
    var environment: String?
    var clients: [String]
  }

  struct Remedy: Hashable {
    /// The check or reason. `adal2msal explain` has a page about it.
    var failed: String?
    var remedy: String
  }

  struct Token {
    var isFound: Bool
    var digest: String?
    /// Only for refresh tokens. Nil in there means that there is none.
    var familyID: String??
    var isLegacy: Bool?
    /// The reason for an error instead of an answer.
    var error: String?
    /// The reason why the cache was not asked.
    var why: String?
    var candidates: [Candidate]?

    static func hit(_ found: Lookup.Token) -> Token {
      let isRefreshToken = found.kind == .refreshToken || found.kind == .familyRefreshToken
      return Token(
        isFound: true, digest: String(found.secret.digest.prefix(16)),
        familyID: isRefreshToken ? .some(found.familyID) : nil,
        isLegacy: isRefreshToken ? found.isLegacy : nil)
    }

    static func miss(_ candidates: [Candidate], error: String? = nil) -> Token {
      Token(isFound: false, error: error, candidates: candidates)
    }

    /// No account has the given user name. Asked without an account, MSAL's look-ups answer with
    /// the tokens of any account.
    static let ofUnknownUser = Token(
      isFound: false, why: "MSAL lists no account with this user name")
  }

  var accounts: [Account] = []
  /// The lists that MSAL may return instead, because set order is undefined; nil if the list is certain.
  var alternatives: [[Account]]?
  /// The reasons why entries are not listed; only if none is listed.
  var accountCandidates: [Candidate]?
  var accountError: String?
  /// The account's rows that cannot be used, the closest first.
  var rows: [Row]?
  /// Accounts in the cache, if none matches.
  var knownAccounts: [KnownAccount]?
  /// The clients that the cache knows, where it does not know the one that asks.
  var knownClients: [String]?
  /// The unselected access groups of the client that asks; not in JSON.
  var otherGroups: [String] = []
  var remedies: [Remedy]?
  var accessToken: Token?
  var refreshToken: Token?
  var idToken: Token?

  /// The tokens that were asked for.
  var tokens: [(name: String, token: Token)] {
    [("refresh token", refreshToken), ("ID token", idToken), ("access token", accessToken)]
      .compactMap { name, token in token.map { (name, $0) } }
  }

  /// Whether all that was asked for is there.
  var isFound: Bool { !accounts.isEmpty && tokens.allSatisfy(\.token.isFound) }

  /// Whether MSAL finds the account and a refresh token for it, and only other tokens are missing, which MSAL gets
  /// with the next request.
  var staysSignedIn: Bool { !accounts.isEmpty && refreshToken?.isFound ?? false }

  var headline: String {
    let missing =
      (accounts.isEmpty ? ["account"] : []) + tokens.filter { !$0.token.isFound }.map(\.name)
    if missing.isEmpty { return "Everything was found." }
    let list = missing.joined(separator: ", ")
    guard staysSignedIn else { return "Not found: \(list)." }
    let how = accounts.first?.identifier == nil ? ", by user name" : ""
    return "The account stays signed in\(how). Not in the cache yet: \(list)."
  }
}

extension [LookupRendering.Candidate] {
  /// The account's own, those that passed the most checks first.
  var nearest: [LookupRendering.Candidate] { filter { !$0.isOfOthers }.inOrder }

  /// Entries that passed the most checks come first.
  var inOrder: [LookupRendering.Candidate] {
    func depth(_ candidate: LookupRendering.Candidate) -> Int {
      LookupPredicate.allCases.firstIndex(of: candidate.failed) ?? 0
    }
    return sorted { depth($0) > depth($1) }
  }
}

extension LookupRendering {
  /// The answer as JSON, without nil members.
  var json: JSONValue {
    func list<Element>(_ elements: [Element]?, _ json: (Element) -> JSONValue) -> JSONValue? {
      elements.map { .array($0.map(json)) }
    }
    func token(_ token: Token?) -> JSONValue? {
      token.map { token in
        .members([
          "found": .bool(token.isFound), "secretSha256": .text(token.digest),
          "familyId": token.familyID.map { .text($0) ?? .null },
          "legacy": token.isLegacy.map { .bool($0) }, "error": .text(token.error),
          "why": .text(token.why), "candidates": list(token.candidates, Self.json),
        ])
      }
    }
    return .members([
      "version": .integer(1), "found": .bool(isFound), "accounts": list(accounts, Self.json),
      "orderDependent": alternatives.map { _ in .bool(true) },
      "alternatives": list(alternatives) { .array($0.map(Self.json)) },
      "rows": list(rows) { row in
        .members([
          "row": .integer(row.row), "place": Self.json(row.place), "kind": .string(row.kind),
          "clientId": .text(row.clientID), "failed": .string(row.failed), "why": .string(row.why),
        ])
      },
      "people": list(knownAccounts) { account in
        .members([
          "username": .text(account.username), "identifier": .text(account.identifier),
          "environment": .text(account.environment), "clients": .texts(account.clients),
        ])
      },
      "knownClients": list(knownClients) { .string($0) },
      "remedies": list(remedies) { remedy in
        .members(["failed": .text(remedy.failed), "remedy": .string(remedy.remedy)])
      },
      "accountCandidates": list(accountCandidates, Self.json),
      "accountError": .text(accountError), "accessToken": token(accessToken),
      "refreshToken": token(refreshToken), "idToken": token(idToken),
    ])
  }

  /// Null means that there is none: an account of a row of ADAL's alone has no identifier.
  private static func json(_ account: Account) -> JSONValue {
    .object([
      "identifier": .text(account.identifier) ?? .null,
      "username": .text(account.username) ?? .null,
      "environment": .text(account.environment) ?? .null,
      "tenantProfiles": .array(
        account.tenantProfiles.map { profile in
          .members([
            "tenantId": .text(profile.tenantID), "identifier": .text(profile.identifier),
            "home": .bool(profile.isHome),
          ])
        }),
    ])
  }

  private static func json(_ candidate: Candidate) -> JSONValue {
    .members([
      "row": candidate.row.map { .integer($0) }, "place": json(candidate.place),
      "failed": .string(candidate.failed.rawValue), "why": .string(candidate.why),
    ])
  }

  private static func json(_ place: Place) -> JSONValue {
    .members([
      "index": place.index.map { .integer($0) }, "svce": .text(place.service),
      "acct": .text(place.account), "section": .text(place.section), "key": .text(place.key),
    ])
  }
}
