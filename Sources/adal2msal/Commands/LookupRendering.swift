// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems
import MSALCache
import MSALLookup

/// What a look-up says, as it is printed (contract §7). Names are masked already.
struct LookupRendering: Encodable {
  struct TenantProfile: Encodable, Hashable {
    var tenantId: String?
    var identifier: String?
    var home: Bool
  }

  struct Account: Encodable, Hashable {
    var identifier: String?
    var username: String?
    var environment: String?
    var tenantProfiles: [TenantProfile]
  }

  /// An entry that is not what was asked for.
  struct Candidate: Encodable {
    struct Place: Encodable {
      var index: Int?
      var svce: String?
      var acct: String?
      var section: String?
      var key: String?
      /// What an ADAL row is, in words; not in JSON.
      var words: String?

      private enum CodingKeys: CodingKey { case index, svce, acct, section, key }
    }

    /// The number that reports give the row.
    var row: Int?
    var place: Place
    var failed: String
    var why: String
    /// Where the look-up has found it.
    var origin: LookupCandidate.EntryPlace

    private enum CodingKeys: CodingKey { case row, place, failed, why }

    /// Whether it belongs to another account.
    var isOfOthers: Bool {
      [.username, .homeAccountID].contains { (check: LookupCandidate.Predicate) in
        check.rawValue == failed
      }
    }
  }

  /// A row of the account that the look-up cannot use.
  struct Row: Encodable {
    /// The number that reports give it.
    var row: Int
    var place: Candidate.Place
    var kind: String
    var clientId: String?
    /// A check of the look-up, or the reason that a report gives.
    var failed: String
    var why: String
    /// Told once for all rows of which it is the same.
    var remedy: Remedy

    private enum CodingKeys: CodingKey { case row, place, kind, clientId, failed, why }
  }

  /// An account that the cache knows.
  struct Person: Encodable {
    var username: String?
    var identifier: String?
    var environment: String?
    var clients: [String]

    /// Whether anything says who it is.
    var isSomebody: Bool { username != nil || identifier != nil }
  }

  /// What to do about what failed.
  struct Remedy: Encodable, Hashable {
    /// The check or reason, of which `adal2msal explain` has a page.
    var failed: String?
    var remedy: String
  }

  /// A token that was asked for.
  struct Token: Encodable {
    var found: Bool
    var secretSha256: String?
    /// Only of refresh tokens, and then null where there is none.
    var familyId: String??
    var legacy: Bool?
    /// Why there is no answer but an error.
    var error: String?
    /// Why the cache was not asked.
    var why: String?
    var candidates: [Candidate]?

    static func hit(_ secret: TokenSecret) -> Token {
      Token(found: true, secretSha256: String(secret.digest.prefix(16)))
    }

    static func miss(_ candidates: [Candidate], error: String? = nil) -> Token {
      Token(found: false, error: error, candidates: candidates)
    }

    /// No account has the given user name. Asked without an account, MSAL's look-ups answer with
    /// the tokens of any account.
    static let ofNobody = Token(
      found: false, why: "MSAL lists no account with this user name")
  }

  let version = 1
  var accounts: [Account] = []
  /// What MSAL may list in place of them, as chance has it; nil where that is certain.
  var alternatives: [[Account]]?
  /// Why entries are not listed; only where none is.
  var accountCandidates: [Candidate]?
  /// Why accounts cannot be listed at all.
  var accountError: String?
  /// The account's rows that cannot be used, the closest first.
  var rows: [Row]?
  /// Accounts in the cache, if none matches.
  var people: [Person]?
  /// The clients that the cache knows, where it does not know the one that asks.
  var knownClients: [String]?
  /// Where the client that asks is in an access group that was not selected; not in JSON.
  var otherGroups: [String] = []
  var remedies: [Remedy]?
  var accessToken: Token?
  var refreshToken: Token?
  var idToken: Token?

  /// Whether all that was asked for is there.
  var found: Bool {
    !accounts.isEmpty && [accessToken, refreshToken, idToken].allSatisfy { $0?.found ?? true }
  }

  private enum Key: String, CodingKey {
    case version, found, accounts, orderDependent, alternatives, accountCandidates, accountError
    case rows, people, knownClients, remedies, accessToken, refreshToken, idToken
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(version, forKey: .version)
    try values.encode(found, forKey: .found)
    try values.encode(accounts, forKey: .accounts)
    if let alternatives {
      try values.encode(true, forKey: .orderDependent)
      try values.encode(alternatives, forKey: .alternatives)
    }
    try values.encodeIfPresent(rows, forKey: .rows)
    try values.encodeIfPresent(people, forKey: .people)
    try values.encodeIfPresent(knownClients, forKey: .knownClients)
    try values.encodeIfPresent(remedies, forKey: .remedies)
    try values.encodeIfPresent(accountCandidates, forKey: .accountCandidates)
    try values.encodeIfPresent(accountError, forKey: .accountError)
    try values.encodeIfPresent(accessToken, forKey: .accessToken)
    try values.encodeIfPresent(refreshToken, forKey: .refreshToken)
    try values.encodeIfPresent(idToken, forKey: .idToken)
  }
}

extension LookupRendering.Token {
  /// The candidates of the account itself, those that passed the most checks first.
  var nearest: [LookupRendering.Candidate] { (candidates ?? []).nearest }
}

extension [LookupRendering.Candidate] {
  /// The account's own, those that passed the most checks first.
  var nearest: [LookupRendering.Candidate] { filter { !$0.isOfOthers }.inOrder }

  /// What passed the most checks first.
  var inOrder: [LookupRendering.Candidate] {
    enumerated().sorted { a, b in (-a.element.depth, a.offset) < (-b.element.depth, b.offset) }
      .map(\.element)
  }
}

extension LookupRendering.Candidate {
  /// How far the entry came in the order of the checks.
  fileprivate var depth: Int {
    LookupCandidate.Predicate.allCases.firstIndex { $0.rawValue == failed } ?? 0
  }
}

extension LookupRendering.Account {
  private enum Key: String, CodingKey {
    case identifier, username, environment, tenantProfiles
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    // Null says that there is none: an account that only a row of ADAL's stands for has no identifier.
    try values.encode(identifier, forKey: .identifier)
    try values.encode(username, forKey: .username)
    try values.encode(environment, forKey: .environment)
    try values.encode(tenantProfiles, forKey: .tenantProfiles)
  }
}

extension LookupRendering.Token {
  private enum Key: String, CodingKey {
    case found, secretSha256, familyId, legacy, error, why, candidates
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(found, forKey: .found)
    try values.encodeIfPresent(secretSha256, forKey: .secretSha256)
    if let familyId { try values.encode(familyId, forKey: .familyId) }
    try values.encodeIfPresent(legacy, forKey: .legacy)
    try values.encodeIfPresent(error, forKey: .error)
    try values.encodeIfPresent(why, forKey: .why)
    try values.encodeIfPresent(candidates, forKey: .candidates)
  }
}
