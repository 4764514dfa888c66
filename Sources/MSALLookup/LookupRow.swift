// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

/// An item that MSAL reads as an entry: as a token any JSON object with a secret, as an account one with an
/// authority type. A class without a variable: as a struct it is copied at each step of a search.
package final class LookupRow: Sendable {
  /// The entry in the item.
  package let entry: MSALEntry
  /// Its position among the items.
  package let index: Int
  /// The key of the item.
  package let item: KeychainItem.Key
  /// kSecAttrType.
  package let type: Int?
  /// kSecAttrGeneric.
  package let generic: [UInt8]?
  /// The home account id as it is compared.
  package let normalizedHomeAccountID: String?
  // As they are compared.
  let normalizedEnvironment: String?
  let normalizedClientID: String?
  /// Whether the secret is ADAL's way of saying that a token is gone.
  package let isTombstone: Bool

  init(
    _ entry: MSALEntry, index: Int, item: KeychainItem.Key, type: Int?, generic: [UInt8]?
  ) {
    self.entry = entry
    self.index = index
    self.item = item
    self.type = type
    self.generic = generic
    normalizedHomeAccountID = entry.homeAccountID?.normalized
    normalizedEnvironment = entry.environment?.normalized
    normalizedClientID = entry.clientID?.normalized
    isTombstone = entry.secret == .tombstone
  }

  /// The number of the authority type in an account's payload; 1003 is MSSTS.
  package var accountType: Int? { entry.authorityType.flatMap(MSALEntry.typeNumber) }

  /// The generic attribute as a text. Bytes that are not UTF-8 may give the text of another attribute.
  package var genericText: String? { generic.map { String(decoding: $0, as: UTF8.self) } }

  private func other(_ field: String) -> String? { entry.additional[field]?.string }

  /// The identifier that accounts of other authorities have.
  package var alternativeAccountID: String? { other("alternative_account_id") }

  /// Whether MSAL makes a token of this kind from it (`tokenWithType:`): the payload names the same kind, and has the
  /// fields of that kind.
  package func isToken(of kind: MSALEntry.Kind?) -> Bool {
    guard entry.environment != nil, entry.clientID != nil, entry.kind == kind else { return false }
    return switch kind {
    case .accessToken, .legacySingleResourceToken: entry.target != nil
    case .accessTokenWithAuthScheme:
      entry.target != nil && other("kid") != nil && entry.tokenType != nil
    case .primaryRefreshToken:
      other("session_key").flatMap { Base64.bytes(of: $0, .lenientURL) } != nil
    case .boundRefreshToken: other("bound_device_id").map { !$0.isBlank } ?? false
    default: true
    }
  }

  /// Whether an access token is no longer served at `now`: cached in the future, or less than
  /// ``MSALEntry/expiryBuffer`` left. Without an expiry it never expires (MSIDAccessToken.m).
  package func isExpired(at now: Double) -> Bool {
    isCachedInFuture(at: now) || isTooOld(at: now)
  }

  /// Whether less than that is left.
  package func isTooOld(at now: Double) -> Bool {
    Self.date(entry.expiresOn) ?? .infinity < Self.date(now) + MSALEntry.expiryBuffer
  }

  /// Whether it was cached later than `now`.
  package func isCachedInFuture(at now: Double) -> Bool {
    Self.date(now) < Self.date(entry.cachedAt) ?? -.infinity
  }

  /// Whether MSAL wants a new one before it uses this one.
  package func needsRefresh(at now: Double) -> Bool {
    Self.date(entry.refreshOn) ?? .infinity < Self.date(now)
  }

  private static func date(_ text: String?) -> Double? { text.map { date($0.doubleValue) } }

  /// NSDate counts from 2001, which decides how a fraction is rounded.
  private static func date(_ seconds: Double) -> Double { seconds - 978_307_200 }
}
