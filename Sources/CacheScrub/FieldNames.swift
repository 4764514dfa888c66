// SPDX-License-Identifier: MIT
import ADALCache

extension Vocabulary {
  /// Names of fields that ADAL, MSAL, their tokens and the files about them have; others are words like
  /// any.
  static let fieldNames = Set(
    words: """
      aud iss iat nbf exp acct acr acrs aio altsecid amr appid appidacr at_hash auth_time azp azpacr
      c_hash ctry deviceid email family_name given_name group groups hasgroups home_oid idp in_corp
      ipaddr login_hint middle_name name nickname nonce oid onprem_sid platf preferred_username puid
      pwd_exp pwd_url rh roles scp sid signin_state sub tenant_ctry tenant_region_scope tid
      unique_name upn uti ver verified_primary_email verified_secondary_email wids xms_cc xms_edov
      xms_mirid xms_pdl xms_pl xms_ssm xms_st xms_tcdt xms_tpl typ alg kid x5t uid utid at rt id
      access_token refresh_token id_token token_type scope expires_in ext_expires_in expires_on
      ext_expires_on extended_expires_on not_before foci client_info error error_description url
      correlation_id AccessToken RefreshToken IdToken Account AppMetadata AccountMetadata
      home_account_id local_account_id environment realm username authority_type client_id
      credential_type secret target cached_at refresh_on family_id requested_claims enrollment_id
      application_cache_identifier alternative_account_id last_modification_time account_metadata_map
      redirect_uri token_endpoint sign_in_state authority_map resolved_authority_map version
      tokenCache tokens idtokens cacheItems account_source last_modification_app session_key
      prt_protocol_version key_id data access_token_type RawClientInfo ResourceInResponse Result
      UserAssertionHash AccessTokenType ExpiresOn ExtendedExpiresOn IsMultipleResourceRefreshToken
      TenantId UserInfo DisplayableId FamilyName GivenName IdentityProvider UniqueId
      PasswordExpiresOn PasswordChangeUrl DateTime OffsetMinutes Exception tokenType expiresIn isMRRT
      _clientId _authority createdOn tenantId identityProvider givenName familyName
      isUserIdDisplayable servicePrincipalId servicePrincipalTenant certificateFile credentials
      Contexts TokenCache CacheData agrp svce gena type pdmn labl desc icmt invi cdat mdat class
      format items access_control accessible_attribute account alias comment create_date creator
      custom_icon dataHex description entitlement_group generic item_class label modification_date
      negative script_code service protected invisible prot additionalClient Key Value bundleId
      errorDetails correlationId protocolCode
      """
  ).union(ItemField.allCases.map(\.name))

  /// Whether ADAL, MSAL or the archiver uses this name in an archive: for a field, a class, or an archived type.
  static func isOfArchive(_ name: String) -> Bool {
    archiveWords.contains(name) || fieldNames.contains(name) || isPositional(name)
  }

  /// Whether it is the archiver's name for the nth value of an object, such as `NS.object.0`.
  private static func isPositional(_ name: String) -> Bool {
    ["NS.object.", "$"].contains { start in
      let digits = name.utf8.dropFirst(start.utf8.count)
      return name.hasPrefix(start) && (1...3).contains(digits.count)
        && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  static let archiveWords = Set(
    words: """
      $null $class $classes $classname $classhints $version $archiver $top $objects root NS.string
      NS.bytes NS.data NS.time NS.keys NS.objects NS.relative NS.base NS.number NS.boolval NS.intval
      NS.dblval NS.special NS.uuidbytes NSKeyedArchiver NSObject NSString NSMutableString NSDate
      NSDictionary NSMutableDictionary NSArray NSMutableArray NSSet NSMutableSet NSData NSMutableData
      NSNumber NSNull NSURL NSUUID ADTokenCacheStoreItem ADTokenCacheItem ADBrokerPRTCacheItem
      ADTokenCacheKey ADTokenCacheStoreKey ADUserInformation ADALUserInformation MSIDUserInformation
      ADUserIdentifier ADDefaultTokenCacheStorePersistance MSIDCredentialCacheItem MSIDCacheKey
      MSIDCacheItem MSIDLegacyTokenCacheItem MSIDLegacyTokenCacheKey MSIDBaseToken
      MSIDLegacyAccessToken MSIDLegacyRefreshToken MSIDLegacySingleResourceToken
      MSIDPrimaryRefreshToken ADTokenCacheAccessor ADFamilyIdToken userIdDisplayable allClaims
      upperVersion lowerVersion cache extendedExpiresOn
      """)
}
