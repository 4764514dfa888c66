// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// One of ADAL's rows as numbers. ``RowTable`` knows their texts and meanings. A part of a plan can therefore sort and
/// group rows without hashing or comparing texts.
///
/// Everything here follows from the row alone, but for its account, which the other rows have a say in.
struct ADALRow: Sendable {
  /// The number of the row in the inventory.
  let number: Int
  /// Its place among ADAL's rows, and that of its token.
  let index: Int
  /// The access group that the row is planned for; none for a document.
  let group: Symbol
  let kind: RowKind
  /// Whether ADAL for iOS and macOS wrote the row.
  let isOfApple: Bool
  /// The reason why the row is never converted, for any user; nil if it can be.
  let blockingReason: Reason?
  /// Whether the refresh token may belong to another user (``PeerRows``).
  let isOverwritten: Bool
  /// Whether rows of several tenants have the object of its user (``PeerRows``).
  let isOfTwoTenants: Bool
  /// Whether the row's own fields replace an ID token: a row of another ADAL without an ID token.
  let isStoredWithoutIDToken: Bool
  let hasAccessToken: Bool
  /// Whether the row says that its client is in no family.
  let deniesFamily: Bool
  /// Whether MSAL can decode the archive.
  let isReadByMSAL: Bool
  /// Whether MSAL queries rows in this place.
  let isListedByMSAL: Bool

  /// The number of the authority; nil if the row has none.
  @HalfWord private(set) var authority: Int?
  /// The number of the client as it is spelled; nil if the row has none.
  @HalfWord private(set) var spelledClient: Int?
  /// The number of the resource; nil if the row has none.
  @HalfWord private(set) var resource: Int?
  /// The number of the ID token; nil if the row has no readable one.
  @HalfWord private(set) var idToken: Int?
  /// The number of the refresh token; two rows hold the same where it is the same.
  @HalfWord private(set) var refreshToken: Int?
  /// The number of the row's own derivation of its home account ID.
  let derivation: Int
  /// The home account id that the service gave for this very row.
  let storedHome: StoredHome?

  /// The client id by which rows of one client are found.
  let client: Symbol
  /// The family of a family row, or the one that the service put the client in.
  let family: Symbol
  /// The authority as ADAL compares it.
  let normalizedAuthority: Symbol
  /// The row's cloud; none for a malformed authority.
  let cloud: Symbol
  /// The object ID that a row of another ADAL stores; none if it stores none, or if its access token contradicts it.
  let storedObject: Symbol
  /// The application that an access token is bound to, as it is compared.
  let application: Symbol
  /// The tenant of the tokens; none if neither an ID token nor the row itself names it.
  let realm: Symbol
  /// The name of the user: the ID token's, which MSAL lists the row under, else the one of the key (D16).
  let userName: Symbol
  /// The same as names are compared.
  let name: Symbol
  /// The user that the row is filed under in ADAL's cache, as names are compared.
  let nameOfKey: Symbol

  /// `cachedAt`, Unix seconds.
  let cachedAt: Double?
  /// `expiresOn`, Unix seconds.
  let expiresOn: Double?
  /// The last change of the row's keychain item, Unix seconds.
  let modified: Double?
  /// The issue time of the tokens, as far as another ADAL's row gives it; Unix seconds.
  let storedIssue: Double?
  /// The issue time of the ID token, Unix seconds.
  let idTokenIssue: Double?

  /// The number of the answer that gives the row's account.
  var answer = 0
  /// The number of the account; nil as long as its home account id is not known.
  @HalfWord var account: Int?
}

/// An optional number of a table in half a word, because there are many rows and they are copied.
@propertyWrapper
struct HalfWord: Sendable {
  private var number: Int32

  init(wrappedValue: Int?) { number = wrappedValue.map { Int32($0) } ?? -1 }

  var wrappedValue: Int? {
    get { number < 0 ? nil : Int(number) }
    set { self = HalfWord(wrappedValue: newValue) }
  }
}

extension ADALRow {
  /// Whether the row can be converted once its account is known.
  var isConvertible: Bool { blockingReason == nil }

  /// Whether the row holds a refresh token that ADAL could still use.
  var hasUsableRefreshToken: Bool { kind != .tombstone && refreshToken != nil }

  /// The latest issue time of the tokens, as far as the row tells: its modification date, or else the latest of
  /// `cachedAt` and the ID token's `iat` (mapping-rules §4.c).
  var evidenceOfAge: Double? {
    isOfApple ? modified ?? latest(cachedAt, idTokenIssue) : storedIssue ?? idTokenIssue
  }

  /// Whether MSAL's fallback takes the row for a refresh token that it can use.
  var isFallbackToken: Bool { hasUsableRefreshToken && !hasAccessToken && isReadByMSAL }

  /// Whether losing the row's refresh token is losing a sign-in of its client: family tokens are a
  /// second way in, and primary refresh tokens are the broker's.
  var countsAsSignIn: Bool { kind != .familyRefreshToken && !isOfBroker }

  /// Whether the row's tokens are the app's own or a request's, without a sign-in.
  var hasNoUser: Bool { kind == .appOnly || kind == .onBehalfOf }

  /// Whether the row is the broker's, for all apps of the device and not for its client.
  var isOfBroker: Bool { blockingReason == .rtPRT || blockingReason == .rtBroker }
}

/// The later of two times; nil if neither is known.
func latest(_ a: Double?, _ b: Double?) -> Double? {
  guard let a, let b else { return a ?? b }
  return max(a, b)
}
