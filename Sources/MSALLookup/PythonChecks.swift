// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

// What MSAL for Python asks of the entries of a document, and why an entry is not taken.

extension PythonLookup {
  /// The host of the authority and then its aliases.
  func environments(of authority: String) -> [String] {
    guard let host = NSURLParts(authority)?.hostWithPort else { return [] }
    let aliases = knowsClouds ? Cloud.of(host: host)?.aliases ?? [] : []
    return [host] + aliases.filter { $0 != host }
  }

  /// The hosts that tokens are looked up under: an alias only where it has a refresh token.
  func tokenEnvironments(of authority: String) -> [String] {
    let all = environments(of: authority)
    let used = Set(
      document.objects(in: .refreshToken).compactMap { $0.members["environment"]?.string })
    return all.enumerated().filter { $0.offset == 0 || used.contains($0.element) }.map(\.element)
  }

  /// The entry under the very key that the look-up would write, whose target is not compared.
  func preferred(_ query: Query, environment: String) -> DocumentObject? {
    let scopes = Self.scopes(query.scopes).sorted()
    guard !scopes.isEmpty, let home = query.homeAccountID else { return nil }
    let tenant = NSURLParts(query.authority)?.segments.first ?? ""
    let key = MSALEntry.documentKey(
      kind: .accessToken, homeAccountID: home, environment: environment,
      clientOrFamily: query.clientID, realm: tenant, target: scopes.joined(separator: " "))
    guard var object = document.object(in: .accessToken, key: key) else { return nil }
    // What the key says is taken for what the entry says.
    var members = object.members
    members["target"] = .string(query.scopes)
    members["ext_cache_key"] = nil
    object = DocumentObject(section: object.section, key: object.key, members: members)
    return object
  }

  func accessTokenChecks(_ query: Query, environment: String) -> Checks<DocumentObject> {
    let tenant = NSURLParts(query.authority)?.segments.first
    let wanted = Set(Self.scopes(query.scopes))
    let now = now
    let canRefresh = refreshTokenChecks(query, environments: [environment]).contains { checks in
      document.objects(in: .refreshToken).contains(where: checks.holds)
    }
    return Checks([
      Self.equals(.environment, environment), Self.equals(.clientID, query.clientID),
      query.homeAccountID.map { Self.equals(.homeAccountID, $0) },
      Self.equals(.realm, tenant),
      Check(.target) { object in
        wanted.isSubset(of: Self.scopes(object.members["target"]?.string ?? ""))
      } why: {
        "asked for \(query.scopes), has \(said($0.members["target"]?.string)); "
          + "scopes are compared as strings, and case matters"
      },
      Check(.extendedKey) {
        $0.members["ext_cache_key"] == nil
      } why: { _ in
        "is stored for requests with other parameters"
      },
      Check(.expiresOn) { object in
        Self.integer(object.members["expires_on"]).map {
          Double($0) - now >= MSALEntry.expiryBuffer
        } ?? false
      } why: {
        "expires at \(said($0.members["expires_on"]?.stringOrNumber)), in less than 300 seconds"
      },
      Check(.refreshOn) { object in
        !canRefresh
          || object.members["refresh_on"].map {
            Self.integer($0).map { Double($0) >= now } ?? false
          }
            ?? true
      } why: { _ in
        "is due for a refresh"
      },
    ])
  }

  /// The checks of each attempt, in the order of the attempts.
  func refreshTokenChecks(
    _ query: Query, environments: [String]? = nil
  ) -> [Checks<DocumentObject>] {
    (environments ?? tokenEnvironments(of: query.authority)).flatMap { environment in
      let common: [Check<DocumentObject>?] = [
        Self.equals(.environment, environment),
        query.homeAccountID.map { Self.equals(.homeAccountID, $0) },
      ]
      let own = Checks(common + [Self.equals(.clientID, query.clientID)])
      let family = { (id: String) in Checks(common + [Self.equals(.familyID, id)]) }
      if let id = query.familyID { return [family(id)] }
      let metadata = document.object(
        in: .appMetadata, key: MSALEntry.metadataKey(of: query.clientID, in: environment))
      // No app metadata: the client may be of the family. With some, it says which one, or none.
      guard let metadata else { return [family("1"), own] }
      switch metadata.members["family_id"] {
      case .string(let id)? where !id.isEmpty: return [family(id), own]
      default: return [own]
      }
    }
  }

  /// Why the access tokens of the document are not what is asked for.
  package func accessTokenCandidates(_ query: Query) -> [LookupCandidate] {
    candidates(
      in: .accessToken,
      tokenEnvironments(of: query.authority).map { accessTokenChecks(query, environment: $0) })
  }

  /// Why the refresh tokens of the document are not what is asked for.
  package func refreshTokenCandidates(_ query: Query) -> [LookupCandidate] {
    candidates(in: .refreshToken, refreshTokenChecks(query))
  }

  /// Why the accounts of the document are not listed for this authority and name.
  package func accountCandidates(authority: String, username: String? = nil) -> [LookupCandidate] {
    let checks = environments(of: authority).map { environment in
      Checks<DocumentObject>([
        Self.equals(.environment, environment),
        Check(.authorityType) {
          [.string("MSSTS"), .string("ADFS")].contains($0.members["authority_type"])
        } why: {
          "asked for MSSTS or ADFS, has \(said($0.members["authority_type"]?.string))"
        },
        username.map { name in
          Check(.username) {
            $0.members["username"]?.string?.lowercasedLikeNSString == name.lowercasedLikeNSString
          } why: {
            _ in
            "has another user name"
          }
        },
      ])
    }
    return candidates(in: .account, checks)
  }

  /// The objects that fail all of the attempts, with the failure of the attempt that came furthest.
  private func candidates(
    in section: DocumentSection, _ attempts: [Checks<DocumentObject>]
  ) -> [LookupCandidate] {
    document.objects(in: section).compactMap { object in
      let place = place(of: object)
      var furthest: (candidate: LookupCandidate, depth: Int)?
      for checks in attempts {
        guard let failure = checks.firstFailure(object, at: place) else { return nil }
        let depth = checks.predicates.firstIndex(of: failure.failed) ?? 0
        if depth > furthest?.depth ?? -1 { furthest = (failure, depth) }
      }
      return furthest?.candidate
    }
  }

  private static func equals(
    _ predicate: LookupCandidate.Predicate, _ wanted: String?
  ) -> Check<DocumentObject> {
    let field = predicate.rawValue
    return Check(predicate) { object in
      guard case .string(let text)? = object.members[field], let wanted else { return false }
      return text.isExactly(wanted)
    } why: {
      "asked for \(said(wanted)), has \(said($0.members[field]?.stringOrNumber)); case matters"
    }
  }

  /// Words between any white space, as Python splits them.
  private static func scopes(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0) }
  }

  /// `int(…)` of a value: whole numbers as text or number, fractions of a number cut off.
  static func integer(_ value: JSONValue?) -> Int64? {
    switch value {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number.rounded(.towardZero))
    case .string(let text): Int64(text.trimmed)
    default: nil
    }
  }
}
