// SPDX-License-Identifier: MIT
/// An app's query to MSAL's cache: an operation and its parameters.
///
/// A nil parameter was not given; an empty one was. The operations are those of `vectors/lookup/README.md`, which maps
/// each to calls of MSAL.
package struct LookupQuery: Sendable {
  /// The operation of a query.
  package enum Operation: String, Sendable, CaseIterable {
    /// A cached access token.
    case accessToken = "at"
    /// A refresh token: the client's, or with a family id the family's.
    case refreshToken = "rt"
    /// An ID token.
    case idToken = "idt"
    /// The account of a token request.
    case account
    /// The accounts that refresh tokens list.
    case accounts
    /// The accounts as apps see them, with app metadata and sign-in states.
    case listedAccounts = "msalAccounts"
    /// The first of those.
    case listedAccount = "msalAccount"
    /// The app metadata of a client.
    case appMetadata
    /// Every credential that can be read.
    case allTokens
  }

  /// The operation.
  package var operation: Operation
  /// The client ID of the app.
  package var clientID: String?
  /// Scopes separated by spaces.
  package var scopes: String?
  /// A URL.
  package var authority: String?
  /// The account that is asked for; nil for any.
  package var homeAccountID: String?
  /// The user name that is asked for; nil for any.
  package var username: String?
  /// The family whose token the query asks for; nil for the client's own token.
  package var familyID: String?
  /// The tenant to prefer among several of an account's.
  package var realmHint: String?
  /// The home account id that listed accounts are narrowed to.
  package var identifier: String?
  /// The local account id that listed accounts are narrowed to.
  package var tenantProfileID: String?
  /// Whether accounts without a refresh token are left out.
  package var signedInOnly = true
  /// Whether a V1IdToken is asked for.
  package var isV1 = false
  /// Whether ADAL's rows are asked too, as MSAL for iOS does.
  package var withLegacy = false

  /// A query. A parameter that is left out is not compared.
  package init(
    _ operation: Operation, clientID: String? = nil, scopes: String? = nil,
    authority: String? = nil, homeAccountID: String? = nil, username: String? = nil,
    familyID: String? = nil, realmHint: String? = nil, identifier: String? = nil,
    tenantProfileID: String? = nil, signedInOnly: Bool = true, isV1: Bool = false,
    withLegacy: Bool = false
  ) {
    self.operation = operation
    self.clientID = clientID
    self.scopes = scopes
    self.authority = authority
    self.homeAccountID = homeAccountID
    self.username = username
    self.familyID = familyID
    self.realmHint = realmHint
    self.identifier = identifier
    self.tenantProfileID = tenantProfileID
    self.signedInOnly = signedInOnly
    self.isV1 = isV1
    self.withLegacy = withLegacy
  }
}
