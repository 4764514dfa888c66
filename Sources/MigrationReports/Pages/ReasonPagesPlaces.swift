// SPDX-License-Identifier: MIT

extension ReasonPage {
  /// The pages on authorities and resources.
  static let ofPlaces = """
    tenant.mismatch
    The row's authority names one tenant and its ID token names another. So the ID token does not
    prove the home account.
    Why: Normally the two are equal, for guests too. They differ if an app renamed or rewrote its
    rows, or if the directory was moved.
    The app's team: If other rows of the cache identify the account, nothing is lost. Otherwise add
    it to an account map.

    tenant.domain-unresolved
    The row's authority ends in a domain such as `contoso.com`. MSAL stores accounts under a
    tenant's GUID, and without an ID token the GUID is not known. The row was skipped.
    Why: Only the service knows the tenant of a domain, and this tool does not use the network.
    MSAL's fallback does not find the row either, because it looks under the tenant's GUID and under
    `common`.
    The user: Sign in once.

    tenant.common-no-id-token
    The row was acquired through `common` and has no ID token. If its home account id is stored, the
    refresh token is converted with a minimal account. An access token is not carried over.
    Why: MSAL stores access tokens under a tenant's GUID, never under `common`.
    The user: Sign in if the app asks.

    env.unknown-host
    The authority's host is not one of Microsoft's sign-in hosts. The row was skipped.
    Why: MSAL sends a refresh token to the host that it is stored under. A wrong host in a cache
    file could be used to steal it, so only known hosts are accepted unless you allow more.
    The app's team: Look at the host. If it is a sign-in host of your organization or of a new
    cloud, allow it by name.

    env.closed-cloud
    The row belongs to Microsoft Cloud Germany (`login.microsoftonline.de`), which has been closed.
    It was converted unchanged.
    Why: No service redeems its tokens anymore, so MSAL will ask the user to sign in. The entry does
    no harm.
    The app's team: Change the authority in the app's configuration.

    env.port
    The authority's host is followed by a port other than 443. The entries are stored under host and
    port.
    Why: MSAL does the same. Microsoft's clouds do not use other ports. Test systems and proxies do.

    env.reuse-existing
    A cloud has several host names. The target already stores this account under one of them, so the
    new entries use the same one.
    Why: MSAL connects accounts, ID tokens and refresh tokens by the exact host name. The same
    account under two host names could be listed twice.

    env.other-heir
    The document already has entries of this cloud. Their host name is not the one that a new
    document for this library would use. The new entries use the document's host name.
    Why: Entries of one cloud belong under one host name. MSAL for Python lists the accounts of the
    host that the app signs in with, and accounts of other host names only if that host has none.
    Entries under two host names would hide each other.
    The app's team: If another library reads the document, name that library with `--for`.

    authority.malformed
    The row's authority is empty, is not https, or names no tenant. The row was skipped.
    Why: The authority says where the token may be sent. Without a valid one the token is not
    converted.
    The user: Sign in once.

    adfs.unsupported
    The row belongs to an AD FS server that ADAL used directly. The row was skipped.
    Why: MSAL for iOS and macOS does not sign in at AD FS directly, and Microsoft Entra ID does not
    accept AD FS tokens. This does not affect users whose organization federates AD FS with Entra
    ID: their rows are converted as usual.
    The user: Sign in once.
    The app's team: Configure MSAL with a Microsoft Entra authority.
    The administrator: Federate the AD FS server with Microsoft Entra ID.

    b2c.unsupported
    The row belongs to an Azure AD B2C policy. The row was skipped.
    Why: A B2C home account id contains the policy. ADAL for iOS and macOS never supported B2C, so
    there is no known rule for these rows.
    The user: Sign in once.

    resource.trailing-slash
    ADAL asked for a resource that ends in a slash. The scope is the resource with `/.default`
    added, so there are two slashes: `https://example.com//.default`.
    Why: The service compares the audience of a token with the registered resource, including the
    slash. Without it, some web services reject the token.
    The app's team: Use the scope with both slashes, unless you know that the web service accepts
    either form.

    resource.aad-graph-retired
    The row is for Azure AD Graph (`graph.windows.net`). Its refresh token is still useful. The
    access token is not.
    Why: Microsoft has retired Azure AD Graph in favor of Microsoft Graph.
    The app's team: Replace the calls and the scope, and check that the app registration has
    Microsoft Graph's permissions.
    The administrator: Consent to the Microsoft Graph permissions in advance, so that users are not
    asked.

    resource.is-client
    ADAL requested a token whose resource is the app's own client id. The access token is not
    carried over. The refresh token is.
    Why: MSAL requests a token for the app itself in another form, so it would not find the cached
    one.
    The app's team: Use the client id with `/.default` added as the scope.

    resource.drs
    The row is for the device registration service. Its access token is never carried over.
    Why: The broker (Microsoft Authenticator, Company Portal) registers devices and gets its own
    token.

    resource.unusual
    The resource is a URN, an SPN, a URL with a query or some other string. The scope is the
    resource with `/.default` added, as for all others.
    Why: Any string that is registered as an application ID URI is a valid resource. This one could
    not be checked.
    The app's team: Compare the scope with the application ID URI in the web service's registration.
    """
}
