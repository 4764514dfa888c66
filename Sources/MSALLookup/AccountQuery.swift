// SPDX-License-Identifier: MIT
import MSALCache

/// What MSAL asks of its accounts, and every check that follows from it
/// (IdentityCore cache/key/MSIDDefaultAccountCacheQuery.m,
/// cache/token/Matchers/MSIDAccountCacheItem+MSIDAccountMatchers.m).
struct AccountQuery: Sendable {
  var homeAccountID: String?
  /// Hosts; empty for any.
  var environments: [String] = []
  var realm: String?
  var username: String?

  var generic: [UInt8]? { username.map(Account.generic) }

  /// The checks in the order in which a reader would ask; all must hold. The tenant is compared with
  /// the service attribute alone, the user name with the generic attribute alone.
  var checks: Checks<AccountRow> {
    Checks([homeAccountCheck, usernameCheck, environmentCheck, realmCheck, typeCheck])
  }

  private var homeAccountCheck: Check<AccountRow>? {
    guard let wanted = homeAccountID else { return nil }
    let normalized = wanted.normalized
    return Check(.homeAccountID) {
      $0.normalizedHomeAccountID?.isExactly(normalized) ?? false
    } why: {
      "asked for the account \(said(wanted)), has \(said($0.homeAccountID))"
    }
  }

  private var usernameCheck: Check<AccountRow>? {
    guard let generic else { return nil }
    return Check(.username) {
      $0.generic == generic
    } why: { row in
      row.username.map { Account.generic(of: $0) == generic } ?? false
        ? "the keychain attribute generic differs from the payload's user name"
        : "has another user name"
    }
  }

  private var environmentCheck: Check<AccountRow>? {
    guard !environments.isEmpty else { return nil }
    let environments = environments
    return Check(.environment) { row in
      row.environment.map { environment in
        environments.contains { $0.isEqualInAnyCase(environment) }
      } ?? false
    } why: {
      "asked in \(environments.joined(separator: ", ")), has \(said($0.environment))"
    }
  }

  private var realmCheck: Check<AccountRow>? {
    guard let wanted = realm?.normalized else { return nil }
    return Check(.realm) {
      $0.item.service.isExactly(wanted)
    } why: {
      "asked for the tenant \(said(wanted)), the keychain attribute service is "
        + said($0.item.service)
    }
  }

  private var typeCheck: Check<AccountRow> {
    Check(.typeAttribute) {
      $0.type == ItemType.account
    } why: {
      "the keychain attribute type is \($0.type.map { String($0) } ?? "missing"), "
        + "and MSAL asks for \(ItemType.account)"
    }
  }
}
