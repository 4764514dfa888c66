// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

extension Lookup {
  /// The answer to a query.
  package enum Answer: Sendable, Equatable {
    case token(LookupQuery.Operation, Token?)
    case account(TenantAccount?)
    case accounts([TenantAccount])
    case listedAccounts([ListedAccount])
    case listedAccount(ListedAccount?)
    case appMetadata([MSALEntry])
    case tokens([Token])
    /// The look-up fails, and does not only find nothing.
    case failure(Failure)
  }

  package func answer(_ query: LookupQuery) -> Answer {
    switch query.operation {
    case .accessToken: return .token(.accessToken, accessToken(query))
    case .refreshToken:
      do { return .token(.refreshToken, try refreshToken(query)) } catch { return .failure(error) }
    case .idToken: return .token(.idToken, idToken(query))
    case .account: return .account(account(query))
    case .accounts: return .accounts(accounts(query))
    case .listedAccounts: return .listedAccounts(listedAccounts(query))
    case .listedAccount: return .listedAccount(listedAccounts(query).first)
    case .appMetadata: return .appMetadata(appMetadata(query))
    case .allTokens: return .tokens(allTokens())
    }
  }
}

extension Lookup.Answer {
  /// The answer as JSON, in the shape of `vectors/lookup/README.md`, lists sorted.
  ///
  /// - Parameter secret: the name and the text that stand for a token; nothing else of it appears.
  package func json(secret: (TokenSecret) -> (name: String, text: String)) -> JSONValue {
    func members(_ token: Lookup.Token) -> [String: JSONValue] {
      let shown = secret(token.secret)
      return [shown.name: .string(shown.text)]
    }
    switch self {
    case .token(let operation, let token):
      var found = token.map(members)
      switch operation {
      case .accessToken: found?["expired"] = token.map { .bool($0.isExpired) }
      case .refreshToken:
        found?["familyId"] = .text(token?.familyID)
        found?["legacy"] = token.map { .bool($0.isLegacy) }
      default: break
      }
      return answer(found)
    case .account(let account): return answer(account.map { ["account": $0.json] })
    case .accounts(let accounts): return list("accounts", accounts.map(\.json).inOrder)
    case .listedAccounts(let accounts): return list("accounts", accounts.map(\.json).inOrder)
    case .listedAccount(let account): return answer(account.map { ["account": $0.json] })
    case .appMetadata(let entries):
      let shown = entries.map { entry in
        JSONValue.object([
          "clientId": .text(entry.clientID), "environment": .text(entry.environment),
          "familyId": .text(entry.familyID),
        ])
      }
      return list("appMetadata", shown.inOrder)
    case .tokens(let tokens):
      let shown = tokens.map { token in
        let type = JSONValue.string(token.kind?.name ?? "token")
        let shown = members(token).merging(["type": type, "clientId": .text(token.clientID)]) { $1 }
        // Reveal: tokens that differ in nothing else are put in the order of the tokens themselves.
        return (JSONValue.object(shown), token.secret.reveal())
      }
      return list("tokens", shown.inOrder)
    case .failure: return .object(["found": .bool(false), "error": .bool(true)])
    }
  }

  private func answer(_ members: [String: JSONValue]?) -> JSONValue {
    .object((members ?? [:]).merging(["found": .bool(members != nil)]) { $1 })
  }

  private func list(_ name: String, _ elements: [JSONValue]) -> JSONValue {
    .object(["found": .bool(!elements.isEmpty), name: .array(elements)])
  }
}

extension Lookup.TenantAccount {
  fileprivate var json: JSONValue {
    .object([
      "identifier": .text(identifier), "username": .text(username),
      "environment": .text(environment), "realm": .text(realm),
      "localAccountId": .text(localAccountID),
    ])
  }
}

extension Lookup.ListedAccount {
  fileprivate var json: JSONValue {
    let profiles = tenantProfiles.map { profile in
      JSONValue.object([
        "tenantId": .string(profile.tenantID), "identifier": .text(profile.identifier),
        "home": .bool(profile.isHome), "hasClaims": .bool(profile.hasClaims),
      ])
    }
    return .object([
      "identifier": .text(identifier), "username": .text(username),
      "environment": .text(environment), "hasClaims": .bool(hasClaims),
      "tenantProfiles": .array(profiles.inOrder),
    ])
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension [JSONValue] {
  fileprivate var inOrder: [JSONValue] { map { ($0, []) }.inOrder }
}

extension [(JSONValue, [UInt8])] {
  /// The values in the order of these members, one after the other and byte by byte, then of the bytes beside
  /// them.
  fileprivate var inOrder: [JSONValue] {
    let names = [
      "identifier", "username", "environment", "realm", "localAccountId", "tenantId", "clientId",
      "type", "familyId",
    ]
    let keyed = map { value, last in
      (value, names.map { [UInt8]((value.object?[$0]?.string ?? "").utf8) } + [last])
    }
    return keyed.sorted { a, b in
      let differing = zip(a.1, b.1).first { $0 != $1 }
      return differing.map { $0.lexicographicallyPrecedes($1) } ?? false
    }.map(\.0)
  }
}

extension LookupQuery {
  /// The query that this JSON object spells; null is as good as absent.
  ///
  /// - Throws: ``Lookup.Failure`` with the unknown key or the key of the wrong type.
  package init(_ value: JSONValue) throws(Lookup.Failure) {
    guard let members = value.object else {
      throw Lookup.Failure(description: "a query is not an object")
    }
    guard let name = members["op"]?.string, let operation = Operation(rawValue: name) else {
      throw Lookup.Failure(description: "a query has no operation \"op\" that is known")
    }
    self.init(operation)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
      switch (Self.texts[name], Self.flags[name], value) {
      case (let path?, _, .string(let text)): self[keyPath: path] = text
      case (_, let path?, .bool(let flag)): self[keyPath: path] = flag
      case (.some, _, _): throw Lookup.Failure(description: "\"\(name)\" of a query is not a text")
      case (_, .some, _):
        throw Lookup.Failure(description: "\"\(name)\" of a query is neither true nor false")
      default:
        guard Self.others.contains(name) else {
          throw Lookup.Failure(description: "a query has \"\(name)\", which is unknown")
        }
      }
    }
  }

  private static let texts: [String: WritableKeyPath<LookupQuery, String?> & Sendable] = [
    "clientId": \.clientID, "scopes": \.scopes, "authority": \.authority,
    "homeAccountId": \.homeAccountID, "username": \.username, "familyId": \.familyID,
    "realmHint": \.realmHint, "identifier": \.identifier, "tenantProfileId": \.tenantProfileID,
  ]
  private static let flags: [String: WritableKeyPath<LookupQuery, Bool> & Sendable] = [
    "signedInOnly": \.signedInOnly, "v1": \.isV1, "withLegacy": \.withLegacy,
  ]
  /// The other members of a recorded query, for callers that compare answers.
  private static let others: Set = ["op", "answer", "alternatives", "orderDependent"]
}

/// An answer that a query carries, to be compared with the one that a look-up gives
/// (`vectors/lookup/README.md`).
package struct RecordedAnswer: Sendable, Equatable {
  private let answers: [JSONValue]
  /// Whether identifier, user name and environment may be those of any of an account's tenants.
  private let isLoose: Bool

  /// The members for this query: `answer`, and `alternatives` if the order of a set decides.
  package init(_ query: JSONValue) {
    let members = query.object ?? [:]
    var answers = [members["answer"]].compactMap { $0 }
    if case .array(let alternatives)? = members["alternatives"] { answers += alternatives }
    isLoose = members["alternatives"] == .array([]) && members["orderDependent"] == .bool(true)
    self.answers = answers.map { Self.normal($0, isLoose: false) }
  }

  package var isPresent: Bool { !answers.isEmpty }

  /// Whether `answer` is one of the answers; lists are compared as sets.
  package func agrees(with answer: JSONValue) -> Bool {
    let answer = Self.normal(answer, isLoose: false)
    if answers.contains(answer) { return true }
    let loose = Self.normal(answer, isLoose: true)
    return isLoose && answers.contains { Self.normal($0, isLoose: true) == loose }
  }

  /// The same value with the elements of every list in one order.
  private static func normal(_ value: JSONValue, isLoose: Bool) -> JSONValue {
    switch value {
    case .array(let elements):
      let normal = elements.map { self.normal($0, isLoose: isLoose) }
      let sorted = normal.map { ($0, $0.encoded()) }
        .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      return .array(sorted.map { $0.0 })
    case .object(var members):
      if isLoose, members["tenantProfiles"] != nil {
        for name in ["identifier", "username", "environment"] { members[name] = nil }
      }
      return .object(members.mapValues { normal($0, isLoose: isLoose) })
    default: return value
    }
  }
}
