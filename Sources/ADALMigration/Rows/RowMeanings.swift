// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

// The meanings of the texts in rows. Each meaning is found once for all rows with the text (D38).

/// The meaning of an authority.
struct RowAuthority: Sendable {
  /// Nil where the text is no authority.
  let url: Authority?
  let cloud: Symbol
  let environment: Symbol
  /// The text as ADAL compares it.
  let normalized: Symbol
  /// The tenant id, where the authority names one.
  let tenant: Symbol
  /// Whether tokens of the host may be moved: it is known, or the policy allows it.
  let isTrusted: Bool
  /// Whether the cloud does not exist any more.
  let isClosed: Bool

  init(_ text: String, _ policy: Policy, _ symbols: inout Symbols) {
    url = Authority(text)
    cloud = symbols.symbol(of: url?.cloud)
    environment = symbols.symbol(of: url?.environment)
    normalized = symbols.symbol(of: text.normalized)
    tenant = symbols.symbol(of: url?.tenant.id)
    isTrusted = url.map { $0.isKnown || policy.allows($0) } ?? false
    isClosed = url?.isClosed ?? false
  }
}

/// The meaning of a client ID.
struct RowClient: Sendable {
  /// The text itself.
  let spelled: Symbol
  /// The ID by which rows of one client are found; none for a blank text.
  let id: Symbol
  /// The family, where the text stands for one.
  let family: Symbol
  /// The client id as it is written, to the letter: as the policy spells it, else as it is archived (D5, D37).
  let written: Symbol
  /// Whether the migration is about the client.
  let isIncluded: Bool

  init(_ text: String, _ policy: Policy, _ symbols: inout Symbols) {
    spelled = symbols.symbol(of: text)
    id = symbols.symbol(of: spelled, as: \.identifier)
    family = symbols.symbol(of: FamilyClient.family(of: text))
    written = symbols.symbol(of: spelled, as: policy.written)
    isIncluded = policy.includes(client: text)
  }
}

/// The meaning of a resource.
struct RowResource: Sendable {
  /// The scope for the resource. Only white space around it is trimmed, so a resource that ends in `/` gives
  /// `//.default` (mapping-rules §3.1). None for a blank resource.
  let scope: Symbol
  /// The same as scopes are compared.
  let comparedScope: Symbol
  /// Whether white space is in it, so that it is no scope.
  let isSeveralWords: Bool
  /// The advice about it for every client.
  let advice: ResourceAdvice
  /// The resource in lower case, which can be the id of the client itself.
  let lowerCase: Symbol

  init(_ text: String, _ symbols: inout Symbols) {
    let resource = Optional(text).nonBlank
    scope = symbols.symbol(of: resource.map { String(of: $0, "/.default") })
    comparedScope = symbols.symbol(of: scope, as: \.identifier)
    isSeveralWords = resource.map { !$0.isOneWord && $0.contains(where: \.isWhitespace) } ?? false
    advice = ResourceAdvice(resource ?? "")
    lowerCase = symbols.symbol(of: resource?.lowercasedLikeNSString)
  }
}

/// The content of an ID token, read once for all rows that hold it.
struct RowIDToken: Sendable {
  let claims: IDTokenClaims
  /// The user ID in ADAL's and MSAL's sense; none for no user.
  let userName: Symbol
  /// The same as names are compared.
  let name: Symbol
  /// The tenant that issued it, lower-case.
  let realm: Symbol
  /// The user as that tenant knows it.
  let objectID: Symbol
  let issuedAt: Double?
  /// The signs that the user is a guest there.
  let guestMarkers: [GuestMarker]
  /// Whether the user id is an id rather than a readable name.
  let isUserIDUnreadable: Bool

  init(_ claims: IDTokenClaims, _ symbols: inout Symbols) {
    self.claims = claims
    let userID = claims.userID
    userName = symbols.symbol(of: userID)
    name = symbols.name(of: userID)
    realm = symbols.symbol(of: claims.tid.nonBlank?.identifier)
    objectID = realm == .none ? .none : symbols.symbol(of: claims.oid.nonBlank?.identifier)
    issuedAt = claims.issuedAt
    guestMarkers = GuestMarker.all(in: claims)
    let names = [claims.upn, claims.email, claims.uniqueName, claims.preferredUsername]
    isUserIDUnreadable =
      userID.map { userID in
        !names.contains { $0.nonBlank?.lowercasedLikeNSString == userID }
      } ?? false
  }
}
