// SPDX-License-Identifier: MIT
import MSALCache

/// A query of MSAL's for tokens or accounts, with every predicate that follows from it.
///
/// Attributes are compared exactly, by the keychain; payload fields trimmed and lower-cased, by
/// IdentityCore (cache/key/MSIDDefaultCredentialCacheQuery.m, cache/accessor/
/// MSIDAccountCredentialCache.m, cache/token/MSIDCredentialCacheItem.m; of accounts cache/key/
/// MSIDDefaultAccountCacheQuery.m, cache/token/Matchers/MSIDAccountCacheItem+MSIDAccountMatchers.m).
package struct EntryQuery: RowQuestion {
  /// A text that is asked for.
  package struct Wanted: Sendable {
    /// As it is asked for.
    package let text: String
    /// As it is compared.
    package let normalized: String

    init(_ text: String) {
      self.text = text
      normalized = text.normalized
    }
  }

  /// A kind of token, or an account.
  package let kind: MSALEntry.Kind
  /// Hosts; empty for any.
  package let environments: [String]
  /// The account.
  package let home: Wanted?
  /// The scopes that are asked for; empty for any.
  package let scopes: [String]
  /// kSecAttrGeneric, where the query has one.
  package let generic: String?
  package let predicates: [LookupPredicate]

  /// The client.
  package let client: Wanted?
  /// The family.
  package let family: Wanted?
  /// The tenant.
  package let realm: Wanted?
  /// The scopes as they are asked for.
  package let target: String?
  private let genericBytes: [UInt8]?
  /// kSecAttrService, where the query has one: access tokens are found by a part of their scopes.
  package let service: String?
  /// Whether a client or a family that matches is enough.
  package let clientOrFamilyIsEnough: Bool

  /// A query. A parameter that is left out is not compared.
  ///
  /// - Parameters:
  ///   - target: the scopes that are asked for; nil for any.
  ///   - username: of an account.
  ///   - clientOrFamilyIsEnough: whether a client or a family that matches is enough, as it is for listing accounts.
  ///   - mustBeToken: whether the payload must make a token of the kind; listing asks for the item alone.
  package init(
    kind: MSALEntry.Kind, homeAccountID: String? = nil, environments: [String] = [],
    clientID: String? = nil, familyID: String? = nil, realm: String? = nil, target: String? = nil,
    username: String? = nil, clientOrFamilyIsEnough: Bool = false, mustBeToken: Bool = true
  ) {
    self.kind = kind
    self.environments = environments
    self.target = target
    self.clientOrFamilyIsEnough = clientOrFamilyIsEnough
    home = homeAccountID.map(Wanted.init)
    client = clientID.map(Wanted.init)
    family = familyID.map(Wanted.init)
    self.realm = realm.map(Wanted.init)
    scopes = target?.scopeWords ?? []
    if kind == .account {
      (generic, service) = (username?.normalized, nil)
    } else {
      let owner = clientOrFamilyIsEnough ? nil : familyID ?? clientID
      let isOfTenant = kind != .refreshToken
      let attributes = owner.flatMap { owner in
        isOfTenant && realm == nil
          ? nil
          : ItemAttributes(
            ofToken: kind, clientOrFamily: owner, realm: isOfTenant ? realm : nil)
      }
      let hasService = kind == .refreshToken || kind == .idToken || kind == .v1IDToken
      generic = attributes?.generic.map { String(decoding: $0, as: UTF8.self) }
      service = hasService ? attributes?.service : nil
    }
    genericBytes = generic.map { Array($0.utf8) }

    let hasOwner = client != nil || family != nil
    var asked: [LookupPredicate] = []
    asked.reserveCapacity(12)
    if kind == .account {
      asked.append(.homeAccountID, if: home != nil)
      asked.append(.username, if: generic != nil)
      asked.append(.environment, if: !environments.isEmpty)
      asked.append(.realm, if: realm != nil)
      asked.append(.typeAttribute)
    } else {
      asked.append(.tombstone)
      asked.append(.homeAccountID, if: home != nil)
      asked.append(.environment, if: !environments.isEmpty)
      asked.append(.clientID, if: clientOrFamilyIsEnough ? hasOwner : client != nil)
      asked.append(.familyID, if: !clientOrFamilyIsEnough && family != nil)
      asked.append(.realm, if: realm != nil)
      asked.append(.target, if: target != nil)
      asked.append(.requestedClaims, if: hasOwner)
      asked.append(.typeAttribute)
      asked.append(.genericAttribute, if: generic != nil)
      asked.append(.serviceAttribute, if: service != nil)
      asked.append(.usable, if: mustBeToken)
    }
    predicates = asked
  }

  /// Whether a predicate holds for a row.
  // For an account, the tenant is compared with the service attribute only, the user name with the generic attribute
  // only, and the environment with its white space.
  package func holds(_ predicate: LookupPredicate, for row: LookupRow) -> Bool {
    let entry = row.entry
    return switch predicate {
    case .tombstone: !row.isTombstone
    case .homeAccountID: home.isWanted(row.normalizedHomeAccountID)
    case .environment:
      environments.hasInAnyCase(kind == .account ? entry.environment : row.normalizedEnvironment)
    case .clientID:
      client.isWanted(row.normalizedClientID)
        || clientOrFamilyIsEnough && family.isWanted(entry.familyID?.normalized)
    case .familyID: family.isWanted(entry.familyID?.normalized)
    case .realm: realm.isWanted(kind == .account ? row.item.service : entry.realm?.normalized)
    case .target: (entry.target ?? "").hasScopes(scopes)
    case .requestedClaims: entry.requestedClaims?.isBlank ?? true
    case .typeAttribute: row.type == kind.typeNumber
    case .username, .genericAttribute: row.generic == genericBytes
    case .serviceAttribute: service.map(row.item.service.isExactly) ?? false
    case .usable: row.isToken(of: kind)
    default: true
    }
  }
}

extension EntryQuery.Wanted? {
  fileprivate func isWanted(_ normalized: String?) -> Bool {
    guard let wanted = self?.normalized, let normalized else { return false }
    return wanted.isExactly(normalized)
  }
}

extension [String] {
  /// Whether a host is one of these in any case.
  package func hasInAnyCase(_ host: String?) -> Bool {
    guard let host else { return false }
    // Nearly always one is spelled the same; comparing in any case makes copies.
    return contains { $0.isExactly(host) } || contains { $0.isEqualInAnyCase(host) }
  }
}
