// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// MSAL for Python's own read paths over a cache document: what it would find there, and why not.
///
/// Strings are compared as they are, in the case that the document has; only the host of the authority
/// is asked for in lower case. Read from msal 1.39.0 (`msal/token_cache.py`, `msal/application.py`);
/// msal-cache-format §7.3. Nothing is removed or saved.
package struct PythonLookup: Sendable {
  let document: CacheDocument
  let now: Double
  let knowsClouds: Bool

  /// A look-up in this document.
  ///
  /// - Parameters:
  ///   - now: the reader's clock, in Unix seconds.
  ///   - knowsClouds: whether the aliases of a host are asked for when the host itself has nothing.
  package init(_ document: CacheDocument, now: Double, knowsClouds: Bool = true) {
    self.document = document
    self.now = now
    self.knowsClouds = knowsClouds
  }

  /// What is asked for. An account is given by its home account id.
  package struct Query: Sendable, Hashable {
    /// The client ID of the app.
    package var clientID: String
    /// The configured authority, a URL with a tenant, `common` or `organizations`.
    package var authority: String
    /// The account that is asked for; nil for any.
    package var homeAccountID: String?
    /// Scopes separated by spaces.
    package var scopes: String
    /// The family to ask instead of the one that app metadata names.
    package var familyID: String?

    /// A question; what is not said is not asked.
    package init(
      clientID: String, authority: String, homeAccountID: String? = nil, scopes: String = "",
      familyID: String? = nil
    ) {
      self.clientID = clientID
      self.authority = authority
      self.homeAccountID = homeAccountID
      self.scopes = scopes
      self.familyID = familyID
    }
  }

  /// Why MSAL for Python raises an exception instead of finding nothing.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error as one sentence.
    package let description: String
    /// Where the entry is that failed; nil when there is none.
    package let place: LookupCandidate.EntryPlace?
  }

  /// An account that is listed: the last entry of its home account id.
  package struct PythonAccount: Sendable, Hashable {
    /// As the entry spells it.
    package let homeAccountID: String?
    /// As the entry spells it.
    package let username: String?
    /// The host.
    package let environment: String
    /// The tenant.
    package let realm: String?
    /// The object id in that tenant.
    package let localAccountID: String?
    /// Where the account is.
    package let place: LookupCandidate.EntryPlace
  }

  /// A token that was found.
  package struct Token: Sendable, Hashable {
    /// The refresh token itself.
    package let secret: TokenSecret
    /// The family that it is of.
    package let familyID: String?
    /// Where the token is.
    package let place: LookupCandidate.EntryPlace
  }

  /// The accounts of the authority's host, else of its first alias that has any
  /// (`get_accounts`). No refresh token is needed.
  ///
  /// - Throws: ``Failure`` where an entry makes MSAL for Python raise an exception.
  package func accounts(
    authority: String, username: String? = nil
  ) throws(Failure) -> [PythonAccount] {
    for environment in environments(of: authority) {
      let found = try accounts(environment: environment)
      if found.isEmpty { continue }
      guard let username, !username.isEmpty else { return found }
      if let nameless = found.first(where: { $0.username == nil }) {
        throw Failure(description: "an account has no user name to compare", place: nameless.place)
      }
      return found.filter { $0.username?.lowercasedLikeNSString == username.lowercasedLikeNSString }
    }
    return []
  }

  private func accounts(environment: String) throws(Failure) -> [PythonAccount] {
    var found: [PythonAccount] = []
    for object in document.objects(in: .account)
    where object.members["environment"] == .string(environment) {
      guard let type = object.members["authority_type"] else {
        throw Failure(description: "an account has no authority_type", place: place(of: object))
      }
      guard [.string("MSSTS"), .string("ADFS")].contains(type) else { continue }
      let account = PythonAccount(
        homeAccountID: object.members["home_account_id"]?.string,
        username: object.members["username"]?.string, environment: environment,
        realm: object.members["realm"]?.string,
        localAccountID: object.members["local_account_id"]?.string, place: place(of: object))
      if let same = found.firstIndex(where: { $0.homeAccountID == account.homeAccountID }) {
        found[same] = account
      } else {
        found.append(account)
      }
    }
    return found
  }

  /// The access token that `acquire_token_silent` returns without a request.
  ///
  /// - Throws: ``Failure`` where an entry makes MSAL for Python raise an exception.
  package func accessToken(_ query: Query) throws(Failure) -> Token? {
    for environment in tokenEnvironments(of: query.authority) {
      let checks = accessTokenChecks(query, environment: environment)
      if let object = preferred(query, environment: environment), checks.holds(object) {
        return try token(object)
      }
      for object in document.objects(in: .accessToken) {
        guard Self.integer(object.members["expires_on"]) != nil else {
          throw Failure(
            description: "an access token has no expires_on that is a whole number, "
              + "on which every look-up that passes it fails", place: place(of: object))
        }
        if checks.holds(object) { return try token(object) }
      }
    }
    return nil
  }

  /// The refresh token that is tried first: of the family where the client is in one or may be, else
  /// the client's own.
  ///
  /// - Throws: ``Failure`` where an entry makes MSAL for Python raise an exception.
  package func refreshToken(_ query: Query) throws(Failure) -> Token? {
    for checks in refreshTokenChecks(query) {
      let matching = document.objects(in: .refreshToken).filter(checks.holds)
      let times = matching.map { Self.integer($0.members["last_modification_time"] ?? .integer(0)) }
      if let odd = times.firstIndex(of: nil) {
        throw Failure(
          description: "a refresh token's last_modification_time is not a whole number",
          place: place(of: matching[odd]))
      }
      // The newest first; of equal ones the first.
      let newest = zip(matching, times).enumerated().max { a, b in
        (a.element.1 ?? 0, b.offset) < (b.element.1 ?? 0, a.offset)
      }
      guard let object = newest?.element.0 else { continue }
      guard object.members["credential_type"] == .string("RefreshToken") else {
        throw Failure(
          description: "a refresh token's credential_type is not RefreshToken",
          place: place(of: object))
      }
      return try token(object)
    }
    return nil
  }

  private func token(_ object: DocumentObject) throws(Failure) -> Token {
    guard let secret = object.members["secret"]?.string else {
      throw Failure(description: "a token has no secret", place: place(of: object))
    }
    return Token(
      secret: TokenSecret(secret), familyID: object.members["family_id"]?.string,
      place: place(of: object))
  }

  func place(of object: DocumentObject) -> LookupCandidate.EntryPlace {
    .entry(section: object.section, key: object.key)
  }
}
