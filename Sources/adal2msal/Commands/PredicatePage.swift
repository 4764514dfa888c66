// SPDX-License-Identifier: MIT
import ADALMigration
import LookupAnswers
import MSALLookup
import MigrationReports

/// What a look-up asks of an entry, with a page for each check that can fail.
struct PredicatePage: Hashable {
  let code: String
  /// What is wrong, in a few words without a full stop.
  let summary: String
  let because: String
  /// What to do, in one line without a full stop.
  let remedy: String

  /// Every check, in the order in which they are asked.
  static let all = WrittenPage.pages(in: text, ["Why", "To do"]).map { page in
    let colon = page.title.firstIndex(of: ":") ?? page.title.endIndex
    return PredicatePage(
      code: String(page.title[..<colon]), summary: String(page.title[colon...].dropFirst(2)),
      because: page["Why"] ?? "", remedy: page["To do"] ?? "")
  }

  /// A row in a group that is not asked. No look-up of MSAL's ever meets one.
  static let accessGroup = page("access_group")

  private init(code: String, summary: String, because: String, remedy: String) {
    self.code = code
    self.summary = summary
    self.because = because
    self.remedy = remedy
  }

  /// The check that an answer names; nil when there is none of that name.
  init?(code: String) {
    guard let check = Self.all.first(where: { $0.code == code.lowercased() }) else { return nil }
    self = check
  }

  init(_ predicate: LookupPredicate) { self = Self.page(predicate.rawValue) }

  private static func page(_ code: String) -> PredicatePage {
    guard let page = PredicatePage(code: code) else {
      preconditionFailure("the check \(code) has no page")
    }
    return page
  }

  func page(width: Int) -> String {
    [
      "\(code): \(summary)", "Why: \(because)", "What to do: \(remedy).",
    ].map { TextLines.fill($0, width: max(40, width)).joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private static let text = """
    access_group: row is in another keychain access group
    Why: MSAL reads only the access group that its configuration names.
    To do: look in that group with '--access-group', or migrate into the app's group with
    '--into-group'

    readable: entry cannot be read
    Why: MSAL skips an item if its data is not a JSON object or lacks a required field.
    To do: migrate again, or sign in: MSAL then writes a new entry

    tombstone: refresh token was rejected
    Why: ADAL writes `<tombstone>` in place of a refresh token that the service rejected.
    To do: sign in again

    authority_type: account has another authority type
    Why: MSAL lists accounts with the authority_type MSSTS. MSAL for Python also lists ADFS.
    To do: sign in with MSAL, which then writes the account

    home_account_id: entry is of another account
    Why: A token belongs to its home account ID. To list an account, MSAL needs a refresh token with
    exactly the same ID.
    To do: look up the entry's identifier, if the user is the same

    username: entry has another user name
    Why: MSAL finds an account by the keychain attribute generic, and a row of ADAL's by the user
    that it is filed under, and neither by what the payload says.
    To do: look up the name in the entry's key, or use '--account-id'

    environment: entry belongs to another cloud or host
    Why: MSAL looks for the authority's host and its aliases. Without instance metadata a host has
    no aliases.
    To do: use an authority of the entry's cloud, or leave out '--no-instance-metadata'

    client_id: entry belongs to another client
    Why: A token works only for the client that it was issued to. For account lists and app
    metadata, MSAL compares client IDs with their case.
    To do: use the entry's client ID, spelled as in the entry; an app with a new registration has to
    sign in again

    family_id: refresh token belongs to no family or to another
    Why: Clients of a family share a refresh token with the family's number.
    To do: leave out '--family-id'

    realm: token belongs to another tenant
    Why: Access tokens and ID tokens belong to one tenant. A silent request uses the tenant of its
    authority, or with 'common' the account's home tenant.
    To do: use '--authority' with that tenant; a new access token needs only the refresh token

    target: access token has other scopes
    Why: The token must have every requested scope. MSAL compares scopes as strings, so a resource
    that ends in a slash has two slashes before .default.
    To do: request the scopes exactly as the token has them; with a refresh token MSAL gets the
    others by itself

    requested_claims: token was issued for requested claims
    Why: MSAL returns such a token only to a request for the same claims.
    To do: request the same claims; with a refresh token MSAL gets another by itself

    ext_cache_key: access token is stored for requests with other parameters
    Why: MSAL for Python stores such tokens under an extended key.
    To do: request it with the same parameters; with a refresh token MSAL gets another by itself

    type: keychain attribute type differs
    Why: MSAL's keychain queries name the type: 1003 for accounts, 2001 to 2003 for tokens.
    To do: the item was not written as MSAL writes it; export it with all its attributes, or migrate
    again

    generic: keychain attribute generic differs
    Why: MSAL's keychain queries name it, with its case.
    To do: the item was not written as MSAL writes it; export it with all its attributes, or migrate
    again

    service: keychain attribute service differs
    Why: MSAL's keychain queries for refresh tokens and ID tokens name it, with its case.
    To do: the item was not written as MSAL writes it; export it with all its attributes, or migrate
    again

    usable: entry is not a token that MSAL can use
    Why: The payload must name the kind of token that is asked for and have what that kind needs; a
    row of ADAL's must have a refresh token and no access token beside it.
    To do: migrate: a row that MSAL skips can often be converted

    expires_on: access token has expired or is about to
    Why: MSAL returns an access token only with at least 300 seconds left.
    To do: nothing to do: with a refresh token MSAL gets another by itself

    cached_at: access token was cached in the future
    Why: MSAL treats a token from the future as expired.
    To do: check the clock of the device and '--now'

    refresh_on: access token is due for a refresh
    Why: The service asked to replace the token from this time on, although it has not expired.
    To do: nothing to do: with a refresh token MSAL gets another by itself

    id_token: ID token is missing
    Why: MSAL returns an access token only with an ID token (type 2003) of the same account, client
    and tenant.
    To do: migrate ADAL's rows, or request a token once: MSAL writes the ID token that it gets

    account: account is missing or hidden by another
    Why: MSAL returns a token only with an account of the same tenant, and lists an ADAL row only if
    no account of the same name hides it.
    To do: look up the listed account with '--account-id', or migrate for this client too

    refresh_token: there is no refresh token
    Why: MSAL lists an account for a client only if the client or its family has a refresh token of
    the account.
    To do: migrate the client's refresh token, or sign in

    sign_in_state: user signed out
    Why: Account metadata says signed_out: MSAL neither lists the account nor returns its tokens to
    this client.
    To do: sign in again, if the user wants to

    authority: ADAL row has another authority
    Why: MSAL looks for ADAL rows under the authority's tenant and under 'common', by their key with
    its exact spelling.
    To do: migrate: MSAL then finds the refresh token for any authority; or use '--authority'

    resource: ADAL row is a token for one resource
    Why: MSAL only queries rows that have no resource.
    To do: migrate: if the account has no better refresh token, this one is converted

    key: entry has another key
    Why: MSAL for Python looks up some entries by their exact key.
    To do: let MSAL for Python write the entry, or migrate into a new document
    """
}
