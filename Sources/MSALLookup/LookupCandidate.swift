// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// An entry that a look-up considered and did not take: the first of its predicates that failed, and
/// why.
///
/// A sentence names ids, tenants, hosts and scopes, and never a token or a user name.
package struct LookupCandidate: Sendable, Hashable {
  /// Where the entry is.
  package enum EntryPlace: Sendable, Hashable {
    /// A keychain item: its position in what the look-up was given, and its key.
    case item(index: Int, key: KeychainItem.Key)
    /// A row of ADAL's.
    case fallbackRow(KeychainItem.Key)
    /// An entry of a cache document.
    case entry(section: DocumentSection, key: String)
  }

  /// What is asked of an entry, in the words of its payload where there is one.
  package enum Predicate: String, Sendable, CaseIterable {
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

  /// Where the candidate is.
  package let place: EntryPlace
  /// The first predicate that failed.
  package let failed: Predicate
  /// A sentence that says why.
  package let why: String

  init(_ place: EntryPlace, _ failed: Predicate, _ why: String) {
    self.place = place
    self.failed = failed
    self.why = why
  }

  /// The first of these that is so; nil when none is.
  init?(_ place: EntryPlace, firstOf failures: [(Predicate, isSo: Bool, why: String)]) {
    guard let first = failures.first(where: \.isSo) else { return nil }
    self.init(place, first.0, first.why)
  }
}

/// What a look-up asks of each row. The answer and its explanation are made of the same predicates.
protocol RowQuestion: Sendable {
  associatedtype Row

  /// The predicates in the order in which a reader would ask; all must hold.
  var predicates: [LookupCandidate.Predicate] { get }
  func holds(_ predicate: LookupCandidate.Predicate, for row: Row) -> Bool
  /// A sentence that says why the predicate does not hold.
  func why(_ predicate: LookupCandidate.Predicate, _ row: Row) -> String
}

extension RowQuestion {
  func isAnswered(by row: Row) -> Bool { predicates.allSatisfy { holds($0, for: row) } }

  /// The first predicate that fails, as a candidate at this place; nil when all hold.
  func firstFailure(_ row: Row, at place: LookupCandidate.EntryPlace) -> LookupCandidate? {
    predicates.first { !holds($0, for: row) }.map { LookupCandidate(place, $0, why($0, row)) }
  }
}

/// A value in a sentence: quoted, or said to be missing.
func said(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "none" }
