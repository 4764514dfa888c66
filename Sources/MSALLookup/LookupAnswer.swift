// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

extension Lookup {
  /// What a query finds.
  package enum Answer: Sendable, Hashable {
    case accessToken(Token?)
    case refreshToken(Token?)
    case idToken(Token?)
    case account(TenantAccount?)
    case accounts([TenantAccount])
    case listedAccounts([ListedAccount])
    case listedAccount(ListedAccount?)
    case appMetadata([ClientMetadata])
    case tokens([Token])
    /// The look-up fails, and does not only find nothing.
    case failure(Failure)
  }

  /// The answer to this query.
  package func answer(_ query: LookupQuery) -> Answer {
    switch query.operation {
    case .accessToken: return .accessToken(accessToken(query))
    case .refreshToken:
      do { return .refreshToken(try refreshToken(query)) } catch { return .failure(error) }
    case .idToken: return .idToken(idToken(query))
    case .account: return .account(account(query))
    case .accounts: return .accounts(accounts(query))
    case .listedAccounts: return .listedAccounts(listedAccounts(query))
    case .listedAccount: return .listedAccount(listedAccount(query))
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
    switch self {
    case .accessToken(let token):
      found(token.map { $0.fields(secret).merging(["expired": .bool($0.isExpired)]) { $1 } })
    case .idToken(let token): found(token.map { $0.fields(secret) })
    case .refreshToken(let token):
      found(
        token.map {
          $0.fields(secret).merging([
            "familyId": .text($0.familyID), "legacy": .bool($0.isLegacy),
          ]) { $1 }
        })
    case .account(let account): found(account.map { ["account": $0.json] })
    case .accounts(let accounts): list("accounts", accounts.map(\.json).inOrder)
    case .listedAccounts(let accounts): list("accounts", accounts.map(\.json).inOrder)
    case .listedAccount(let account): found(account.map { ["account": $0.json] })
    case .appMetadata(let entries):
      list(
        "appMetadata",
        entries.map {
          .object([
            "clientId": .text($0.clientID), "environment": .text($0.environment),
            "familyId": .text($0.familyID),
          ])
        }.inOrder)
    case .tokens(let tokens): list("tokens", Lookup.Token.inOrder(tokens).map { $0.json(secret) })
    case .failure: .object(["found": .bool(false), "error": .bool(true)])
    }
  }

  private func found(_ members: [String: JSONValue]?) -> JSONValue {
    .object((members ?? [:]).merging(["found": .bool(members != nil)]) { $1 })
  }

  private func list(_ name: String, _ elements: [JSONValue]) -> JSONValue {
    .object(["found": .bool(!elements.isEmpty), name: .array(elements)])
  }
}

extension Lookup.Token {
  fileprivate func fields(
    _ text: (TokenSecret) -> (name: String, text: String)
  ) -> [String: JSONValue] {
    let shown = text(secret)
    return [shown.name: .string(shown.text)]
  }

  fileprivate func json(_ text: (TokenSecret) -> (name: String, text: String)) -> JSONValue {
    .object(
      fields(text).merging([
        "type": .string(typeName), "clientId": .text(clientID),
      ]) { $1 })
  }

  private var typeName: String { kind?.rawValue ?? "token" }

  fileprivate static func inOrder(_ tokens: [Lookup.Token]) -> [Lookup.Token] {
    tokens.sorted { a, b in
      // Reveal: tokens that differ in nothing else are put in the order of the tokens themselves.
      let (left, right) = (a.secret.reveal(), b.secret.reveal())
      return precedes(
        [Array((a.clientID ?? "").utf8), Array(a.typeName.utf8), left],
        [Array((b.clientID ?? "").utf8), Array(b.typeName.utf8), right])
    }
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
    .object([
      "identifier": .text(identifier), "username": .text(username),
      "environment": .text(environment), "hasClaims": .bool(hasClaims),
      "tenantProfiles": .array(
        tenantProfiles.map { profile in
          .object([
            "tenantId": .string(profile.tenantID), "identifier": .text(profile.identifier),
            "home": .bool(profile.isHome), "hasClaims": .bool(profile.hasClaims),
          ])
        }.inOrder),
    ])
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension [JSONValue] {
  /// The same elements in the order of these members, one after the other.
  fileprivate var inOrder: [JSONValue] {
    let names = [
      "identifier", "username", "environment", "realm", "localAccountId", "tenantId", "clientId",
      "type", "familyId",
    ]
    let keyed: [(JSONValue, [[UInt8]])] = map { element in
      (element, names.map { name in [UInt8]((element.object?[name]?.string ?? "").utf8) })
    }
    return keyed.sorted { a, b in precedes(a.1, b.1) }.map { $0.0 }
  }
}

/// Whether one list of texts comes before another, text by text and byte by byte.
private func precedes(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool {
  for (left, right) in zip(a, b) where left != right {
    return left.lexicographicallyPrecedes(right)
  }
  return false
}
