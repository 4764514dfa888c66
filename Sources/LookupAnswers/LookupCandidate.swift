// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// An entry that a look-up considered and did not take: the first of its predicates that failed, and
/// why.
///
/// A sentence names ids, tenants, hosts and scopes, and never a token or a user name.
package struct LookupCandidate: Sendable, Equatable {
  /// Where the entry is.
  package enum EntryPlace: Sendable, Hashable {
    /// A keychain item: its position in what the look-up was given, and its key.
    case item(index: Int, key: KeychainItem.Key)
    /// A row of ADAL's.
    case fallbackRow(KeychainItem.Key)
    /// An entry of a cache document.
    case entry(section: DocumentSection, key: String)
  }

  /// Where the candidate is.
  package let place: EntryPlace
  /// The first predicate that failed.
  package let failed: LookupPredicate
  /// A sentence that says why.
  package let why: String

  init(_ place: EntryPlace, _ failed: LookupPredicate, _ why: String) {
    self.place = place
    self.failed = failed
    self.why = why
  }

  /// The first of these that is so; nil when none is.
  init?(_ place: EntryPlace, firstOf failures: [(LookupPredicate, isSo: Bool, why: String)]) {
    guard let first = failures.first(where: \.isSo) else { return nil }
    self.init(place, first.0, first.why)
  }
}

/// A question that can say why a row does not answer it.
protocol ExplainedQuestion: RowQuestion {
  /// A sentence that says why the predicate does not hold.
  func why(_ predicate: LookupPredicate, _ row: Row) -> String
}

extension ExplainedQuestion {
  /// The first predicate that fails, as a candidate at this place; nil when all hold.
  func firstFailure(_ row: Row, at place: LookupCandidate.EntryPlace) -> LookupCandidate? {
    predicates.first { !holds($0, for: row) }.map { LookupCandidate(place, $0, why($0, row)) }
  }
}

/// A value in a sentence: quoted, or said to be missing.
func said(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "none" }

extension LookupRow {
  /// Where the row is.
  var place: LookupCandidate.EntryPlace { .item(index: index, key: item) }

  /// Whether it is an ID token whose claims can be read.
  var hasClaims: Bool { IDTokenClaims(entry.secret) != nil }
}
