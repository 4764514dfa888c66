// SPDX-License-Identifier: MIT

/// Why a row, or what it holds, ended where it did: converted, kept back, or left to ADAL.
///
/// What each means is its ``summary``. A raw value is a promise: it is what the JSON report, SARIF's `ruleId`,
/// `adal2msal explain` and Documentation/reasons.md call the reason, and it does not change within a major version. A minor
/// version may add cases, announced in CHANGELOG.md, so a `switch` over reasons needs a `default`. How bad a
/// reason is depends on the person it meets and is said by ``Report/Finding/severity``.
public enum Reason: String, CaseIterable, Codable, Sendable {
  case okMRRT = "ok.mrrt", okFRT = "ok.frt", okFRTMember = "ok.frt-member", okAT = "ok.at",
    okIDTokenV1 = "ok.idtoken.v1", okIDTokenV2 = "ok.idtoken.v2", okAccount = "ok.account",
    okAppMeta = "ok.appmeta", unifiedCarried = "unified.carried"

  case homeExact = "home.exact", homeCommonAuthority = "home.common-authority",
    homeTenantMember = "home.tenant-member", homeJoined = "home.joined",
    homeMemberFields = "home.member-fields",
    homeGuestJoinedByName = "home.guest-joined-by-name",
    homeNonGUID = "home.non-guid", homeClaimsDisagree = "home.claims-disagree"

  case homeGuestUnresolved = "home.guest-unresolved", homeMSAGuest = "home.msa-guest",
    homeMSAUnknown = "home.msa-unknown", homeNoIDToken = "home.no-id-token",
    homeEmptyUser = "home.empty-user", homeUsernameOnly = "home.username-only",
    homeNoOID = "home.no-oid"

  case mapContradictsStored = "map.contradicts-stored", mapUnused = "map.unused"

  case userKeyClaimsDiffer = "user.key-claims-differ",
    userNonDisplayable = "user.non-displayable", accountRenamed = "account.renamed",
    accountSignedOut = "account.signed-out", accountMinimal = "account.minimal",
    accountClaimsLater = "account.claims-later", accountAliasCopy = "account.alias-copy",
    clientInfoSynthesised = "client-info.synthesised",
    multiAccountsCreated = "multi.accounts-created"

  case conflictSameUPN = "conflict.same-upn", conflictHomeID = "conflict.home-id",
    conflictTargetMultiple = "conflict.target-multiple", targetCorrupt = "target.corrupt",
    targetTypeClash = "target.type-clash", targetNobody = "target.nobody"

  case tenantMismatch = "tenant.mismatch", tenantDomainUnresolved = "tenant.domain-unresolved",
    tenantCommonNoIDToken = "tenant.common-no-id-token", envUnknownHost = "env.unknown-host",
    envClosedCloud = "env.closed-cloud", envPort = "env.port",
    envReuseExisting = "env.reuse-existing", envOtherHeir = "env.other-heir", authorityMalformed =
    "authority.malformed",
    adfsUnsupported = "adfs.unsupported", b2cUnsupported = "b2c.unsupported"

  case resourceTrailingSlash = "resource.trailing-slash",
    resourceAADGraphRetired = "resource.aad-graph-retired",
    resourceIsClient = "resource.is-client", resourceDRS = "resource.drs",
    resourceUnusual = "resource.unusual"

  case atNotCarried = "at.not-carried", atExpired = "at.expired",
    atScopeShape = "at.scope-shape", atNoIDToken = "at.no-idtoken",
    atForeignType = "at.foreign-type", atSuperseded = "at.superseded"

  case rtDuplicate = "rt.duplicate", rtSingleSuperseded = "rt.single-superseded",
    rtSingleResource = "rt.single-resource", rtMissing = "rt.missing",
    rtPossiblyStale = "rt.possibly-stale", rtTombstone = "rt.tombstone", rtPRT = "rt.prt",
    rtSessionKey = "rt.session-key", rtBroker = "rt.broker", rtFRTNoClient = "rt.frt-no-client",
    rtFRTForeign = "rt.frt-foreign", rtFRTDiverged = "rt.frt-diverged",
    rtMalformed = "rt.malformed", rtOverwritten = "rt.overwritten"

  case rowEmpty = "row.empty", rowUnknownClass = "row.unknown-class",
    rowUndecodable = "row.undecodable", rowAppOnly = "row.app-only",
    rowOnBehalfOf = "row.on-behalf-of", rowServicePrincipal = "row.service-principal"

  case idTokenMalformed = "idtoken.malformed", idTokenNoTID = "idtoken.no-tid",
    idTokenSuperseded = "idtoken.superseded"

  case clientNotInSet = "client.not-in-set", clientChanged = "client.changed",
    policyMatchesNothing = "policy.matches-nothing",
    appMetaFamilyConflict = "appmeta.family-conflict", familyUnknown = "family.unknown"

  case keepIdentical = "keep.identical", keepTargetNewer = "keep.target-newer",
    keepTargetOlder = "keep.target-older", keepAccount = "keep.account",
    keepIDToken = "keep.idtoken", keepAT = "keep.at", keepAppMeta = "keep.appmeta"

  case checkNotFound = "check.not-found"

  case timeFuture = "time.future", coexistenceHiddenClient = "coexistence.hidden-client",
    coexistenceNamelessListing = "coexistence.nameless-listing",
    coexistenceLogout = "coexistence.logout", keychainNoEntitlement = "keychain.no-entitlement"
}

extension Reason {
  /// The one table of reasons.
  var facts: Facts {
    switch self {
    case .okMRRT: .outcome(.converted, "refresh token converted", is: .success)
    case .okFRT: .outcome(.converted, "family refresh token converted", is: .success)
    case .okFRTMember:
      .remark(.converted, "refresh token converted, for the client and its family", is: .success)
    case .okAT: .outcome(.converted, "access token carried over", is: .success)
    case .okIDTokenV1: .remark(.converted, "ID token carried over", is: .success)
    case .okIDTokenV2: .remark(.converted, "ID token carried over", is: .success)
    case .okAccount: .remark(.converted, "account written", is: .success)
    case .okAppMeta: .remark(.converted, "app metadata written", is: .success)
    case .unifiedCarried:
      .outcome(.converted, "entry already in MSAL's form, carried over unchanged", is: .success)
    case .homeExact:
      .home("home account id is stored in the cache or given by the account map", is: .success)
    case .homeCommonAuthority:
      .home("home account id taken from the ID token of `common`", is: [.success, .blocksSignIn])
    case .homeTenantMember:
      .home(
        "home account id taken from the ID token of a tenant's member",
        is: [.success, .blocksSignIn])
    case .homeJoined:
      .home(
        "home account id taken from elsewhere than the row itself",
        "check that the accounts listed are the right people", is: [.assumption, .blocksSignIn])
    case .homeMemberFields:
      .home(
        "home account id taken from what ADAL kept of a member, without the ID token",
        is: .blocksSignIn)
    case .homeGuestJoinedByName:
      .home(
        "guest given the home account of the same user name",
        "check that nobody else ever had these user names", is: [.assumption, .blocksSignIn])
    case .homeNonGUID:
      .remark(
        .home, "stored home account id is not made of two GUIDs",
        "check the account if people report a wrong one", is: .assumption)
    case .homeClaimsDisagree:
      .remark(
        .home, "stored home account id differs from the ID token's",
        "check whether the person has moved between tenants", is: .assumption)
    case .homeGuestUnresolved:
      .signIn(
        .noHome, "guest whose home account is unknown",
        "give the home account in an account map, or let the person sign in once")
    case .homeMSAGuest: .signIn(.noHome, "personal Microsoft account as a guest")
    case .homeMSAUnknown:
      .signIn(.noHome, "personal Microsoft account whose id is not in the cache")
    case .homeNoIDToken:
      .signIn(
        .noHome, "no usable ID token, so it is not known whose it is",
        "let the person sign in once, or give the home account in an account map")
    case .homeEmptyUser: .signIn(.noHome, "no user name and no ID token")
    case .homeUsernameOnly:
      .signIn(
        .noHome, "only a user name is known",
        "give the home account in an account map, or let the person sign in once")
    case .homeNoOID:
      .signIn(
        .noHome, "ID token without an object id",
        "give the home account in an account map, or let the person sign in once")
    case .mapContradictsStored:
      .remark(
        .map, "account map differs from the stored home account id", "correct the account map",
        is: .assumption)
    case .mapUnused:
      .remark(
        .map, "entry of the account map matched no row",
        "nothing to do, unless you expected a match")
    case .userKeyClaimsDiffer:
      .remark(
        .people, "ADAL filed the row under another name than the ID token has",
        "select accounts by identifier", is: .assumption)
    case .userNonDisplayable:
      .remark(
        .people, "user name is an identifier, not a name", "select accounts by identifier",
        is: .assumption)
    case .accountRenamed:
      .remark(
        .people, "one account appears under several user names", "select accounts by identifier",
        is: .assumption)
    case .accountSignedOut:
      .obstacle(.people, "person has signed out with MSAL", "nothing to do: it is respected")
    case .accountMinimal: .remark(.people, "account written without the details of an ID token")
    case .accountClaimsLater:
      .remark(
        .people, "account's claims arrive with the first refresh",
        "do not rely on claims before the first silent call")
    case .accountAliasCopy:
      .remark(.people, "account also written under the host that ADAL's row has")
    case .clientInfoSynthesised:
      .remark(.people, "account's client info made from its home account id", is: .success)
    case .multiAccountsCreated:
      .remark(
        .people, "client has more than one account",
        "do not use `getCurrentAccount` before the person has chosen")
    case .conflictSameUPN:
      .remark(
        .conflicts, "one user name belongs to several accounts",
        "choose the account by identifier in the app", is: .assumption)
    case .conflictHomeID:
      .signIn(
        .conflicts, "two home account ids claim one person",
        "settle it in an account map, or let the person sign in once")
    case .conflictTargetMultiple:
      .signIn(
        .conflicts, "target holds several entries where MSAL expects one",
        "remove the surplus entries of this account from the target, or let the person sign out and in"
      )
    case .targetCorrupt:
      .signIn(
        .conflicts, "entry of the target cannot be read",
        "let the person sign in once; MSAL then writes the entry anew")
    case .targetTypeClash:
      .signIn(
        .conflicts, "another kind of item in the target has the same key",
        "find out which program wrote the item, then remove it")
    case .targetNobody:
      .obstacle(.conflicts, "entry is nobody's, and every document of the folder is somebody's")
    case .tenantMismatch:
      .remark(
        .authority, "authority's tenant is not the ID token's",
        "check which tenant the person belongs to", is: [.assumption, .blocksSignIn])
    case .tenantDomainUnresolved:
      .remark(
        .authority, "authority names a domain, and no ID token says which tenant it is",
        "let the person sign in once")
    case .tenantCommonNoIDToken:
      .remark(
        .authority, "authority is `common`, and no ID token says which tenant",
        "nothing to do if the account is converted; otherwise let the person sign in once")
    case .envUnknownHost:
      .signIn(
        .authority, "authority's host is not a known Microsoft cloud",
        "if the host is yours, run again with `--allow-host HOST`")
    case .envClosedCloud:
      .remark(
        .authority, "authority's cloud has been closed",
        "the people concerned need an account in another cloud", is: .assumption)
    case .envPort:
      .remark(
        .authority, "authority names a port", "check the authority that the app is configured with")
    case .envReuseExisting:
      .remark(.authority, "entries use the host that the account already has in the target")
    case .envOtherHeir:
      .remark(
        .authority, "document's host is not the one that the library of `--for` looks for first",
        "nothing to do; if accounts are missing in the app, migrate into a fresh document")
    case .authorityMalformed: .signIn(.authority, "authority is not an https URL with a tenant")
    case .adfsUnsupported:
      .signIn(
        .authority, "authority is an AD FS server",
        "let the person sign in once, through Microsoft Entra ID")
    case .b2cUnsupported: .signIn(.authority, "authority is Azure AD B2C")
    case .resourceTrailingSlash:
      .remark(
        .resources, "resource ends in a slash, so its scope has two",
        "ask MSAL for the scope as the report spells it")
    case .resourceAADGraphRetired:
      .remark(
        .resources, "resource is Azure AD Graph, which is retired",
        "move to Microsoft Graph: `https://graph.microsoft.com/.default`")
    case .resourceIsClient:
      .remark(.resources, "resource is the client itself", "ask for `CLIENT-ID/.default`")
    case .resourceDRS: .remark(.resources, "resource is device registration")
    case .resourceUnusual:
      .remark(
        .resources, "resource is not a plain URL or GUID",
        "check the scope that the report suggests")
    case .atNotCarried: .outcome(.accessTokens, "access token not carried")
    case .atExpired: .renewed("access token has expired or is about to")
    case .atScopeShape: .renewed("access token's resource does not make one scope")
    case .atNoIDToken: .renewed("access token has no usable ID token beside it")
    case .atForeignType: .renewed("access token is not a bearer token")
    case .atSuperseded:
      .outcome(.accessTokens, "another access token for the same scope was carried")
    case .rtDuplicate:
      .outcome(.refreshTokens, "another refresh token of the same account and client was taken")
    case .rtSingleSuperseded:
      .outcome(.refreshTokens, "refresh token for one resource, not needed beside the one for all")
    case .rtSingleResource:
      .outcome(
        .refreshTokens, "refresh token was issued for a single resource",
        "make the first silent call for that resource's scope", is: .assumption)
    case .rtMissing:
      .outcome(.refreshTokens, "no usable refresh token", "let the person sign in once")
    case .rtPossiblyStale:
      .remark(
        .refreshTokens, "refresh token has not been used for more than 90 days",
        "expect that the service may ask the person to sign in", is: .assumption)
    case .rtTombstone:
      .obstacle(
        .refreshTokens, "service rejected this refresh token earlier",
        "nothing to do: the person already had to sign in with ADAL")
    case .rtPRT:
      .obstacle(
        .refreshTokens, "primary refresh token, which belongs to the broker",
        "nothing to do: MSAL asks the broker")
    case .rtSessionKey:
      .signIn(
        .refreshTokens, "refresh token is bound to a session key",
        "nothing to do on a device with a broker; otherwise let the person sign in once")
    case .rtBroker:
      .obstacle(.refreshTokens, "row belongs to the broker", "nothing to do: MSAL asks the broker")
    case .rtFRTNoClient:
      .outcome(
        .refreshTokens, "family refresh token of which no client is known",
        "name a client of the family with `--client-id`", is: .blocksSignIn)
    case .rtFRTForeign: .outcome(.refreshTokens, "family refresh token of other apps")
    case .rtFRTDiverged: .remark(.refreshTokens, "family's refresh token differs from the client's")
    case .rtMalformed: .signIn(.refreshTokens, "refresh token is not text")
    case .rtOverwritten:
      .signIn(.refreshTokens, "refresh token was overwritten, and may be somebody else's")
    case .rowEmpty: .obstacle(.rows, "row has no token")
    case .rowUnknownClass:
      .obstacle(
        .rows, "row was archived from a class that ADAL never had",
        "find out which program wrote it")
    case .rowUndecodable: .obstacle(.rows, "row cannot be decoded", "let the person sign in once")
    case .rowAppOnly:
      .obstacle(
        .rows, "access token of the app itself",
        "nothing to do: MSAL gets a new one with the app's own credential")
    case .rowOnBehalfOf:
      .obstacle(
        .rows, "tokens got on behalf of somebody else's request",
        "nothing to do: MSAL gets new ones with the next request")
    case .rowServicePrincipal:
      .obstacle(
        .rows, "credential of a service principal, not a token",
        "log in again with `az login --service-principal`")
    case .idTokenMalformed:
      .remark(
        .idTokens, "ID token cannot be read",
        "nothing to do if the account is converted; otherwise let the person sign in once")
    case .idTokenNoTID:
      .remark(
        .idTokens, "ID token names no tenant",
        "nothing to do if the account is converted; otherwise let the person sign in once")
    case .idTokenSuperseded:
      .remark(.idTokens, "newer ID token of the same account and client was taken")
    case .clientNotInSet:
      .obstacle(
        .clients, "row of a client that was not asked for",
        "run again without `--client-id`, or with this one")
    case .clientChanged:
      .remark(
        .clients, "no row belongs to the client that was asked for",
        "check the client id: it must be the one that ADAL used")
    case .policyMatchesNothing:
      .remark(
        .clients, "client or access group that was asked for is not in the cache",
        "correct the client id or the access group; the message lists what is there")
    case .appMetaFamilyConflict:
      .remark(
        .clients, "target says that the client is in no family, the row says it is",
        "nothing to do: the target's word is kept", is: .assumption)
    case .familyUnknown:
      .remark(
        .clients, "family is not the one that Microsoft's apps share",
        "check where the row comes from", is: .assumption)
    case .keepIdentical: .outcome(.target, "target already holds this token")
    case .keepTargetNewer: .outcome(.target, "target holds another refresh token, which was kept")
    case .keepTargetOlder:
      .outcome(
        .target, "target holds an older refresh token, which was kept",
        "let the person sign in if MSAL asks")
    case .keepAccount: .remark(.target, "target already holds this account")
    case .keepIDToken: .remark(.target, "target already holds an ID token")
    case .keepAT: .outcome(.target, "target already holds an access token for this scope")
    case .keepAppMeta: .remark(.target, "target already holds app metadata for this client")
    case .checkNotFound:
      .obstacle(
        .check, "MSAL would not find what would be written, which is a bug of adal2msal",
        "report the bug at \(Report.homepage)/issues, with the report as JSON")
    case .timeFuture:
      .remark(
        .surroundings, "time in the row lies in the future",
        "check the clock of the device or of this machine", is: .assumption)
    case .coexistenceHiddenClient:
      .remark(
        .surroundings, "new account hides ADAL rows of the same user name from another client",
        "convert the other client too, or check that it can do without ADAL's rows")
    case .coexistenceNamelessListing:
      .remark(
        .surroundings, "MSAL may list the account without its identifier",
        "let the app find its account by identifier, not by user name or in a list")
    case .coexistenceLogout:
      .remark(
        .surroundings, "signing out with ADAL does not sign out of MSAL",
        "make sure that apps which still use ADAL do not promise a sign-out everywhere")
    case .keychainNoEntitlement:
      .remark(
        .surroundings, "program has no right to the keychain group",
        "add the keychain group to the program's entitlements and sign it")
    }
  }
}
