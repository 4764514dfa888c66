// SPDX-License-Identifier: MIT

extension ReasonPage {
  /// The pages on what was converted and on access, refresh and ID tokens.
  static let ofTokens = """
    ok.mrrt
    ADAL stored this refresh token without a resource, so it works for every resource that the user
    has consented to. It was also stored where MSAL looks for it: under the home account id, the
    cloud and the client id.
    Why: MSAL looks up refresh tokens by account and client, never by tenant or resource. So one
    token serves every tenant that the user works in. The first silent call redeems it and stores
    the answer in MSAL's own form.
    The app's team: Keep the app registration and its client id. A refresh token works only for the
    client that it was issued to.

    ok.frt
    ADAL stored a refresh token that all apps of a Microsoft client family share, under a name such
    as `foci-1`. It was also stored under the family where MSAL looks for it.
    Why: MSAL tries the family's token if a client has no refresh token of its own and its app
    metadata does not exclude it from every family.

    ok.frt-member
    The refresh token belongs to a client that is in a family. It was stored twice: under the client
    and under the family. The client's app metadata names the family.
    Why: MSAL does the same when the service answers with a family id. A second app of the family
    uses the second copy.

    ok.at
    The access token is valid for at least five more minutes, so it was carried over. Its scope is
    the resource with `/.default` added.
    Why: With it, the first silent call after the update needs no network. MSAL compares scopes as
    strings, so only that exact scope finds the token; `User.Read`, for example, does not. An
    extended lifetime of ADAL's is carried over too.
    The app's team: Request the scope that the report names. A request with other scopes also works:
    MSAL then uses the refresh token.

    ok.idtoken.v1
    ADAL's ID token was carried over unchanged, one for each account, client and tenant.
    Why: MSAL returns a cached access token only if there is an ID token of the same tenant, and
    takes the account's claims from it. It also reads tokens of the v1 endpoint, which ADAL used.
    MSAL checks neither the signature nor the expiry of a cached ID token.

    ok.idtoken.v2
    The ID token of the v2 endpoint was carried over unchanged, one for each account, client and
    tenant.
    Why: MSAL returns a cached access token only if there is an ID token of the same tenant, and
    takes the account's claims from it.

    ok.account
    An account entry was written for a tenant in which the user has tokens. MSAL computes the same
    user name from the ID token.
    Why: MSAL lists an account if it finds an account entry and a refresh token with the same home
    account id. There is one entry per tenant. Together they are one account with several tenant
    profiles.
    The app's team: Save the account's identifier (`homeAccountId` in the report) where the app
    saved ADAL's user id. User names change, but the identifier does not.

    ok.appmeta
    The client's app metadata was written. It says whether the client is in a family.
    Why: Without it, MSAL assumes that the client may be in family 1 and lists every account of
    Microsoft's apps in the keychain group.

    unified.carried
    The source has entries that are already in MSAL's form. ADAL 2.7 or later, or MSAL itself, wrote
    them. They were carried over without changing their spelling.
    Why: They are the newest and most certain evidence. If an ADAL row and such an entry give the
    same credential, the entry wins.

    at.not-carried
    Access tokens were switched off, or MSAL would not look for this one: its resource is the client
    itself or device registration, or it has no resource.
    Why: MSAL gets a new access token with the refresh token. This costs one request.

    at.expired
    The access token has less than five minutes left, so it was not carried over.
    Why: MSAL treats an access token as expired five minutes before its end.

    at.scope-shape
    The resource contains white space, so with `/.default` added it would be several scopes. The
    access token was not carried over.
    Why: MSAL splits scopes at white space and would never find the token.

    at.no-idtoken
    The row's ID token is missing, is unreadable or names no tenant, or the target has an unreadable
    one for the same account, client and tenant. The access token was not carried over.
    Why: MSAL stores access tokens under the tenant, which only the ID token proves. It returns a
    cached access token only if there is an ID token of the same tenant.

    at.foreign-type
    The access token has another type than `Bearer`; for example it is bound to a key. It was not
    carried over.
    Why: Such a token is useless without its key, and the key is not in the cache.

    at.superseded
    There are several access tokens for one account, client, tenant and scope. The one that expires
    last was carried.
    Why: MSAL looks only at the first token that it finds, even if that token has expired.

    rt.duplicate
    ADAL stored several refresh tokens for the same account and client, one for each authority. MSAL
    stores one. The newest was converted instead of this one.
    Why: Each of them works for all tenants, and the service does not revoke an older one when it
    issues a newer one. The newest lasts longest. ADAL's row is unchanged.

    rt.single-superseded
    This row's refresh token was issued for one resource. The same account and client also have one
    for every resource, and that one was converted.
    Why: MSAL stores one refresh token per account and client.

    rt.single-resource
    ADAL stored this refresh token together with an access token for one resource, and there is no
    refresh token for every resource. It was still converted.
    Why: The service may reject it for other resources. The user then has to sign in, as without a
    migration.
    The user: Sign in if the app asks.
    The app's team: Make the first silent call with the scope that the report names for the row.

    rt.missing
    The cache has an access token of this account and client, but no refresh token that can be
    converted. Nothing was written.
    Why: MSAL does not list an account that has no refresh token, so it would not find the access
    token. The access token would expire within the hour.
    The user: Sign in once.

    rt.possibly-stale
    The newest date of this refresh token is more than 90 days old. It was still converted.
    Why: By default a refresh token expires after 90 days without use. Only the service knows
    whether this one has.
    The user: Sign in if the app asks.

    rt.tombstone
    ADAL replaced the refresh token with a note that the service rejected it. There is nothing to
    convert.
    Why: The password was changed, the session was revoked, or a policy was applied. ADAL keeps such
    notes for thirty days, to explain a failed silent call.
    The user: Sign in if the app asks.

    rt.prt
    The row is the primary refresh token of a broker app, which uses it to sign the user in to other
    apps. The row was skipped.
    Why: It is bound to the device. On a device with a broker (Microsoft Authenticator, Company
    Portal), MSAL asks the broker and does not need the row.

    rt.session-key
    The row has a session key: requests with this refresh token must be signed. The row was skipped.
    Why: MSAL's cache has no place for a session key, and the key may not leave the device.
    The user: Sign in if the app asks.

    rt.broker
    The row is in a keychain group of a broker app (Microsoft Authenticator, Company Portal). The
    row was skipped.
    Why: The broker has its own cache and moves it to new formats itself.

    rt.frt-no-client
    The cache has a family's refresh token, but no row says which client it was issued to. MSAL's
    entry needs a client id, so nothing was written.
    Why: Only Microsoft's own apps are in a family.
    The app's team: If the app is in the family, name it with `--client-id`.

    rt.frt-foreign
    The keychain group has a family's refresh token, and the selected client is not in that family.
    The row was skipped.
    Why: Only Microsoft's own apps are in a family. Another client cannot redeem its token.

    rt.frt-diverged
    The family and the client have different refresh tokens: one was renewed after the other. Each
    was converted in its own place.
    Why: Both work until the service rejects them. MSAL tries the client's first and then the
    family's.

    rt.malformed
    The stored refresh token is not text that can be sent to the service. The row was skipped.
    Why: ADAL stored tokens as text. The row was damaged, or another program wrote it.
    The user: Sign in once.

    idtoken.malformed
    The row's ID token is not a JSON web token. It was not carried over, and it does not identify
    the account.
    Why: MSAL would show the account without claims. If the home account id is known from another
    source, the refresh token is converted.
    The user: Sign in if the app asks.

    idtoken.no-tid
    The row's ID token has no `tid`. It was not carried over.
    Why: MSAL stores ID tokens under the tenant. AD FS and very old answers of the service omit it.
    The user: Sign in if the app asks.

    idtoken.superseded
    Several rows have an ID token for one account, client and tenant. The one that was issued last
    was carried over.
    Why: MSAL stores one, and the newest has the current name.
    """
}
