// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// An entry that a look-up considered and did not take: the first of its predicates that failed, and
/// why.
///
/// A sentence names ids, tenants, hosts and scopes, and never a token or a user name.
package struct LookupCandidate: Sendable, Equatable {
  package enum EntryPlace: Sendable, Hashable {
    /// A keychain item: its position in the look-up's input, and its key.
    case item(index: Int, key: KeychainItem.Key)
    case fallbackRow(KeychainItem.Key)
    case entry(section: DocumentSection, key: String)
  }

  package let place: EntryPlace
  package let failed: LookupPredicate
  package let why: String

  init(_ place: EntryPlace, _ failed: LookupPredicate, _ why: String) {
    self.place = place
    self.failed = failed
    self.why = why
  }

  /// The first of these that applies; nil if none does.
  init?(_ place: EntryPlace, firstOf failures: [(LookupPredicate, isSo: Bool, why: String)]) {
    guard let first = failures.first(where: \.isSo) else { return nil }
    self.init(place, first.0, first.why)
  }
}

/// A question that can say why a row does not answer it.
protocol ExplainedQuestion: RowQuestion {
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
  var place: LookupCandidate.EntryPlace { .item(index: index, key: item) }

  /// Whether it is an ID token with readable claims.
  var hasClaims: Bool { IDTokenClaims(entry.secret) != nil }
}

extension EntryQuery: ExplainedQuestion {
  func why(_ predicate: LookupPredicate, _ row: LookupRow) -> String {
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

extension FallbackListQuery: ExplainedQuestion {
  func why(_ predicate: LookupPredicate, _ row: ADALFallbackToken) -> String {
    switch predicate {
    case .environment:
      "asked in \(environments.joined(separator: ", ")), has \(said(row.environment))"
    case .homeAccountID: "asked for the account \(said(home)), has \(said(row.homeAccountID))"
    case .clientID:
      "asked for the client \(said(client)) or the family \(said(family)), has the client "
        + "\(said(row.clientID)) and the family \(said(row.familyID)); case matters here"
    default:
      row.hasAccessToken
        ? "holds an access token, so that it is not listed"
        : "has no refresh token, or no authority or client"
    }
  }
}

extension ADALFallbackRow {
  /// The reason why a row does not match by user name.
  static let isOfAnotherUser = "is stored under another user name"
}
