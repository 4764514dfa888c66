// SPDX-License-Identifier: MIT

/// Why a row, or what it holds, ended where it did: converted, kept back, or left to ADAL.
///
/// A raw value is a promise: it is what the JSON report, SARIF's `ruleId`, `adal2msal explain` and
/// MIGRATION.md call the reason, and it does not change within a major version. A minor version may
/// add cases, announced in CHANGELOG.md, so a `switch` over reasons needs a `default`. How bad a
/// reason is depends on the person it meets and is said by ``Report/Finding/severity``.
public enum Reason: String, CaseIterable, Codable, Sendable {
  // What was converted.

  /// A refresh token for every resource was converted.
  case okMRRT = "ok.mrrt"
  /// A family refresh token was converted.
  case okFRT = "ok.frt"
  /// A refresh token of a client in a family was converted, for the client and the family.
  case okFRTMember = "ok.frt-member"
  /// An access token was carried over, with its scope in MSAL's form.
  case okAT = "ok.at"
  /// An ID token of the v1 endpoint was carried over.
  case okIDTokenV1 = "ok.idtoken.v1"
  /// An ID token of the v2 endpoint was carried over.
  case okIDTokenV2 = "ok.idtoken.v2"
  /// An account was written.
  case okAccount = "ok.account"
  /// App metadata of a client was written.
  case okAppMeta = "ok.appmeta"
  /// An entry that is already in MSAL's form was carried into another target.
  case unifiedCarried = "unified.carried"

  // Where the home account id comes from.

  /// The home account id is stored in the cache, or the account map gives it.
  case homeExact = "home.exact"
  /// The home account id is the ID token's `oid` and `tid`, issued through `common`.
  case homeCommonAuthority = "home.common-authority"
  /// The home account id is `oid` and `tid` of a member of the tenant.
  case homeTenantMember = "home.tenant-member"
  /// The home account id comes from another row or entry of the same person.
  case homeJoined = "home.joined"
  /// The stored home account id does not consist of two GUIDs.
  case homeNonGUID = "home.non-guid"
  /// The stored home account id differs from the one that the ID token suggests.
  case homeClaimsDisagree = "home.claims-disagree"

  // Why there is no home account id.

  /// A guest, whose home account nothing in the cache names.
  case homeGuestUnresolved = "home.guest-unresolved"
  /// A personal Microsoft account as a guest.
  case homeMSAGuest = "home.msa-guest"
  /// A personal Microsoft account whose id is not in the cache.
  case homeMSAUnknown = "home.msa-unknown"
  /// The row has no ID token.
  case homeNoIDToken = "home.no-id-token"
  /// The row names no user.
  case homeEmptyUser = "home.empty-user"
  /// Only a user name is known.
  case homeUsernameOnly = "home.username-only"
  /// The ID token has no `oid`.
  case homeNoOID = "home.no-oid"

  // The account map.

  /// The account map gives two ids for one person.
  case mapAmbiguous = "map.ambiguous"
  /// The account map differs from the id that the cache stores.
  case mapContradictsStored = "map.contradicts-stored"
  /// An entry of the account map matched nothing.
  case mapUnused = "map.unused"

  // Names and people.

  /// ADAL filed the row under another name than the ID token's.
  case userKeyClaimsDiffer = "user.key-claims-differ"
  /// The user name is an identifier, not a name.
  case userNonDisplayable = "user.non-displayable"
  /// One account appears under several user names.
  case accountRenamed = "account.renamed"
  /// The person signed out with MSAL.
  case accountSignedOut = "account.signed-out"
  /// The account was written without an ID token's details.
  case accountMinimal = "account.minimal"
  /// The account's claims arrive with the first refresh.
  case accountClaimsLater = "account.claims-later"
  /// The account was also written under the host of ADAL's row.
  case accountAliasCopy = "account.alias-copy"
  /// The account's client info was made from its home account id.
  case clientInfoSynthesised = "client-info.synthesised"
  /// A client has more than one account.
  case multiAccountsCreated = "multi.accounts-created"

  // Conflicts.

  /// One user name belongs to several accounts.
  case conflictSameUPN = "conflict.same-upn"
  /// Two home account ids claim one person.
  case conflictHomeID = "conflict.home-id"
  /// The target holds several entries where MSAL expects one.
  case conflictTargetMultiple = "conflict.target-multiple"
  /// An entry of the target cannot be read.
  case targetCorrupt = "target.corrupt"
  /// Another kind of item in the target has the same key.
  case targetTypeClash = "target.type-clash"

  // Authority, tenant, cloud.

  /// The authority's tenant is not the ID token's.
  case tenantMismatch = "tenant.mismatch"
  /// The authority names a domain, and no ID token says which tenant that is.
  case tenantDomainUnresolved = "tenant.domain-unresolved"
  /// The authority is `common`, and no ID token says which tenant.
  case tenantCommonNoIDToken = "tenant.common-no-id-token"
  /// The authority's host is not a known Microsoft cloud.
  case envUnknownHost = "env.unknown-host"
  /// The authority's cloud has been closed.
  case envClosedCloud = "env.closed-cloud"
  /// The authority names a port.
  case envPort = "env.port"
  /// The entries use the host that the account already has in the target.
  case envReuseExisting = "env.reuse-existing"
  /// The authority is not an https URL with a tenant.
  case authorityMalformed = "authority.malformed"
  /// The authority is an AD FS server.
  case adfsUnsupported = "adfs.unsupported"
  /// The authority is Azure AD B2C.
  case b2cUnsupported = "b2c.unsupported"

  // Resources.

  /// The resource ends in a slash, so its scope has two.
  case resourceTrailingSlash = "resource.trailing-slash"
  /// The resource is Azure AD Graph, which is retired.
  case resourceAADGraphRetired = "resource.aad-graph-retired"
  /// The resource is the client itself.
  case resourceIsClient = "resource.is-client"
  /// The resource is device registration.
  case resourceDRS = "resource.drs"
  /// The resource is not a plain URL or GUID.
  case resourceUnusual = "resource.unusual"

  // Access tokens.

  /// Access tokens were not asked for.
  case atNotCarried = "at.not-carried"
  /// The access token has expired or is about to.
  case atExpired = "at.expired"
  /// The access token's resource does not make one scope.
  case atScopeShape = "at.scope-shape"
  /// The access token has no usable ID token beside it.
  case atNoIDToken = "at.no-idtoken"
  /// The access token is not a bearer token.
  case atForeignType = "at.foreign-type"
  /// Another access token for the same scope was carried.
  case atSuperseded = "at.superseded"

  // Refresh tokens.

  /// Another refresh token of the same account and client was taken.
  case rtDuplicate = "rt.duplicate"
  /// A refresh token for every resource was taken instead of one for a single resource.
  case rtSingleSuperseded = "rt.single-superseded"
  /// The refresh token was issued for a single resource.
  case rtSingleResource = "rt.single-resource"
  /// There is no usable refresh token.
  case rtMissing = "rt.missing"
  /// The refresh token has not been used for more than 90 days.
  case rtPossiblyStale = "rt.possibly-stale"
  /// The service rejected this refresh token earlier.
  case rtTombstone = "rt.tombstone"
  /// A primary refresh token, which belongs to the broker.
  case rtPRT = "rt.prt"
  /// The refresh token is bound to a session key.
  case rtSessionKey = "rt.session-key"
  /// The row belongs to the broker.
  case rtBroker = "rt.broker"
  /// A family refresh token of which no client is known.
  case rtFRTNoClient = "rt.frt-no-client"
  /// A family refresh token of other apps.
  case rtFRTForeign = "rt.frt-foreign"
  /// The family's refresh token differs from the client's.
  case rtFRTDiverged = "rt.frt-diverged"
  /// The refresh token is not text.
  case rtMalformed = "rt.malformed"

  // Rows.

  /// The row has no token.
  case rowEmpty = "row.empty"
  /// The row was archived from a class that ADAL never had.
  case rowUnknownClass = "row.unknown-class"
  /// The row cannot be decoded.
  case rowUndecodable = "row.undecodable"

  // ID tokens.

  /// The ID token cannot be read.
  case idTokenMalformed = "idtoken.malformed"
  /// The ID token names no tenant.
  case idTokenNoTID = "idtoken.no-tid"
  /// A newer ID token of the same account and client was taken.
  case idTokenSuperseded = "idtoken.superseded"
  /// A v1 ID token was written as the kind that MSAL reads.
  case idTokenCompat = "idtoken.compat"

  // Clients and families.

  /// The row belongs to a client that was not asked for.
  case clientNotInSet = "client.not-in-set"
  /// None of the rows belongs to the client that was asked for.
  case clientChanged = "client.changed"
  /// A client or an access group that was asked for is not in the cache.
  case policyMatchesNothing = "policy.matches-nothing"
  /// The target says that the client is in no family; the row says it is.
  case appMetaFamilyConflict = "appmeta.family-conflict"
  /// The family is not the one that Microsoft's apps share.
  case familyUnknown = "family.unknown"

  // What the target already holds.

  /// The target already holds this token.
  case keepIdentical = "keep.identical"
  /// The target holds another refresh token, which may be newer.
  case keepTargetNewer = "keep.target-newer"
  /// The target holds an older refresh token.
  case keepTargetOlder = "keep.target-older"
  /// The target already holds this account.
  case keepAccount = "keep.account"
  /// The target already holds an ID token.
  case keepIDToken = "keep.idtoken"
  /// The target already holds an access token for this scope.
  case keepAT = "keep.at"
  /// The target already holds app metadata for this client.
  case keepAppMeta = "keep.appmeta"

  // The check before writing.

  /// MSAL would not find what would be written: a bug of adal2msal.
  case checkNotFound = "check.not-found"

  // Surroundings.

  /// A time in the row lies in the future.
  case timeFuture = "time.future"
  /// The new account hides rows of ADAL from another client.
  case coexistenceHiddenClient = "coexistence.hidden-client"
  /// MSAL may list the account without its identifier, because of a row of ADAL's beside it.
  case coexistenceNamelessListing = "coexistence.nameless-listing"
  /// Signing out with ADAL does not sign out of MSAL.
  case coexistenceLogout = "coexistence.logout"
  /// The program has no right to the keychain group.
  case keychainNoEntitlement = "keychain.no-entitlement"
  /// The rows are in another access group.
  case keychainGroupMismatch = "keychain.group-mismatch"
}

extension Reason: Comparable {
  /// Reasons sort by their codes.
  public static func < (left: Reason, right: Reason) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Reason {
  /// The reason with this code, however it is capitalised, or nil when there is none.
  public init?(code: String) {
    self.init(rawValue: code.lowercased())
  }

  /// The code, as reports write it: `home.guest-unresolved`.
  public var code: String { rawValue }

  /// The anchor of the reason's page in MIGRATION.md: `home-guest-unresolved`.
  public var anchor: String {
    rawValue.split(separator: ".").joined(separator: "-")
  }
}
