// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems
import MSALCache

/// What a look-up says, as it is printed (contract §7). Names are masked already.
struct LookUpResult: Encodable {
  struct TenantProfile: Encodable {
    var tenantId: String?
    var identifier: String?
    var home: Bool
  }

  struct Account: Encodable {
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
      /// What a row of ADAL's is, in words; only for people.
      var row: String?

      private enum CodingKeys: CodingKey { case index, svce, acct, section, key }
    }

    var place: Place
    var failed: String
    var why: String
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

    static func hit(_ secret: Secret) -> Token {
      Token(found: true, secretSha256: String(secret.digest.prefix(16)))
    }

    static func miss(_ candidates: [Candidate], error: String? = nil) -> Token {
      Token(found: false, error: error, candidates: candidates)
    }

    /// Nobody has the user name that was given. Asked without an account, MSAL's look-ups answer with
    /// anybody's tokens.
    static let ofNobody = Token(
      found: false, why: "nobody with this user name is listed, so there is no account to ask for")
  }

  let version = 1
  var accounts: [Account] = []
  /// Why entries are not listed; only where none is.
  var accountCandidates: [Candidate]?
  /// Why accounts cannot be listed at all.
  var accountError: String?
  var accessToken: Token?
  var refreshToken: Token?
  var idToken: Token?

  /// Whether all that was asked for is there.
  var found: Bool {
    !accounts.isEmpty && [accessToken, refreshToken, idToken].allSatisfy { $0?.found ?? true }
  }

  private enum Key: String, CodingKey {
    case version, found, accounts, accountCandidates, accountError
    case accessToken, refreshToken, idToken
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(version, forKey: .version)
    try values.encode(found, forKey: .found)
    try values.encode(accounts, forKey: .accounts)
    try values.encodeIfPresent(accountCandidates, forKey: .accountCandidates)
    try values.encodeIfPresent(accountError, forKey: .accountError)
    try values.encodeIfPresent(accessToken, forKey: .accessToken)
    try values.encodeIfPresent(refreshToken, forKey: .refreshToken)
    try values.encodeIfPresent(idToken, forKey: .idToken)
  }
}

extension LookUpResult.Account {
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

extension LookUpResult.Token {
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
