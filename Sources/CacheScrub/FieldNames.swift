// SPDX-License-Identifier: MIT

/// Names of fields that ADAL, MSAL, their tokens and the files about them have; others are words like
/// any.
enum FieldNames {
  static func contains(_ name: String) -> Bool { all.contains(name) }

  private static let all = Set(
    """
    aud iss iat nbf exp acct acr acrs aio altsecid amr appid appidacr at_hash auth_time azp azpacr c_hash
    ctry deviceid email family_name given_name group groups hasgroups home_oid idp in_corp ipaddr login_hint
    middle_name name nickname nonce oid onprem_sid platf preferred_username puid pwd_exp pwd_url rh
    roles scp sid signin_state sub tenant_ctry tenant_region_scope tid unique_name upn uti ver verified_primary_email
    verified_secondary_email wids xms_cc xms_edov xms_mirid xms_pdl xms_pl xms_ssm xms_st xms_tcdt xms_tpl
    typ alg kid x5t uid utid at rt id
    access_token refresh_token id_token token_type scope resource expires_in ext_expires_in expires_on
    ext_expires_on extended_expires_on not_before foci client_info error error_description url correlation_id
    AccessToken RefreshToken IdToken Account AppMetadata AccountMetadata
    home_account_id local_account_id environment realm username authority_type client_id credential_type
    secret target cached_at refresh_on family_id requested_claims enrollment_id application_cache_identifier
    alternative_account_id last_modification_time account_metadata_map redirect_uri kid token_endpoint
    sign_in_state authority_map resolved_authority_map version tokenCache tokens idtokens cacheItems
    account_source last_modification_app session_key prt_protocol_version key_id data access_token_type
    RawClientInfo RefreshToken ResourceInResponse Result UserAssertionHash AccessTokenType ExpiresOn
    ExtendedExpiresOn IsMultipleResourceRefreshToken TenantId UserInfo DisplayableId FamilyName GivenName
    IdentityProvider UniqueId PasswordExpiresOn PasswordChangeUrl DateTime OffsetMinutes Exception
    tokenType expiresIn expiresOn accessToken refreshToken resource userId isMRRT _clientId _authority oid
    createdOn tenantId identityProvider givenName familyName isUserIdDisplayable servicePrincipalId
    servicePrincipalTenant certificateFile credentials Contexts TokenCache CacheData
    agrp acct svce gena type pdmn labl desc icmt invi cdat mdat class format version items
    access_control accessible_attribute account alias comment create_date creator custom_icon dataHex
    description entitlement_group generic item_class label modification_date negative script_code
    service protected invisible prot
    authority clientId accessTokenType sessionKey familyId clientInfo homeAccountId enrollmentId
    applicationIdentifier cachedAt additionalServer additionalClient userInformation tombstone rawIdToken
    Key Value
    bundleId errorDetails correlationId protocolCode
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
