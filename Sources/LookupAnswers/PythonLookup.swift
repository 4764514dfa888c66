// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

/// MSAL for Python's own read paths over a cache document, with the reasons for misses.
///
/// Strings are compared as they are, in the case that the document has; only the host of the authority
/// is asked for in lower case. Read from msal 1.39.0 (`msal/token_cache.py`, `msal/application.py`);
/// msal-cache-format §7.3. Nothing is removed or saved.
///
/// Queries name a client and an authority, the configured one: a URL with a tenant, `common` or `organizations`.
/// They throw a `Lookup.Failure` where an entry makes MSAL for Python raise an exception.
package struct PythonLookup: Sendable {
  private let document: CacheDocument
  private let now: Double
  private let knowsClouds: Bool

  /// - Parameters:
  ///   - now: the reader's clock, in Unix seconds.
  ///   - knowsClouds: whether the aliases of a host are asked for when the host itself has nothing.
  package init(_ document: CacheDocument, now: Double, knowsClouds: Bool = true) {
    self.document = document
    self.now = now
    self.knowsClouds = knowsClouds
  }

  /// The accounts of the authority's host, else of its first alias that has any (`get_accounts`): of each home
  /// account id the last entry. No refresh token is needed.
  package func accounts(_ query: LookupQuery) throws(Lookup.Failure) -> [Lookup.TenantAccount] {
    for environment in environments(query) {
      let found = try accounts(environment: environment)
      if found.isEmpty { continue }
      guard let username = query.username, !username.isEmpty else { return found }
      guard found.allSatisfy({ $0.username != nil }) else {
        throw Lookup.Failure(description: "an account has no user name to compare")
      }
      return found.filter { $0.username?.lowercasedLikeNSString == username.lowercasedLikeNSString }
    }
    return []
  }

  private func accounts(
    environment: String
  ) throws(Lookup.Failure) -> [Lookup.TenantAccount] {
    var found: [Lookup.TenantAccount] = []
    var places: [ExactText?: Int] = [:]
    for object in document.objects(in: .account)
    where object.value["environment"] == .string(environment) {
      guard let type = object.value["authority_type"] else {
        throw Lookup.Failure(description: "an account has no authority_type")
      }
      guard ObjectQuery.authorityTypes.contains(type) else { continue }
      let account = Lookup.TenantAccount(
        identifier: object.text("home_account_id"), username: object.text("username"),
        environment: environment, realm: object.text("realm"),
        localAccountID: object.text("local_account_id"), place: object.place)
      let identifier = account.identifier.map { ExactText($0) }
      if let same = places[identifier] {
        found[same] = account
      } else {
        places[identifier] = found.count
        found.append(account)
      }
    }
    return found
  }

  /// The access token that `acquire_token_silent` returns without a request.
  package func accessToken(_ query: LookupQuery) throws(Lookup.Failure) -> Lookup.Token? {
    for environment in tokenEnvironments(query) {
      let asked = accessTokenQuery(query, environment)
      if let object = preferred(query, environment), asked.isAnswered(by: object) {
        return try token(object)
      }
      for object in document.objects(in: .accessToken) {
        guard object.value["expires_on"]?.pythonInteger != nil else {
          throw Lookup.Failure(
            description: "an access token has no expires_on that is a whole number, "
              + "on which every look-up that passes it fails")
        }
        if asked.isAnswered(by: object) { return try token(object) }
      }
    }
    return nil
  }

  /// The refresh token that is tried first: of the family where the client is in one or may be, else
  /// the client's own.
  package func refreshToken(_ query: LookupQuery) throws(Lookup.Failure) -> Lookup.Token? {
    for asked in refreshTokenQueries(query, tokenEnvironments(query)) {
      var newest: (object: DocumentObject, time: Int64)?
      for object in document.objects(in: .refreshToken) where asked.isAnswered(by: object) {
        let written = object.value["last_modification_time"] ?? .integer(0)
        guard let time = written.pythonInteger else {
          throw Lookup.Failure(
            description: "a refresh token's last_modification_time is not a whole number")
        }
        // The first of equal ones.
        if newest.map({ time > $0.time }) ?? true { newest = (object, time) }
      }
      guard let object = newest?.object else { continue }
      guard object.value["credential_type"] == .string("RefreshToken") else {
        throw Lookup.Failure(description: "a refresh token's credential_type is not RefreshToken")
      }
      return try token(object)
    }
    return nil
  }

  private func token(_ object: DocumentObject) throws(Lookup.Failure) -> Lookup.Token {
    guard let secret = object.text("secret") else {
      throw Lookup.Failure(description: "a token has no secret")
    }
    return Lookup.Token(
      kind: object.section.defaultKind, secret: TokenSecret(secret),
      clientID: object.text("client_id"), familyID: object.text("family_id"), place: object.place)
  }

  /// The reasons why the access tokens, the refresh tokens or the accounts of the document, by operation, do not match.
  /// If all attempts fail for an entry, the attempt that came furthest counts.
  package func candidates(_ query: LookupQuery) -> [LookupCandidate] {
    let section: DocumentSection
    let attempts: [ObjectQuery]
    switch query.operation {
    case .accessToken:
      section = .accessToken
      attempts = tokenEnvironments(query).map { accessTokenQuery(query, $0) }
    case .refreshToken:
      section = .refreshToken
      attempts = refreshTokenQueries(query, tokenEnvironments(query))
    default:
      section = .account
      attempts = environments(query).map { environment in
        ObjectQuery(
          [(.environment, environment)],
          [.authorityType] + (query.username == nil ? [] : [.username]), username: query.username)
      }
    }
    return document.objects(in: section).compactMap { object in
      var furthest: (candidate: LookupCandidate, depth: Int)?
      for asked in attempts {
        guard let failure = asked.firstFailure(object, at: object.place) else { return nil }
        let depth = asked.predicates.firstIndex(of: failure.failed) ?? 0
        if depth > furthest?.depth ?? -1 { furthest = (failure, depth) }
      }
      return furthest?.candidate
    }
  }

  // MARK: Predicates

  /// The host of the authority and then its aliases.
  private func environments(_ query: LookupQuery) -> [String] {
    guard let host = WebAddress(likeNSURL: query.authority ?? "")?.hostWithPort else { return [] }
    let aliases = knowsClouds ? Cloud.of(host: host)?.aliases ?? [] : []
    return [host] + aliases.filter { $0 != host }
  }

  /// The hosts that tokens are looked up under: an alias only where it has a refresh token.
  private func tokenEnvironments(_ query: LookupQuery) -> [String] {
    let all = environments(query)
    let used = Set(document.objects(in: .refreshToken).compactMap { $0.text("environment") })
    return all.prefix(1) + all.dropFirst().filter(used.contains)
  }

  private func tenant(_ query: LookupQuery) -> String? {
    WebAddress(likeNSURL: query.authority ?? "")?.decodedSegments.first
  }

  /// The entry under the exact key that the look-up would write. Its target is not compared.
  private func preferred(_ query: LookupQuery, _ environment: String) -> DocumentObject? {
    let scopes = (query.scopes ?? "").pythonWords.sorted()
    guard !scopes.isEmpty, let home = query.homeAccountID else { return nil }
    let written = MSALEntry(
      kind: .accessToken, homeAccountID: home, environment: environment,
      clientID: query.clientID ?? "", secret: TokenSecret(""), realm: tenant(query),
      target: scopes.joined(separator: " "))
    guard let object = document.object(in: .accessToken, key: written.documentKey) else {
      return nil
    }
    // The parts of the key count as the members of the entry.
    var members = object.value
    members["target"] = .string(query.scopes ?? "")
    members["ext_cache_key"] = nil
    return DocumentObject(section: object.section, key: object.key, value: members)
  }

  private func accessTokenQuery(_ query: LookupQuery, _ environment: String) -> ObjectQuery {
    let canRefresh = refreshTokenQueries(query, [environment]).contains { asked in
      document.objects(in: .refreshToken).contains { asked.isAnswered(by: $0) }
    }
    return ObjectQuery(
      [(.environment, environment), (.clientID, query.clientID ?? "")] + home(query)
        + [(.realm, tenant(query))],
      [.target, .extendedKey, .expiresOn, .refreshOn], scopes: query.scopes ?? "", now: now,
      canRefresh: canRefresh)
  }

  private func home(_ query: LookupQuery) -> [ObjectQuery.Field] {
    query.homeAccountID.map { [(.homeAccountID, $0)] } ?? []
  }

  /// The predicates of each attempt, in the order of the attempts.
  private func refreshTokenQueries(
    _ query: LookupQuery, _ environments: [String]
  ) -> [ObjectQuery] {
    let client = query.clientID ?? ""
    return environments.flatMap { environment in
      let common: [ObjectQuery.Field] = [(.environment, environment)] + home(query)
      let own = ObjectQuery(common + [(.clientID, client)])
      let family = { (id: String) in ObjectQuery(common + [(.familyID, id)]) }
      if let id = query.familyID { return [family(id)] }
      let written = MSALEntry(metadataOf: client, environment: environment)
      let metadata = document.object(in: .appMetadata, key: written.documentKey)
      // No app metadata: the client may be of the family. With some, it says which one, or none.
      guard let metadata else { return [family("1"), own] }
      guard let id = metadata.text("family_id"), !id.isEmpty else { return [own] }
      return [family(id), own]
    }
  }
}

/// The predicates of MSAL for Python for an object of a document.
private struct ObjectQuery: ExplainedQuestion {
  /// A field that must say this to the letter; without a text no object answers.
  typealias Field = (predicate: LookupPredicate, text: String?)

  static let authorityTypes: [JSONValue] = [.string("MSSTS"), .string("ADFS")]

  let predicates: [LookupPredicate]
  private let fields: [Field]
  private let username: String?
  private let scopes: String
  private let words: Set<String>
  private let now: Double
  /// Whether a token that is due for a refresh can be had anew.
  private let canRefresh: Bool

  init(
    _ fields: [Field], _ others: [LookupPredicate] = [], username: String? = nil,
    scopes: String = "", now: Double = 0, canRefresh: Bool = false
  ) {
    predicates = fields.map(\.predicate) + others
    self.fields = fields
    self.username = username
    self.scopes = scopes
    words = Set(scopes.pythonWords)
    self.now = now
    self.canRefresh = canRefresh
  }

  private func wanted(_ predicate: LookupPredicate) -> String? {
    fields.first { $0.predicate == predicate }?.text
  }

  func holds(_ predicate: LookupPredicate, for object: DocumentObject) -> Bool {
    switch predicate {
    case .authorityType:
      return object.value["authority_type"].map(Self.authorityTypes.contains) ?? false
    case .username:
      return object.text("username")?.lowercasedLikeNSString == username?.lowercasedLikeNSString
    case .target:
      return words.isSubset(of: (object.text("target") ?? "").pythonWords)
    case .extendedKey: return object.value["ext_cache_key"] == nil
    case .expiresOn:
      let expiry = object.value["expires_on"]?.pythonInteger
      return expiry.map { Double($0) - now >= MSALEntry.expiryBuffer } ?? false
    case .refreshOn:
      guard canRefresh, let value = object.value["refresh_on"] else { return true }
      return value.pythonInteger.map { Double($0) >= now } ?? false
    default:
      guard let text = object.text(predicate.rawValue), let wanted = wanted(predicate) else {
        return false
      }
      return text.isExactly(wanted)
    }
  }

  func why(_ predicate: LookupPredicate, _ object: DocumentObject) -> String {
    switch predicate {
    case .authorityType: "asked for MSSTS or ADFS, has \(said(object.text("authority_type")))"
    case .username: "has another user name"
    case .target:
      "asked for \(scopes), has \(said(object.text("target"))); "
        + "scopes are compared as strings, and case matters"
    case .extendedKey: "is stored for requests with other parameters"
    case .expiresOn:
      "expires at \(said(object.value["expires_on"]?.stringOrNumber)), in less than 300 seconds"
    case .refreshOn: "is due for a refresh"
    default:
      "asked for \(said(wanted(predicate))), "
        + "has \(said(object.value[predicate.rawValue]?.stringOrNumber)); case matters"
    }
  }
}

extension DocumentObject {
  fileprivate func text(_ field: String) -> String? { value[field]?.string }

  fileprivate var place: LookupCandidate.EntryPlace { .entry(section: section, key: key) }
}

extension String {
  /// Words between any white space, as Python splits them.
  fileprivate var pythonWords: [String] {
    split(whereSeparator: \.isWhitespace).map { String($0) }
  }
}

extension JSONValue {
  /// `int(…)` of a value: whole numbers as text or number, fractions of a number cut off.
  fileprivate var pythonInteger: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number.rounded(.towardZero))
    case .string(let text): Int64(text.trimmed)
    default: nil
    }
  }
}
