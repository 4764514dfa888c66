// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on authorities and resources.
  static let ofPlaces: [Reason: ReasonPage] = [
    .tenantMismatch: ReasonPage(
      happened: """
        The row's authority names one tenant and its ID token another. The ID token is not taken as
        proof of the home account.
        """,
      because: """
        Normally the two are equal, for guests too. They differ when an app renamed or rewrote its
        rows, or when the directory was moved.
        """,
      team: """
        If the person is found elsewhere in the cache nothing is lost. Otherwise an account map
        settles it.
        """),

    .tenantDomainUnresolved: ReasonPage(
      happened: """
        The row's authority ends in a domain such as `contoso.com`. MSAL files accounts under a
        tenant's GUID, and without an ID token the GUID is not known. The row was left as it is.
        """,
      because: """
        Finding the tenant of a domain takes a question to the service, and this tool asks nobody.
        MSAL's own reading of ADAL's rows does not find it either, since it looks under the tenant's
        GUID and under `common`.
        """,
      person: "Sign in once."),

    .tenantCommonNoIDToken: ReasonPage(
      happened: """
        The row was acquired through `common` and has no ID token. If its home account id is stored,
        the refresh token is converted with a minimal account; an access token is not carried.
        """,
      because: "MSAL files access tokens under a tenant's GUID, never under `common`.",
      person: "Sign in if the app asks."),

    .envUnknownHost: ReasonPage(
      happened: """
        The authority's host is none of Microsoft's sign-in hosts, so the row was left as it is.
        """,
      because: """
        A refresh token is sent to the host that it is filed under. A wrong host in a cache file
        would be a way to steal it, so only known hosts are accepted unless you say otherwise.
        """,
      team: """
        Look at the host. If it is a sign-in host of your organisation or of a new cloud, allow it by
        name.
        """),

    .envClosedCloud: ReasonPage(
      happened: """
        The row is of Microsoft Cloud Germany (`login.microsoftonline.de`), which has been closed. It
        was converted as it is.
        """,
      because: """
        Nobody redeems its tokens any more, so MSAL will ask the person to sign in. The entry does no
        harm.
        """,
      team: "Change the authority that the app is configured with."),

    .envPort: ReasonPage(
      happened: """
        The authority's host is followed by a port other than 443. The port is kept as part of the
        host under which the entries are filed.
        """,
      because: """
        MSAL does the same. Microsoft's clouds do not use other ports; test systems and proxies do.
        """),

    .envReuseExisting: ReasonPage(
      happened: """
        A cloud has several host names. The target already files this account under one of them, so
        the new entries use the same.
        """,
      because: """
        MSAL joins accounts, ID tokens and refresh tokens by the exact host name. The same account
        under two of them could be listed twice.
        """),

    .envOtherHeir: ReasonPage(
      happened: """
        The document has entries of this cloud already. They are under another of its host names than
        a fresh document for that library would have, and the new entries are under the same as they.
        """,
      because: """
        Entries of one cloud belong under one host name. MSAL for Python lists the accounts of the host
        that the app signs in with, and those of other names only where that host has none: entries
        under two names would hide each other.
        """,
      team: "Name another library with `--for`, or none, if that one does not read the document."),

    .authorityMalformed: ReasonPage(
      happened: """
        The row's authority is empty, is not https, or names no tenant. The row was left as it is.
        """,
      because: """
        Where the token may be sent is not known for certain, so it is not prepared for sending.
        """,
      person: "Sign in once."),

    .adfsUnsupported: ReasonPage(
      happened:
        "The row is of an AD FS server, which ADAL talked to directly. It was left as it is.",
      because: """
        MSAL for iOS and macOS does not sign in at AD FS directly, and what AD FS issued is of no use
        to Microsoft Entra ID. People whose organisation federates AD FS with Entra ID are not meant:
        their rows are converted like all others.
        """,
      person: "Sign in once.",
      team: "Configure MSAL with a Microsoft Entra authority.",
      administrator: "Federate the AD FS server with Microsoft Entra ID if that has not been done."),

    .b2cUnsupported: ReasonPage(
      happened: "The row is of an Azure AD B2C policy. It was left as it is.",
      because: """
        B2C accounts have a home account id that contains the policy, and ADAL for iOS and macOS
        never supported B2C, so there is no rule to go by.
        """,
      person: "Sign in once."),

    .resourceTrailingSlash: ReasonPage(
      happened: """
        ADAL asked for a resource that ends in a slash. The scope is the resource with `/.default`
        added, so there are two slashes: `https://example.com//.default`.
        """,
      because: """
        The service compares the audience of a token with the resource as it was registered, slash
        included. Removing one gives tokens that some web services refuse.
        """,
      team: "Use the scope with both slashes unless you know that the web service accepts either."),

    .resourceAADGraphRetired: ReasonPage(
      happened: """
        The row is for Azure AD Graph (`graph.windows.net`). Its refresh token is as good as any
        other; the access token will be of no use.
        """,
      because: "Azure AD Graph has been retired in favour of Microsoft Graph.",
      team: """
        Replace the calls and the scope, and check that Microsoft Graph's permissions are on the app
        registration.
        """,
      administrator: """
        Consent to the Microsoft Graph permissions in advance, so that nobody is asked.
        """),

    .resourceIsClient: ReasonPage(
      happened: """
        ADAL asked for a token whose resource is the app's own client id. The access token is not
        carried; the refresh token is.
        """,
      because: """
        In MSAL a token for the app itself is asked for in another form, so the cached one would not
        be found.
        """,
      team: "Use the client id with `/.default` added as the scope."),

    .resourceDRS: ReasonPage(
      happened:
        "The row is for the device registration service. Its access token is never carried.",
      because: """
        Registering a device is the business of the broker (Microsoft Authenticator, Company Portal),
        which gets its own token.
        """),

    .resourceUnusual: ReasonPage(
      happened: """
        The resource is a URN, an SPN, a URL with a query or some other string. The scope is the
        resource with `/.default` added, as for all others.
        """,
      because: """
        Any string that is registered as an application id URI is a valid resource, so nothing is
        wrong; it only could not be checked.
        """,
      team: "Compare the scope with the application id URI of the web service's registration."),
  ]
}
