// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import MSALCache
import MSALLookup

/// What a look-up asks of an entry, with a page for each check that can fail.
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
    "MSAL reads only the access group that its configuration names.",
    "look in that group with '--access-group', or migrate into the app's group with "
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
        "MSAL skips an item if its data is not a JSON object or lacks a required field.",
        "migrate again, or sign in: MSAL then writes a new entry"
      )
    case .tombstone:
      (
        "refresh token was rejected",
        "ADAL writes `<tombstone>` in place of a refresh token that the service rejected.",
        "sign in again"
      )
    case .authorityType:
      (
        "account has another authority type",
        "MSAL lists accounts with the authority_type MSSTS. MSAL for Python also lists ADFS.",
        "sign in with MSAL, which then writes the account"
      )
    case .homeAccountID:
      (
        "entry is of another account",
        "A token belongs to its home account ID. To list an account, MSAL needs a refresh token "
          + "with exactly the same ID.",
        "look up the entry's identifier, if the user is the same"
      )
    case .username:
      (
        "entry has another user name",
        "MSAL finds an account by the keychain attribute generic, and a row of ADAL's by the user that it "
          + "is filed under, and neither by what the payload says.",
        "look up the name in the entry's key, or use '--account-id'"
      )
    case .environment:
      (
        "entry belongs to another cloud or host",
        "MSAL looks for the authority's host and its aliases. Without instance metadata a host has "
          + "no aliases.",
        "use an authority of the entry's cloud, or leave out '--no-instance-metadata'"
      )
    case .clientID:
      (
        "entry belongs to another client",
        "A token works only for the client that it was issued to. For account lists and app "
          + "metadata, MSAL compares client IDs with their case.",
        "use the entry's client ID, spelled as in the entry; an app with a new registration has "
          + "to sign in again"
      )
    case .familyID:
      (
        "refresh token belongs to no family or to another",
        "Clients of a family share a refresh token with the family's number.",
        "leave out '--family-id'"
      )
    case .realm:
      (
        "token belongs to another tenant",
        "Access tokens and ID tokens belong to one tenant. A silent request uses the tenant of its authority, "
          + "or with 'common' the account's home tenant.",
        "use '--authority' with that tenant; a new access token needs only the refresh token"
      )
    case .target:
      (
        "access token has other scopes",
        "The token must have every requested scope. MSAL compares scopes as strings, so "
          + "a resource that ends in a slash has two slashes before .default.",
        "request the scopes exactly as the token has them; with a refresh token MSAL gets the others by itself"
      )
    case .requestedClaims:
      (
        "token was issued for requested claims",
        "MSAL returns such a token only to a request for the same claims.",
        "request the same claims; with a refresh token MSAL gets another by itself"
      )
    case .extendedKey:
      (
        "access token is stored for requests with other parameters",
        "MSAL for Python stores such tokens under an extended key.",
        "request it with the same parameters; with a refresh token MSAL gets another by itself"
      )
    case .typeAttribute:
      (
        "keychain attribute type differs",
        "MSAL's keychain queries name the type: 1003 for accounts, 2001 to 2003 for tokens.",
        attributes
      )
    case .genericAttribute:
      (
        "keychain attribute generic differs",
        "MSAL's keychain queries name it, with its case.", attributes
      )
    case .serviceAttribute:
      (
        "keychain attribute service differs",
        "MSAL's keychain queries for refresh tokens and ID tokens name it, with its case.",
        attributes
      )
    case .usable:
      (
        "entry is not a token that MSAL can use",
        "The payload must name the kind of token that is asked for and have what that kind needs; a row of "
          + "ADAL's must have a refresh token and no access token beside it.",
        "migrate: a row that MSAL skips can often be converted"
      )
    case .expiresOn:
      (
        "access token has expired or is about to",
        "MSAL returns an access token only with at least 300 seconds left.",
        "nothing to do: with a refresh token MSAL gets another by itself"
      )
    case .cachedAt:
      (
        "access token was cached in the future",
        "MSAL treats a token from the future as expired.",
        "check the clock of the device and '--now'"
      )
    case .refreshOn:
      (
        "access token is due for a refresh",
        "The service asked to replace the token from this time on, although it has not expired.",
        "nothing to do: with a refresh token MSAL gets another by itself"
      )
    case .idToken:
      (
        "ID token is missing",
        "MSAL returns an access token only with an ID token (type 2003) of the same account, client and "
          + "tenant.",
        "migrate ADAL's rows, or request a token once: MSAL writes the ID token that it gets"
      )
    case .account:
      (
        "account is missing or hidden by another",
        "MSAL returns a token only with an account of the same tenant, and lists an ADAL row only if "
          + "no account of the same name hides it.",
        "look up the listed account with '--account-id', or migrate for this client too"
      )
    case .refreshToken:
      (
        "there is no refresh token",
        "MSAL lists an account for a client only if the client or its family has a refresh token of the account.",
        "migrate the client's refresh token, or sign in"
      )
    case .signInState:
      (
        "user signed out",
        "Account metadata says signed_out: MSAL neither lists the account nor returns its tokens to this "
          + "client.",
        "sign in again, if the user wants to"
      )
    case .authority:
      (
        "ADAL row has another authority",
        "MSAL looks for ADAL rows under the authority's tenant and under 'common', by their key "
          + "with its exact spelling.",
        "migrate: MSAL then finds the refresh token for any authority; or use '--authority'"
      )
    case .resource:
      (
        "ADAL row is a token for one resource",
        "MSAL only queries rows that have no resource.",
        "migrate: if the account has no better refresh token, this one is converted"
      )
    case .key:
      (
        "entry has another key",
        "MSAL for Python looks up some entries by their exact key.",
        "let MSAL for Python write the entry, or migrate into a new document"
      )
    }
  }

  private static let attributes =
    "the item was not written as MSAL writes it; export it with all its attributes, or migrate again"
}
