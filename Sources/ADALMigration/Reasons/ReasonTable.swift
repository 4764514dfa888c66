// SPDX-License-Identifier: MIT

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
      .home("home account id taken from an ID token of `common`", is: .success)
    case .homeTenantMember:
      .home("home account id taken from a tenant member's ID token", is: .success)
    case .homeJoined:
      .home(
        "home account id inferred from another row or from the account map",
        "check that the listed accounts belong to the right users", is: .assumption)
    case .homeMemberFields:
      .home("home account id taken from a member's stored fields, without an ID token")
    case .homeGuestJoinedByName:
      .home(
        "guest matched to a home account by user name",
        "check that these user names never belonged to other users", is: .assumption)
    case .homeNonGUID:
      .remark(
        .home, "stored home account id does not consist of two GUIDs",
        "check the account if users report a wrong one", is: .assumption)
    case .homeClaimsDisagree:
      .remark(
        .home, "stored home account id differs from the ID token",
        "check whether the account has moved between tenants", is: .assumption)
    case .homeGuestUnresolved:
      .signIn(
        .noHome, "guest with an unknown home account",
        "add the home account to an account map, or let the user sign in once")
    case .homeMSAGuest: .signIn(.noHome, "personal Microsoft account as a guest")
    case .homeMSAUnknown:
      .signIn(.noHome, "personal Microsoft account with an id that is not in the cache")
    case .homeNoIDToken:
      .signIn(
        .noHome, "no usable ID token, so the account is unknown",
        "let the user sign in once, or add the home account to an account map")
    case .homeEmptyUser: .signIn(.noHome, "no user name and no ID token")
    case .homeUsernameOnly:
      .signIn(
        .noHome, "only a user name is known",
        "add the home account to an account map, or let the user sign in once")
    case .homeNoOID:
      .signIn(
        .noHome, "ID token without an object id",
        "add the home account to an account map, or let the user sign in once")
    case .homeBelowMinimum:
      .signIn(
        .noHome, "home account id is less certain than the policy requires",
        "add the home account to an account map, or lower `minimumConfidence` in the policy")
    case .mapContradictsStored:
      .remark(
        .map, "account map differs from the stored home account id", "correct the account map",
        is: .assumption)
    case .mapUnused:
      .remark(
        .map, "line of the account map matched no row",
        "nothing to do, unless you expected a match")
    case .mapUnfilled:
      .remark(
        .map, "line of the account map has no home account id",
        "fill in home_oid and home_tid, or delete the line")
    case .userKeyClaimsDiffer:
      .remark(
        .people, "user name of ADAL's row differs from the ID token's",
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
      .obstacle(
        .people, "user has signed out with MSAL", "nothing to do: the sign-out stays in effect")
    case .accountMinimal: .remark(.people, "account written without the details of an ID token")
    case .accountClaimsLater:
      .remark(
        .people, "account's claims arrive with the first refresh",
        "do not rely on claims before the first silent call")
    case .accountAliasCopy:
      .remark(.people, "account also written under the host of ADAL's row")
    case .clientInfoSynthesised:
      .remark(.people, "account's client info derived from its home account id", is: .success)
    case .multiAccountsCreated:
      .remark(
        .people, "client has more than one account",
        "do not use `getCurrentAccount` before the user has chosen an account")
    case .conflictSameUPN:
      .remark(
        .conflicts, "one user name belongs to several accounts",
        "choose the account by identifier in the app", is: .assumption)
    case .conflictHomeID:
      .signIn(
        .conflicts, "two home account ids for one account",
        "name the right one in an account map, or let the user sign in once")
    case .conflictTargetMultiple:
      .signIn(
        .conflicts, "target has several entries where MSAL expects one",
        "remove the surplus entries of this account from the target, or let the user sign out and in"
      )
    case .targetCorrupt:
      .signIn(
        .conflicts, "entry of the target cannot be read",
        "let the user sign in once; MSAL then writes a new entry")
    case .targetTypeClash:
      .signIn(
        .conflicts, "item of another type in the target has the same key",
        "find out which program wrote the item and remove it")
    case .targetNoAccount:
      .obstacle(
        .conflicts, "entry belongs to no account, so it cannot go into a per-account document")
    case .tenantMismatch:
      .remark(
        .authority, "authority and ID token name different tenants",
        "check which tenant the user belongs to", is: [.assumption, .blocksSignIn])
    case .tenantDomainUnresolved:
      .remark(
        .authority, "authority names a domain, and no ID token names its tenant",
        "let the user sign in once")
    case .tenantCommonNoIDToken:
      .remark(
        .authority, "authority is `common`, and no ID token names the tenant",
        "nothing to do if the account is converted; otherwise let the user sign in once")
    case .envUnknownHost:
      .signIn(
        .authority, "authority's host belongs to no known Microsoft cloud",
        "if the host is yours, run again with `--allow-host HOST`")
    case .envClosedCloud:
      .remark(
        .authority, "authority's cloud has been closed",
        "give these users accounts in another cloud", is: .assumption)
    case .envPort:
      .remark(
        .authority, "authority names a port", "check the authority in the app's configuration")
    case .envReuseExisting:
      .remark(.authority, "entries use the account's existing host in the target")
    case .envOtherReader:
      .remark(
        .authority,
        "document stores the account under a host that the reading library does not prefer",
        "nothing to do; if accounts are missing in the app, migrate into a fresh document")
    case .authorityMalformed: .signIn(.authority, "authority is not an https URL with a tenant")
    case .adfsUnsupported:
      .signIn(
        .authority, "authority is an AD FS server",
        "let the user sign in once, through Microsoft Entra ID")
    case .b2cUnsupported: .signIn(.authority, "authority is Azure AD B2C")
    case .resourceTrailingSlash:
      .remark(
        .resources, "resource ends in a slash, so its scope has two slashes",
        "request the scope exactly as the report spells it")
    case .resourceAADGraphRetired:
      .remark(
        .resources, "resource is Azure AD Graph, which has been retired",
        "move to Microsoft Graph: `https://graph.microsoft.com/.default`")
    case .resourceIsClient:
      .remark(.resources, "resource is the client itself", "request `CLIENT-ID/.default`")
    case .resourceDRS: .remark(.resources, "resource is device registration")
    case .resourceUnusual:
      .remark(
        .resources, "resource is not a plain URL or GUID",
        "check the scope that the report suggests")
    case .atNotCarried: .outcome(.accessTokens, "access token not carried")
    case .atExpired: .renewed("access token has expired or is about to expire")
    case .atScopeShape: .renewed("access token's resource is not a single scope")
    case .atNoIDToken: .renewed("access token has no usable ID token")
    case .atForeignType: .renewed("access token is not a bearer token")
    case .atSuperseded:
      .outcome(.accessTokens, "another access token for the same scope was carried")
    case .rtDuplicate:
      .outcome(.refreshTokens, "another refresh token of the same account and client was used")
    case .rtSingleSuperseded:
      .outcome(
        .refreshTokens, "refresh token for one resource, superseded by one for all resources")
    case .rtSingleResource:
      .outcome(
        .refreshTokens, "refresh token was issued for a single resource",
        "make the first silent call for that resource's scope", is: .assumption)
    case .rtMissing:
      .outcome(.refreshTokens, "no usable refresh token", "let the user sign in once")
    case .rtPossiblyStale:
      .remark(
        .refreshTokens, "refresh token has not been used for more than 90 days",
        "expect that the service may ask the user to sign in", is: .assumption)
    case .rtTombstone:
      .obstacle(
        .refreshTokens, "refresh token that the service has rejected",
        "nothing to do: the user already had to sign in with ADAL")
    case .rtPRT:
      .obstacle(
        .refreshTokens, "primary refresh token of the broker",
        "nothing to do: MSAL asks the broker")
    case .rtSessionKey:
      .signIn(
        .refreshTokens, "refresh token is bound to a session key",
        "nothing to do on a device with a broker; otherwise let the user sign in once")
    case .rtBroker:
      .obstacle(.refreshTokens, "row belongs to the broker", "nothing to do: MSAL asks the broker")
    case .rtFRTNoClient:
      .outcome(
        .refreshTokens, "family refresh token without a known client",
        "name a client of the family with `--client-id`", is: .blocksSignIn)
    case .rtFRTForeign: .outcome(.refreshTokens, "family refresh token of other apps")
    case .rtFRTDiverged: .remark(.refreshTokens, "family and client have different refresh tokens")
    case .rtMalformed: .signIn(.refreshTokens, "refresh token is not text")
    case .rtOverwritten:
      .signIn(.refreshTokens, "refresh token was overwritten and may belong to another user")
    case .rowEmpty: .obstacle(.rows, "row has no token")
    case .rowUnknownClass:
      .obstacle(
        .rows, "row is an archive of a class that ADAL never had",
        "find out which program wrote it")
    case .rowUndecodable: .obstacle(.rows, "row cannot be decoded", "let the user sign in once")
    case .rowAppOnly:
      .obstacle(
        .rows, "access token of the app itself",
        "nothing to do: MSAL gets a new one with the app's own credential")
    case .rowOnBehalfOf:
      .obstacle(
        .rows, "tokens acquired on behalf of a request's user",
        "nothing to do: MSAL gets new ones with the next request")
    case .rowServicePrincipal:
      .obstacle(
        .rows, "credential of a service principal, not a token",
        "sign in again with `az login --service-principal`")
    case .sourceCutOff:
      .obstacle(
        .rows, "cache ends inside a row",
        "get a whole copy of the cache and run again; otherwise let the users sign in once")
    case .idTokenMalformed:
      .remark(
        .idTokens, "ID token cannot be read",
        "nothing to do if the account is converted; otherwise let the user sign in once")
    case .idTokenNoTID:
      .remark(
        .idTokens, "ID token names no tenant",
        "nothing to do if the account is converted; otherwise let the user sign in once")
    case .idTokenSuperseded:
      .remark(.idTokens, "newer ID token of the same account and client was used")
    case .clientNotInSet:
      .obstacle(
        .clients, "row of a client that was not selected",
        "run again without `--client-id`, or with this client id")
    case .clientChanged:
      .remark(
        .clients, "no row belongs to the selected client",
        "use the client id that the app used with ADAL")
    case .policyMatchesNothing:
      .remark(
        .clients, "selected client or access group is not in the cache",
        "correct the client id or the access group; the message lists what is there")
    case .appMetaFamilyConflict:
      .remark(
        .clients, "target excludes the client from every family, but the row names one",
        "nothing to do: the target's entry is kept", is: .assumption)
    case .familyUnknown:
      .remark(
        .clients, "family is not the one of Microsoft's apps",
        "find out which program wrote the row", is: .assumption)
    case .keepIdentical: .outcome(.target, "target already has this token")
    case .keepTargetNewer: .outcome(.target, "target has another refresh token, which was kept")
    case .keepTargetOlder:
      .outcome(
        .target, "target has an older refresh token, which was kept",
        "let the user sign in if MSAL asks")
    case .keepAccount: .remark(.target, "target already has this account")
    case .keepIDToken: .remark(.target, "target already has an ID token")
    case .keepAT: .outcome(.target, "target already has an access token for this scope")
    case .keepAppMeta: .remark(.target, "target already has app metadata for this client")
    case .checkNotFound:
      .obstacle(
        .check, "MSAL would not find the new entries: a bug in adal2msal",
        "report the bug at \(Report.homepage)/issues and attach the report as JSON")
    case .timeFuture:
      .remark(
        .surroundings, "row has a time in the future",
        "check the clock of the device and of this machine", is: .assumption)
    case .coexistenceHiddenClient:
      .remark(
        .surroundings, "MSAL account hides ADAL rows of the same user name from a client",
        "convert that client too, or check that it does not need ADAL's rows")
    case .coexistenceNamelessListing:
      .remark(
        .surroundings, "MSAL may list the account without its identifier",
        "let the app look up its account by identifier, not by user name or in a list")
    case .coexistenceLogout:
      .remark(
        .surroundings, "signing out with ADAL does not sign out of MSAL",
        "check that apps that still use ADAL do not promise a sign-out everywhere")
    case .keychainNoEntitlement:
      .remark(
        .surroundings, "program's entitlements do not name the keychain group",
        "add the keychain group to the program's entitlements and sign it")
    }
  }
}
