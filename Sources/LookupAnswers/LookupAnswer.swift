// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

extension Lookup {
  /// What a query finds.
  package enum Answer: Sendable, Equatable {
    /// The answer to a query for an access, refresh or ID token.
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

  /// The answer to this query.
  package func answer(_ query: LookupQuery) -> Answer {
    switch query.operation {
    case .accessToken: return .token(.accessToken, accessToken(query))
    case .refreshToken:
      do { return .token(.refreshToken, try refreshToken(query)) } catch { return .failure(error) }
    case .idToken: return .token(.idToken, idToken(query))
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
