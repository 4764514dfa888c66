// SPDX-License-Identifier: MIT

/// A property of an entry that a predicate compares, named as in the payload where the payload has it.
package enum LookupPredicate: String, Sendable, CaseIterable {
  case readable
  case tombstone
  case authorityType = "authority_type"
  case homeAccountID = "home_account_id"
  case username
  case environment
  case clientID = "client_id"
  case familyID = "family_id"
  case realm
  case target
  case requestedClaims = "requested_claims"
  case extendedKey = "ext_cache_key"
  case typeAttribute = "type"
  case genericAttribute = "generic"
  case serviceAttribute = "service"
  case usable
  case expiresOn = "expires_on"
  case cachedAt = "cached_at"
  case refreshOn = "refresh_on"
  case idToken = "id_token"
  case account
  case refreshToken = "refresh_token"
  case signInState = "sign_in_state"
  case authority
  case resource
  case key
}

/// The predicates of a look-up for each row. They give both the answer and its explanation.
package protocol RowQuestion: Sendable {
  /// The compared property.
  associatedtype Row

  /// The predicates in the order in which a reader would ask; all must hold.
  var predicates: [LookupPredicate] { get }
  /// Whether a predicate holds for a row.
  func holds(_ predicate: LookupPredicate, for row: Row) -> Bool
}

extension [LookupPredicate] {
  /// Asks one predicate more, where it is asked.
  mutating func append(_ predicate: LookupPredicate, if isAsked: Bool) {
    if isAsked { append(predicate) }
  }
}

extension RowQuestion {
  /// Whether all predicates hold.
  package func isAnswered(by row: Row) -> Bool { predicates.allSatisfy { holds($0, for: row) } }
}
