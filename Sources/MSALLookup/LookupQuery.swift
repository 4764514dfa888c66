// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

/// What an app asks MSAL's cache for: an operation and its parameters.
///
/// A parameter that is nil was not given; an empty one was. The operations are those of
/// `vectors/lookup/README.md`, which says what each asks of MSAL.
package struct LookupQuery: Sendable, Hashable {
  /// What is looked up.
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
    /// What is known about a client.
    case appMetadata
    /// Every credential that can be read.
    case allTokens
  }

  /// What is asked for.
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
  /// The family whose token is asked for; nil for the client's own.
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

  /// A question; what is not said is not asked.
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

  /// The query that this JSON object spells; null is as good as absent.
  ///
  /// - Throws: ``Lookup.Failure`` naming what is unknown or of the wrong type.
  package init(_ value: JSONValue) throws(Lookup.Failure) {
    guard let members = value.object else {
      throw Lookup.Failure(description: "a query is not an object")
    }
    guard let name = members["op"]?.string, let operation = Operation(rawValue: name) else {
      throw Lookup.Failure(description: "a query has no operation \"op\" that is known")
    }
    self.init(operation)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
      switch (name, value) {
      case ("op", _), ("answer", _), ("alternatives", _), ("orderDependent", _): break
      case ("clientId", .string(let text)): clientID = text
      case ("scopes", .string(let text)): scopes = text
      case ("authority", .string(let text)): authority = text
      case ("homeAccountId", .string(let text)): homeAccountID = text
      case ("username", .string(let text)): username = text
      case ("familyId", .string(let text)): familyID = text
      case ("realmHint", .string(let text)): realmHint = text
      case ("identifier", .string(let text)): identifier = text
      case ("tenantProfileId", .string(let text)): tenantProfileID = text
      case ("signedInOnly", .bool(let flag)): signedInOnly = flag
      case ("v1", .bool(let flag)): isV1 = flag
      case ("withLegacy", .bool(let flag)): withLegacy = flag
      default:
        throw Lookup.Failure(
          description: "a query has \"\(name)\", which is unknown or not of its type")
      }
    }
  }
}
