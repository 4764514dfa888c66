// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import MSALCache
import MSALLookup

/// What a look-up asks of an entry, with a page for the person whose entry fails.
struct PredicatePage: Hashable {
  /// As answers name it.
  let code: String
  /// What is wrong, in a few words without a full stop.
  let summary: String
  /// Why MSAL asks it.
  let because: String
  /// What to do, in one line without a full stop.
  let remedy: String

  /// Every check, in the order in which they are asked.
  static let all =
    [accessGroup] + LookupCandidate.Predicate.allCases.map { PredicatePage($0) }

  /// The check that an answer names; nil when there is none of that name.
  init?(code: String) {
    guard let check = Self.all.first(where: { $0.code == code.lowercased() }) else { return nil }
    self = check
  }

  private init(_ code: String, _ summary: String, _ because: String, _ remedy: String) {
    self.code = code
    self.summary = summary
    self.because = because
    self.remedy = remedy
  }

  /// The page that `adal2msal explain` shows.
  func page(width: Int) -> String {
    [
      "\(code): \(summary)", "Why: \(because)", "What to do: \(remedy).",
    ].map { TextLines.fill($0, width: max(40, width)).joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// A row in a group that is not asked. No look-up of MSAL's ever meets one.
  static let accessGroup = PredicatePage(
    "access_group", "row is in another keychain access group",
    "MSAL reads one access group, the one that its configuration names; what is in another is not there for it.",
    "ask that group with '--access-group', or migrate into the group that the app reads with "
      + "'--into-group'")

  init(_ predicate: LookupCandidate.Predicate) {
    let (summary, because, remedy) = Self.words(predicate)
    self.init(predicate.rawValue, summary, because, remedy)
  }

  private static func words(
    _ predicate: LookupCandidate.Predicate
  ) -> (summary: String, because: String, remedy: String) {
    switch predicate {
    case .readable:
      (
        "entry cannot be read",
        "MSAL passes over an item whose data is no JSON object, or lacks what its kind cannot do without.",
        "nothing can be read from it; migrate again, or sign in, and MSAL writes a new entry"
      )
    case .tombstone:
      (
        "refresh token was rejected",
        "ADAL writes `<tombstone>` in place of a refresh token that the service refused.",
        "sign in again"
      )
    case .authorityType:
      (
        "account is of another kind of authority",
        "MSAL lists accounts whose authority_type is MSSTS; MSAL for Python also those with ADFS.",
        "sign in with MSAL, which writes the account that it looks for"
      )
    case .homeAccountID:
      (
        "entry is of another account",
        "Tokens belong to the home account id in them; to list an account, MSAL needs a refresh token "
          + "with the same id, letter by letter.",
        "ask with the identifier that the entry has, if the person is the same"
      )
    case .username:
      (
        "entry has another user name",
        "MSAL finds an account by the keychain attribute generic, and a row of ADAL's by the user that it "
          + "is filed under, and neither by what the payload says.",
        "ask with the name that the entry is filed under, or with '--account-id'"
      )
    case .environment:
      (
        "entry is of another cloud, or under another host",
        "MSAL asks for the host of the authority and its aliases; without instance metadata a host is its "
          + "own only alias.",
        "ask with an authority of the entry's cloud, or without '--no-instance-metadata'"
      )
    case .clientID:
      (
        "entry is of another client",
        "A token is good for the client that it was issued to. Where accounts are listed and in app "
          + "metadata, MSAL compares client ids with their case.",
        "ask with the client that the entry is of, spelled as there; an app with a new registration has "
          + "to sign in again"
      )
    case .familyID:
      (
        "refresh token is of no family, or of another",
        "Clients of a family share a refresh token that carries the family's number.",
        "ask without '--family-id'"
      )
    case .realm:
      (
        "token is of another tenant",
        "Access tokens and ID tokens are of one tenant; a silent request asks in that of its authority, "
          + "with 'common' in the account's home tenant.",
        "ask with '--authority' of that tenant; a new access token needs the refresh token alone"
      )
    case .target:
      (
        "access token has other scopes",
        "Each scope that is asked for must be among those of the token. They are compared as strings, so "
          + "that a resource with a slash at its end has two before .default.",
        "ask for the scopes as the token has them; with a refresh token MSAL gets the others by itself"
      )
    case .requestedClaims:
      (
        "token was issued for requested claims",
        "MSAL serves such a token only to a request for the same claims.",
        "request the same claims; with a refresh token MSAL gets another by itself"
      )
    case .extendedKey:
      (
        "access token is kept for requests with other parameters",
        "MSAL for Python keeps such tokens apart by an extended key.",
        "request it with the same parameters; with a refresh token MSAL gets another by itself"
      )
    case .typeAttribute:
      (
        "keychain attribute type is another",
        "MSAL asks the keychain for items by their type: 1003 for accounts, 2001 to 2003 for tokens.",
        attributes
      )
    case .genericAttribute:
      (
        "keychain attribute generic is another",
        "MSAL asks the keychain for items by it, with its case.", attributes
      )
    case .serviceAttribute:
      (
        "keychain attribute service is another",
        "MSAL asks the keychain for refresh tokens and ID tokens by it, with its case.", attributes
      )
    case .usable:
      (
        "entry is no token that MSAL can use",
        "The payload must name the kind of token that is asked for and have what that kind needs; a row of "
          + "ADAL's must have a refresh token and no access token beside it.",
        "migrate: a row that MSAL passes over can often be converted"
      )
    case .expiresOn:
      (
        "access token has expired or is about to",
        "MSAL serves an access token with at least 300 seconds left.",
        "nothing to do: with a refresh token MSAL gets another by itself"
      )
    case .cachedAt:
      (
        "access token was cached in the future",
        "MSAL takes a token that is younger than now for expired.",
        "check the clock of the device and '--now'"
      )
    case .refreshOn:
      (
        "access token is to be refreshed",
        "The service said from when on the token should be replaced, though it has not expired.",
        "nothing to do: with a refresh token MSAL gets another by itself"
      )
    case .idToken:
      (
        "ID token is missing",
        "MSAL serves an access token only with an ID token (type 2003) of the same account, client and "
          + "tenant.",
        "migrate ADAL's rows, or request a token once: MSAL writes the ID token that it gets"
      )
    case .account:
      (
        "account is missing, or another stands in its place",
        "MSAL serves a token only with an account of the same tenant, and lists a row of ADAL's only where "
          + "no account of the same name hides it.",
        "ask by '--account-id' for the account that is listed, or migrate for this client, too"
      )
    case .refreshToken:
      (
        "there is no refresh token",
        "MSAL lists an account for a client that has a refresh token of it, its own or its family's.",
        "migrate the client's refresh token, or sign in"
      )
    case .signInState:
      (
        "somebody signed out",
        "Account metadata says signed_out: MSAL neither lists the account nor serves its tokens to this "
          + "client.",
        "sign in again, if that is what the person wants"
      )
    case .authority:
      (
        "row of ADAL's is filed under another authority",
        "MSAL asks for rows of ADAL's under the tenant of the authority and under 'common', by their key "
          + "and in the very spelling.",
        "migrate: the refresh token is then found whatever the authority; or ask with '--authority'"
      )
    case .resource:
      (
        "row of ADAL's is a token of one resource",
        "MSAL asks for rows without a resource alone.",
        "migrate: where the person has no better refresh token, this one is converted"
      )
    case .key:
      (
        "entry is kept under another key",
        "MSAL for Python looks some entries up by their very key.",
        "let MSAL for Python write the entry, or migrate into a new document"
      )
    }
  }

  private static let attributes =
    "the item was not written as MSAL writes it; export it with all its attributes, or migrate again"
}
