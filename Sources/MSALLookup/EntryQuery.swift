// SPDX-License-Identifier: MIT
import MSALCache

/// What MSAL asks of its tokens or accounts, and every predicate that follows from it.
///
/// Attributes are compared exactly, by the keychain; payload fields trimmed and lower-cased, by
/// IdentityCore (cache/key/MSIDDefaultCredentialCacheQuery.m, cache/accessor/
/// MSIDAccountCredentialCache.m, cache/token/MSIDCredentialCacheItem.m; of accounts cache/key/
/// MSIDDefaultAccountCacheQuery.m, cache/token/Matchers/MSIDAccountCacheItem+MSIDAccountMatchers.m).
struct EntryQuery: RowQuestion {
  /// A text that is asked for.
  struct Wanted: Sendable {
    let text: String
    /// As it is compared.
    let normalized: String

    init(_ text: String) {
      self.text = text
      normalized = text.normalized
    }
  }

  /// A kind of token, or an account.
  let kind: MSALEntry.Kind
  /// Hosts; empty for any.
  let environments: [String]
  let home: Wanted?
  /// The scopes that are asked for; empty for any.
  let scopes: [String]
  /// kSecAttrGeneric, where the query has one.
  let generic: String?
  let predicates: [LookupCandidate.Predicate]

  private let client: Wanted?
  private let family: Wanted?
  private let realm: Wanted?
  private let target: String?
  private let genericBytes: [UInt8]?
  /// kSecAttrService, where the query has one: access tokens are found by a part of their scopes.
  private let service: String?
  private let clientOrFamilyIsEnough: Bool

  /// - Parameters:
  ///   - target: the scopes that are asked for; nil for any.
  ///   - username: of an account.
  ///   - clientOrFamilyIsEnough: whether a client or a family that matches is enough, as it is for listing accounts.
  ///   - mustBeToken: whether the payload must make a token of the kind; listing asks for the item alone.
  init(
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
      let id = owner.flatMap { owner in
        isOfTenant && realm == nil
          ? nil
          : MSALEntry.credentialID(
            kind: kind, clientOrFamily: owner, realm: isOfTenant ? realm : nil)
      }
      let hasService = kind == .refreshToken || kind == .idToken || kind == .v1IDToken
      (generic, service) = (id, hasService ? id.map { MSALEntry.service($0) } : nil)
    }
    genericBytes = generic.map { Array($0.utf8) }

    let hasOwner = client != nil || family != nil
    let asked: [(LookupCandidate.Predicate, Bool)] =
      kind == .account
      ? [
        (.homeAccountID, home != nil), (.username, generic != nil),
        (.environment, !environments.isEmpty), (.realm, realm != nil), (.typeAttribute, true),
      ]
      : [
        (.tombstone, true), (.homeAccountID, home != nil), (.environment, !environments.isEmpty),
        (.clientID, clientOrFamilyIsEnough ? hasOwner : client != nil),
        (.familyID, !clientOrFamilyIsEnough && family != nil), (.realm, realm != nil),
        (.target, target != nil), (.requestedClaims, hasOwner), (.typeAttribute, true),
        (.genericAttribute, generic != nil), (.serviceAttribute, service != nil),
        (.usable, mustBeToken),
      ]
    predicates = asked.filter(\.1).map(\.0)
  }

  // Of an account the tenant is compared with the service attribute alone, the user name with the generic
  // attribute alone, and the environment with its white space.
  func holds(_ predicate: LookupCandidate.Predicate, for row: LookupRow) -> Bool {
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

  func why(_ predicate: LookupCandidate.Predicate, _ row: LookupRow) -> String {
    let entry = row.entry
    return switch predicate {
    case .tombstone: "ADAL marked this token as rejected"
    case .homeAccountID:
      "asked for the account \(said(home?.text)), has \(said(entry.homeAccountID))"
    case .username:
      entry.username?.normalized.isExactly(generic ?? "") ?? false
        ? "the keychain attribute generic differs from the payload's user name"
        : "has another user name"
    case .environment:
      "asked in \(environments.joined(separator: ", ")), has \(said(entry.environment))"
    case .clientID where clientOrFamilyIsEnough:
      "asked for the client \(said(client?.normalized)) or the family \(said(family?.normalized)), "
        + "has the client \(said(entry.clientID)) and the family \(said(entry.familyID))"
    case .clientID: "asked for the client \(said(client?.text)), has \(said(entry.clientID))"
    case .familyID: "asked for the family \(said(family?.text)), has \(said(entry.familyID))"
    case .realm where kind == .account:
      "asked for the tenant \(said(realm?.normalized)), the keychain attribute service is "
        + said(row.item.service)
    case .realm: "asked for the tenant \(said(realm?.text)), has \(said(entry.realm))"
    case .target:
      "asked for \(target ?? ""), has \(entry.target ?? "no scopes"); scopes are compared as strings"
    case .requestedClaims: "was issued for requested claims, but the request has no claims"
    case .typeAttribute:
      "the keychain attribute type is \(row.type.map { String($0) } ?? "missing"), "
        + "and MSAL asks for \(kind.typeNumber)"
    case .genericAttribute:
      "the keychain attribute generic is \(said(row.genericText)), and MSAL asks for \(said(generic))"
    case .serviceAttribute:
      "the keychain attribute service is \(said(row.item.service)), and MSAL asks for \(said(service))"
    case .usable where entry.kind == kind:
      "the payload lacks environment, client_id or what else its type needs"
    default: "the payload's credential_type is not \(kind.name)"
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
  func hasInAnyCase(_ host: String?) -> Bool {
    guard let host else { return false }
    // Nearly always one is spelled the same; comparing in any case makes copies.
    return contains { $0.isExactly(host) } || contains { $0.isEqualInAnyCase(host) }
  }
}
