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
}

/// One thing that a look-up asks of a row. The answer and its explanation are made of the same checks.
struct Check<Row: Sendable>: Sendable {
  let predicate: LookupCandidate.Predicate
  let holds: @Sendable (Row) -> Bool
  let why: @Sendable (Row) -> String

  init(
    _ predicate: LookupCandidate.Predicate, _ holds: @escaping @Sendable (Row) -> Bool,
    why: @escaping @Sendable (Row) -> String
  ) {
    self.predicate = predicate
    self.holds = holds
    self.why = why
  }
}

/// What all checks of a look-up say about a row.
struct Checks<Row: Sendable>: Sendable {
  let list: [Check<Row>]

  init(_ list: [Check<Row>?]) { self.list = list.compactMap { $0 } }

  func holds(_ row: Row) -> Bool { list.allSatisfy { $0.holds(row) } }

  /// The first check that fails, as a candidate at this place; nil when none does.
  func firstFailure(_ row: Row, at place: LookupCandidate.EntryPlace) -> LookupCandidate? {
    list.first { !$0.holds(row) }.map { LookupCandidate(place, $0.predicate, $0.why(row)) }
  }

  var predicates: [LookupCandidate.Predicate] { list.map(\.predicate) }
}

/// A value in a sentence: quoted, or said to be missing.
func said(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "none" }
