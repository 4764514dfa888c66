// SPDX-License-Identifier: MIT
import MSALCache

/// What MSAL asks of its tokens or accounts, and every check that follows from it.
///
/// Attributes are compared exactly, by the keychain; payload fields trimmed and lower-cased, by
/// IdentityCore (cache/key/MSIDDefaultCredentialCacheQuery.m, cache/accessor/
/// MSIDAccountCredentialCache.m, cache/token/MSIDCredentialCacheItem.m; of accounts cache/key/
/// MSIDDefaultAccountCacheQuery.m, cache/token/Matchers/MSIDAccountCacheItem+MSIDAccountMatchers.m).
struct EntryQuery: Sendable {
  /// A kind of token, or an account.
  var kind: MSALEntry.Kind
  var homeAccountID: String?
  /// Hosts; empty for any.
  var environments: [String] = []
  var clientID: String?
  var familyID: String?
  /// Whether a client or a family that matches is enough, as it is for listing accounts.
  var clientOrFamilyIsEnough = false
  var realm: String?
  /// The scopes that are asked for; nil for any.
  var target: String?
  /// The user name of an account.
  var username: String?
  /// Whether the payload must make a token of the kind; listing asks for the item alone.
  var mustBeToken = true

  private var queryClientID: String? { clientOrFamilyIsEnough ? nil : familyID ?? clientID }

  /// kSecAttrGeneric, where the query has one.
  var generic: String? {
    if kind == .account { return username?.normalized }
    guard let client = queryClientID, kind == .refreshToken || realm != nil else { return nil }
    return MSALEntry.credentialID(
      kind: kind, clientOrFamily: client, realm: kind == .refreshToken ? nil : realm)
  }

  /// kSecAttrService, where the query has one: access tokens are found by a part of their scopes.
  var service: String? {
    switch kind {
    case .refreshToken, .primaryRefreshToken:
      queryClientID.map {
        MSALEntry.service(MSALEntry.credentialID(kind: kind, clientOrFamily: $0))
      }
    case .idToken, .v1IDToken:
      if let clientID, let realm {
        MSALEntry.service(
          MSALEntry.credentialID(kind: kind, clientOrFamily: clientID, realm: realm))
      } else {
        nil
      }
    default: nil
    }
  }

  /// The checks in the order in which a reader would ask; all must hold. Of an account the tenant is compared
  /// with the service attribute alone, the user name with the generic attribute alone.
  var checks: Checks<LookupRow> {
    if kind == .account {
      return Checks([homeAccountCheck, usernameCheck, environmentCheck, serviceCheck, typeCheck])
    }
    return Checks([
      Check(.tombstone) {
        !$0.isTombstone
      } why: { _ in
        "ADAL marked this token as rejected"
      },
      homeAccountCheck, environmentCheck, clientCheck, familyCheck, clientOrFamilyCheck,
      realmCheck, targetCheck, claimsCheck, typeCheck, genericCheck, serviceCheck, usableCheck,
    ])
  }

  private var usernameCheck: Check<LookupRow>? {
    guard let generic else { return nil }
    let bytes = Array(generic.utf8)
    return Check(.username) {
      $0.generic == bytes
    } why: { row in
      row.entry.username?.normalized.isExactly(generic) ?? false
        ? "the keychain attribute generic differs from the payload's user name"
        : "has another user name"
    }
  }

  private var homeAccountCheck: Check<LookupRow>? {
    guard let wanted = homeAccountID else { return nil }
    let normalized = wanted.normalized
    return Check(.homeAccountID) {
      $0.normalizedHomeAccountID?.isExactly(normalized) ?? false
    } why: {
      "asked for the account \(said(wanted)), has \(said($0.entry.homeAccountID))"
    }
  }

  private var environmentCheck: Check<LookupRow>? {
    guard !environments.isEmpty else { return nil }
    let environments = environments
    // That of an account is compared with its white space.
    let isTrimmed = kind != .account
    return Check(.environment) { row in
      (isTrimmed ? row.normalizedEnvironment : row.entry.environment).map { environment in
        environments.contains { $0.isEqualInAnyCase(environment) }
      } ?? false
    } why: {
      "asked in \(environments.joined(separator: ", ")), has \(said($0.entry.environment))"
    }
  }

  private var clientCheck: Check<LookupRow>? {
    guard !clientOrFamilyIsEnough, let wanted = clientID else { return nil }
    let normalized = wanted.normalized
    return Check(.clientID) {
      $0.normalizedClientID?.isExactly(normalized) ?? false
    } why: {
      "asked for the client \(said(wanted)), has \(said($0.entry.clientID))"
    }
  }

  private var familyCheck: Check<LookupRow>? {
    guard !clientOrFamilyIsEnough, let wanted = familyID else { return nil }
    let normalized = wanted.normalized
    return Check(.familyID) {
      $0.entry.familyID?.normalized.isExactly(normalized) ?? false
    } why: {
      "asked for the family \(said(wanted)), has \(said($0.entry.familyID))"
    }
  }

  private var clientOrFamilyCheck: Check<LookupRow>? {
    guard clientOrFamilyIsEnough, clientID != nil || familyID != nil else { return nil }
    let (client, family) = (clientID?.normalized, familyID?.normalized)
    return Check(.clientID) { row in
      client.map { row.normalizedClientID?.isExactly($0) ?? false } ?? false
        || family.map { row.entry.familyID?.normalized.isExactly($0) ?? false } ?? false
    } why: {
      "asked for the client \(said(client)) or the family \(said(family)), "
        + "has the client \(said($0.entry.clientID)) and the family \(said($0.entry.familyID))"
    }
  }

  private var realmCheck: Check<LookupRow>? {
    guard let wanted = realm else { return nil }
    let normalized = wanted.normalized
    return Check(.realm) {
      $0.entry.realm?.normalized.isExactly(normalized) ?? false
    } why: {
      "asked for the tenant \(said(wanted)), has \(said($0.entry.realm))"
    }
  }

  private var targetCheck: Check<LookupRow>? {
    guard let wanted = target else { return nil }
    let words = Scopes.words(of: wanted)
    return Check(.target) {
      Scopes.areAll(words, in: $0.entry.target ?? "")
    } why: {
      "asked for \(wanted), has \($0.entry.target ?? "no scopes"); scopes are compared as strings"
    }
  }

  private var claimsCheck: Check<LookupRow>? {
    guard clientID != nil || familyID != nil else { return nil }
    return Check(.requestedClaims) {
      $0.entry.requestedClaims?.isBlank ?? true
    } why: { _ in
      "was issued for requested claims, but the request has no claims"
    }
  }

  private var typeCheck: Check<LookupRow> {
    let type = kind.typeNumber
    return Check(.typeAttribute) {
      $0.type == type
    } why: {
      "the keychain attribute type is \($0.type.map { String($0) } ?? "missing"), "
        + "and MSAL asks for \(type)"
    }
  }

  private var genericCheck: Check<LookupRow>? {
    guard let generic else { return nil }
    let bytes = Array(generic.utf8)
    return Check(.genericAttribute) {
      $0.generic == bytes
    } why: { row in
      "the keychain attribute generic is \(said(row.genericText)), "
        + "and MSAL asks for \(said(generic))"
    }
  }

  private var serviceCheck: Check<LookupRow>? {
    if kind == .account { return tenantServiceCheck }
    guard let service else { return nil }
    return Check(.serviceAttribute) {
      $0.item.service.isExactly(service)
    } why: {
      "the keychain attribute service is \(said($0.item.service)), and MSAL asks for \(said(service))"
    }
  }

  private var tenantServiceCheck: Check<LookupRow>? {
    guard let wanted = realm?.normalized else { return nil }
    return Check(.realm) {
      $0.item.service.isExactly(wanted)
    } why: {
      "asked for the tenant \(said(wanted)), the keychain attribute service is "
        + said($0.item.service)
    }
  }

  private var usableCheck: Check<LookupRow>? {
    guard mustBeToken else { return nil }
    let kind = kind
    return Check(.usable) {
      $0.isToken(of: kind)
    } why: { row in
      row.entry.kind == kind
        ? "the payload lacks environment, client_id or what else its type needs"
        : "the payload's credential_type is not \(kind.rawValue)"
    }
  }
}
