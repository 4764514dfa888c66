// SPDX-License-Identifier: MIT

extension TokenCacheMigration {
  /// The reason why a row or its tokens were converted, were skipped, or need your attention.
  ///
  /// ``summary`` explains each reason. A raw value is a promise: the JSON report, SARIF's `ruleId`, `adal2msal explain`
  /// and Documentation/reasons.md use it, and it does not change within a major version. A minor version may add cases,
  /// so a `switch` over reasons needs a `default`. A finding has the severity: it depends on the affected account.
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
      homeNoOID = "home.no-oid", homeBelowMinimum = "home.below-minimum"

    case mapContradictsStored = "map.contradicts-stored", mapUnused = "map.unused",
      mapUnfilled = "map.unfilled"

    case userKeyClaimsDiffer = "user.key-claims-differ",
      userNonDisplayable = "user.non-displayable", accountRenamed = "account.renamed",
      accountSignedOut = "account.signed-out", accountMinimal = "account.minimal",
      accountClaimsLater = "account.claims-later", accountAliasCopy = "account.alias-copy",
      clientInfoSynthesised = "client-info.synthesised",
      multiAccountsCreated = "multi.accounts-created"

    case conflictSameUPN = "conflict.same-upn", conflictHomeID = "conflict.home-id",
      conflictTargetMultiple = "conflict.target-multiple", targetCorrupt = "target.corrupt",
      targetTypeClash = "target.type-clash", targetNoAccount = "target.nobody"

    case tenantMismatch = "tenant.mismatch", tenantDomainUnresolved = "tenant.domain-unresolved",
      tenantCommonNoIDToken = "tenant.common-no-id-token", envUnknownHost = "env.unknown-host",
      envClosedCloud = "env.closed-cloud", envPort = "env.port",
      envReuseExisting = "env.reuse-existing", envOtherReader = "env.other-heir",
      authorityMalformed =
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
      rowOnBehalfOf = "row.on-behalf-of", rowServicePrincipal = "row.service-principal",
      sourceCutOff = "source.cut-off"

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
}
