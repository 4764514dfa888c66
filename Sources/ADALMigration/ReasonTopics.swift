// SPDX-License-Identifier: MIT

extension Reason {
  /// Reasons that belong together, under the title that lists of reasons have.
  public struct Topic: Sendable, Hashable {
    /// What the reasons are about.
    public var title: String
    /// The reasons, in reading order.
    public var reasons: [Reason]
  }

  /// Every reason once, by topic, in reading order.
  public static let topics: [Topic] = [
    Topic(
      title: "Converted",
      reasons: [
        .okMRRT, .okFRT, .okFRTMember, .okAT, .okIDTokenV1, .okIDTokenV2, .okAccount, .okAppMeta,
        .unifiedCarried,
      ]),
    Topic(
      title: "Where the home account id comes from",
      reasons: [
        .homeExact, .homeCommonAuthority, .homeTenantMember, .homeJoined, .homeNonGUID,
        .homeClaimsDisagree,
      ]),
    Topic(
      title: "Why there is no home account id",
      reasons: [
        .homeGuestUnresolved, .homeMSAGuest, .homeMSAUnknown, .homeNoIDToken, .homeEmptyUser,
        .homeUsernameOnly, .homeNoOID,
      ]),
    Topic(
      title: "The account map",
      reasons: [
        .mapAmbiguous, .mapContradictsStored, .mapUnused,
      ]),
    Topic(
      title: "Names and people",
      reasons: [
        .userKeyClaimsDiffer, .userNonDisplayable, .accountRenamed, .accountSignedOut,
        .accountMinimal, .accountClaimsLater, .accountAliasCopy, .clientInfoSynthesised,
        .multiAccountsCreated,
      ]),
    Topic(
      title: "Conflicts",
      reasons: [
        .conflictSameUPN, .conflictHomeID, .conflictTargetMultiple, .targetCorrupt,
        .targetTypeClash,
      ]),
    Topic(
      title: "Authority, tenant, cloud",
      reasons: [
        .tenantMismatch, .tenantDomainUnresolved, .tenantCommonNoIDToken, .envUnknownHost,
        .envClosedCloud, .envPort, .envReuseExisting, .authorityMalformed, .adfsUnsupported,
        .b2cUnsupported,
      ]),
    Topic(
      title: "Resources",
      reasons: [
        .resourceTrailingSlash, .resourceAADGraphRetired, .resourceIsClient, .resourceDRS,
        .resourceUnusual,
      ]),
    Topic(
      title: "Access tokens",
      reasons: [
        .atNotCarried, .atExpired, .atScopeShape, .atNoIDToken, .atForeignType, .atSuperseded,
      ]),
    Topic(
      title: "Refresh tokens",
      reasons: [
        .rtDuplicate, .rtSingleSuperseded, .rtSingleResource, .rtMissing, .rtPossiblyStale,
        .rtTombstone, .rtPRT, .rtSessionKey, .rtBroker, .rtFRTNoClient, .rtFRTForeign,
        .rtFRTDiverged, .rtMalformed,
      ]),
    Topic(
      title: "Rows",
      reasons: [
        .rowEmpty, .rowUnknownClass, .rowUndecodable,
      ]),
    Topic(
      title: "ID tokens",
      reasons: [
        .idTokenMalformed, .idTokenNoTID, .idTokenSuperseded, .idTokenCompat,
      ]),
    Topic(
      title: "Clients and families",
      reasons: [
        .clientNotInSet, .clientChanged, .policyMatchesNothing, .appMetaFamilyConflict,
        .familyUnknown,
      ]),
    Topic(
      title: "What the target already holds",
      reasons: [
        .keepIdentical, .keepTargetNewer, .keepTargetOlder, .keepAccount, .keepIDToken, .keepAT,
        .keepAppMeta,
      ]),
    Topic(
      title: "The check before writing",
      reasons: [.checkNotFound]),
    Topic(
      title: "Surroundings",
      reasons: [
        .timeFuture, .coexistenceHiddenClient, .coexistenceNamelessListing, .coexistenceLogout,
        .keychainNoEntitlement, .keychainGroupMismatch,
      ]),
  ]

  /// What is to be said about the reason, on every page and in every list.
  var text: ReasonText {
    switch self {
    case .okMRRT: .okMRRT
    case .okFRT: .okFRT
    case .okFRTMember: .okFRTMember
    case .okAT: .okAT
    case .okIDTokenV1: .okIDTokenV1
    case .okIDTokenV2: .okIDTokenV2
    case .okAccount: .okAccount
    case .okAppMeta: .okAppMeta
    case .unifiedCarried: .unifiedCarried
    case .homeExact: .homeExact
    case .homeCommonAuthority: .homeCommonAuthority
    case .homeTenantMember: .homeTenantMember
    case .homeJoined: .homeJoined
    case .homeNonGUID: .homeNonGUID
    case .homeClaimsDisagree: .homeClaimsDisagree
    case .homeGuestUnresolved: .homeGuestUnresolved
    case .homeMSAGuest: .homeMSAGuest
    case .homeMSAUnknown: .homeMSAUnknown
    case .homeNoIDToken: .homeNoIDToken
    case .homeEmptyUser: .homeEmptyUser
    case .homeUsernameOnly: .homeUsernameOnly
    case .homeNoOID: .homeNoOID
    case .mapAmbiguous: .mapAmbiguous
    case .mapContradictsStored: .mapContradictsStored
    case .mapUnused: .mapUnused
    case .userKeyClaimsDiffer: .userKeyClaimsDiffer
    case .userNonDisplayable: .userNonDisplayable
    case .accountRenamed: .accountRenamed
    case .accountSignedOut: .accountSignedOut
    case .accountMinimal: .accountMinimal
    case .accountClaimsLater: .accountClaimsLater
    case .accountAliasCopy: .accountAliasCopy
    case .clientInfoSynthesised: .clientInfoSynthesised
    case .multiAccountsCreated: .multiAccountsCreated
    case .conflictSameUPN: .conflictSameUPN
    case .conflictHomeID: .conflictHomeID
    case .conflictTargetMultiple: .conflictTargetMultiple
    case .targetCorrupt: .targetCorrupt
    case .targetTypeClash: .targetTypeClash
    case .tenantMismatch: .tenantMismatch
    case .tenantDomainUnresolved: .tenantDomainUnresolved
    case .tenantCommonNoIDToken: .tenantCommonNoIDToken
    case .envUnknownHost: .envUnknownHost
    case .envClosedCloud: .envClosedCloud
    case .envPort: .envPort
    case .envReuseExisting: .envReuseExisting
    case .authorityMalformed: .authorityMalformed
    case .adfsUnsupported: .adfsUnsupported
    case .b2cUnsupported: .b2cUnsupported
    case .resourceTrailingSlash: .resourceTrailingSlash
    case .resourceAADGraphRetired: .resourceAADGraphRetired
    case .resourceIsClient: .resourceIsClient
    case .resourceDRS: .resourceDRS
    case .resourceUnusual: .resourceUnusual
    case .atNotCarried: .atNotCarried
    case .atExpired: .atExpired
    case .atScopeShape: .atScopeShape
    case .atNoIDToken: .atNoIDToken
    case .atForeignType: .atForeignType
    case .atSuperseded: .atSuperseded
    case .rtDuplicate: .rtDuplicate
    case .rtSingleSuperseded: .rtSingleSuperseded
    case .rtSingleResource: .rtSingleResource
    case .rtMissing: .rtMissing
    case .rtPossiblyStale: .rtPossiblyStale
    case .rtTombstone: .rtTombstone
    case .rtPRT: .rtPRT
    case .rtSessionKey: .rtSessionKey
    case .rtBroker: .rtBroker
    case .rtFRTNoClient: .rtFRTNoClient
    case .rtFRTForeign: .rtFRTForeign
    case .rtFRTDiverged: .rtFRTDiverged
    case .rtMalformed: .rtMalformed
    case .rowEmpty: .rowEmpty
    case .rowUnknownClass: .rowUnknownClass
    case .rowUndecodable: .rowUndecodable
    case .idTokenMalformed: .idTokenMalformed
    case .idTokenNoTID: .idTokenNoTID
    case .idTokenSuperseded: .idTokenSuperseded
    case .idTokenCompat: .idTokenCompat
    case .clientNotInSet: .clientNotInSet
    case .clientChanged: .clientChanged
    case .policyMatchesNothing: .policyMatchesNothing
    case .appMetaFamilyConflict: .appMetaFamilyConflict
    case .familyUnknown: .familyUnknown
    case .keepIdentical: .keepIdentical
    case .keepTargetNewer: .keepTargetNewer
    case .keepTargetOlder: .keepTargetOlder
    case .keepAccount: .keepAccount
    case .keepIDToken: .keepIDToken
    case .keepAT: .keepAT
    case .keepAppMeta: .keepAppMeta
    case .checkNotFound: .checkNotFound
    case .timeFuture: .timeFuture
    case .coexistenceHiddenClient: .coexistenceHiddenClient
    case .coexistenceNamelessListing: .coexistenceNamelessListing
    case .coexistenceLogout: .coexistenceLogout
    case .keychainNoEntitlement: .keychainNoEntitlement
    case .keychainGroupMismatch: .keychainGroupMismatch
    }
  }
}
