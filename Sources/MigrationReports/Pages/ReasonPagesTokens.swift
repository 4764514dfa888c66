// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on what was converted and on access, refresh and ID tokens.
  static let ofTokens: [Reason: ReasonPage] = [
    .okMRRT: ReasonPage(
      happened: """
        ADAL kept this refresh token without a resource of its own, which means that it is good for
        every resource the person has consented to. It is now also filed where MSAL looks for it:
        under the home account id, the cloud and the client id.
        """,
      because: """
        MSAL looks refresh tokens up by account and client, never by tenant or resource, so one is
        enough for every tenant that the person works in. The first silent call redeems it at the
        token endpoint and keeps what comes back in MSAL's own form.
        """,
      team: """
        Keep the app registration and its client id: a refresh token is good for the client that it
        was issued to and for no other.
        """),

    .okFRT: ReasonPage(
      happened: """
        ADAL kept a refresh token that all apps of a Microsoft client family share, under a name such
        as `foci-1`. It is now also filed under the family where MSAL looks for it.
        """,
      because: """
        When a client has no refresh token of its own, and its app metadata does not say that it is
        outside every family, MSAL tries the family's.
        """),

    .okFRTMember: ReasonPage(
      happened: """
        The refresh token belongs to a client that is in a family. It is filed twice: under the
        client and under the family. The client's app metadata names the family.
        """,
      because: """
        MSAL's own writer does the same when the service answers with a family id; a second app of
        the family finds its way in through the second copy.
        """),

    .okAT: ReasonPage(
      happened: """
        The access token is still good for at least five minutes, so it is carried over. Its scope is
        the resource with `/.default` added.
        """,
      because: """
        With it the first silent call after the update needs no token endpoint. MSAL compares scopes
        as strings, so it is found by exactly that scope and not by, for example, `User.Read`. ADAL's
        extended lifetime, where there was one, is carried too.
        """,
      team: """
        Ask for the scope that the report names. A request with other scopes is not wrong: MSAL then
        uses the refresh token.
        """),

    .okIDTokenV1: ReasonPage(
      happened: """
        The ID token that came with ADAL's tokens is carried over as it is, one for each account,
        client and tenant.
        """,
      because: """
        MSAL hands out a cached access token only when an ID token of the same tenant lies beside it,
        and takes the account's claims from it. It reads tokens of the v1 endpoint, which ADAL used,
        as well. Neither signature nor expiry of a cached ID token is checked.
        """),

    .okIDTokenV2: ReasonPage(
      happened: """
        The ID token is of the v2 endpoint and is carried over as it is, one for each account, client
        and tenant.
        """,
      because: """
        MSAL hands out a cached access token only when an ID token of the same tenant lies beside it,
        and takes the account's claims from it.
        """),

    .okAccount: ReasonPage(
      happened: """
        An account entry was written for a tenant that the person has tokens of. Its user name is the
        one that MSAL computes from the ID token.
        """,
      because: """
        MSAL lists an account when it finds both an account entry and a refresh token with the same
        home account id. There is one entry for each tenant; together they are one account with
        several tenant profiles.
        """,
      team: """
        Save the account's identifier (`homeAccountId` in the report) where the app saved ADAL's user
        id. User names change, the identifier does not.
        """),

    .okAppMeta: ReasonPage(
      happened: "An entry that says whether the client belongs to a family was written.",
      because: """
        Without it MSAL assumes that the client may be in family 1, and lists every account of
        Microsoft's apps in the keychain group.
        """),

    .unifiedCarried: ReasonPage(
      happened: """
        The source holds entries that are in MSAL's form already: ADAL 2.7 and later wrote them for
        MSAL's benefit, or MSAL itself did. They were carried into the target without changing their
        spelling.
        """,
      because: """
        They are the newest and the most certain evidence there is, so where an ADAL row and such an
        entry give the same credential, the entry wins.
        """),

    .atNotCarried: ReasonPage(
      happened: """
        Either access tokens were not asked for, or MSAL would not look for this one: its resource is
        the client itself or device registration, or it has no resource.
        """,
      because: "MSAL gets a new access token with the refresh token, so this costs one request."),

    .atExpired: ReasonPage(
      happened: "The access token has less than five minutes left, so it is not carried.",
      because: "Five minutes before the end MSAL treats an access token as expired."),

    .atScopeShape: ReasonPage(
      happened: """
        The resource contains white space, so with `/.default` added it would be several scopes. The
        access token is not carried.
        """,
      because: "MSAL splits scopes at white space and would never find the token."),

    .atNoIDToken: ReasonPage(
      happened: """
        The row's ID token is missing, cannot be read or names no tenant; or the target holds one of
        the same account, client and tenant that cannot be read. The access token is not carried.
        """,
      because: """
        MSAL files access tokens under the tenant, which only the ID token tells for certain, and
        hands a cached one out only when an ID token of the same tenant is there.
        """),

    .atForeignType: ReasonPage(
      happened: """
        The access token is of another type than `Bearer`; for example it is bound to a key. It is
        not carried.
        """,
      because: "Without its key such a token is of no use, and the key is not in the cache."),

    .atSuperseded: ReasonPage(
      happened: """
        There are several access tokens for one account, client, tenant and scope. The one that
        expires last was carried.
        """,
      because: """
        MSAL looks at the first token that it finds. If that has expired, it does not look further.
        """),

    .rtDuplicate: ReasonPage(
      happened: """
        ADAL kept several refresh tokens for the same account and client, one for each authority.
        MSAL has place for one. Another was taken: the newest one.
        """,
      because: """
        Each is good for all tenants, and an older one is not revoked when a newer one is issued; the
        newest lasts longest. ADAL's row stays as it is.
        """),

    .rtSingleSuperseded: ReasonPage(
      happened: """
        This row's refresh token was issued for one resource. The same account and client have one
        for every resource, and that was taken.
        """,
      because: "MSAL has place for one refresh token for each account and client."),

    .rtSingleResource: ReasonPage(
      happened: """
        ADAL stored this refresh token together with an access token for one resource, and there is
        no refresh token for every resource. It was converted all the same.
        """,
      because: """
        The service may refuse it for other resources. If it does, the person has to sign in, which
        they would have to do without it as well.
        """,
      person: "Sign in if the app asks.",
      team: "Make the first silent call with the scope that the report names for the row."),

    .rtMissing: ReasonPage(
      happened: """
        The cache has an access token of this account and client, but no refresh token that can be
        converted. Nothing was written for it.
        """,
      because: """
        MSAL does not list an account that has no refresh token, so the access token would not be
        found, and it would be gone within the hour.
        """,
      person: "Sign in once."),

    .rtPossiblyStale: ReasonPage(
      happened: """
        The newest trace of this refresh token is more than 90 days old. It was converted all the
        same.
        """,
      because: """
        By default a refresh token ends after 90 days without use, and only the service knows whether
        this one has.
        """,
      person: "Sign in if the app asks."),

    .rtTombstone: ReasonPage(
      happened: """
        ADAL replaced the refresh token with a note that the service had refused it. There is nothing
        to convert.
        """,
      because: """
        The password was changed, the session was revoked, or a policy applied. ADAL keeps such notes
        for thirty days, to tell why a silent call fails.
        """,
      person: "Sign in if the app asks."),

    .rtPRT: ReasonPage(
      happened: """
        The row is a primary refresh token, which a broker app uses to sign in for all others. It was
        left as it is.
        """,
      because: """
        It is bound to the device. On a device with a broker (Microsoft Authenticator, Company
        Portal) MSAL asks the broker and does not need the row.
        """),

    .rtSessionKey: ReasonPage(
      happened: """
        The row has a session key: requests with this refresh token have to be signed. It was left as
        it is.
        """,
      because: """
        MSAL has no place for a session key in its own cache, and the key may not leave the device.
        """,
      person: "Sign in if the app asks."),

    .rtBroker: ReasonPage(
      happened: """
        The row is in a keychain group of a broker app (Microsoft Authenticator, Company Portal). It
        was left as it is.
        """,
      because: "The broker keeps its own cache and moves it to new formats itself."),

    .rtFRTNoClient: ReasonPage(
      happened: """
        The cache has a family's refresh token, but nothing says which client it was issued to.
        MSAL's entry needs a client id, so nothing was written.
        """,
      because: "Only Microsoft's own apps are in a family.",
      team: "If the app is in the family, name it with `--client-id`."),

    .rtFRTForeign: ReasonPage(
      happened: """
        The keychain group holds a family's refresh token, and the client asked for is not in that
        family. It was left as it is.
        """,
      because: "Only Microsoft's own apps are in a family. Another client cannot redeem its token."),

    .rtFRTDiverged: ReasonPage(
      happened: """
        The family and the client have different refresh tokens: one was renewed after the other.
        Each was converted in its place.
        """,
      because: """
        Both are good until the service says otherwise. MSAL tries the client's first and then the
        family's.
        """),

    .rtMalformed: ReasonPage(
      happened: """
        What is stored as the refresh token is not text that could be sent to the service. The row
        was left as it is.
        """,
      because: "ADAL stored tokens as text. The row was damaged, or another program wrote it.",
      person: "Sign in once."),

    .idTokenMalformed: ReasonPage(
      happened: """
        The row's ID token is not a JSON web token. It is not carried, and it says nothing about
        whose row it is.
        """,
      because: """
        MSAL would show the account without claims. If the home account id is known from elsewhere,
        the refresh token is converted.
        """,
      person: "Sign in if the app asks."),

    .idTokenNoTID: ReasonPage(
      happened: "The row's ID token has no `tid`. It is not carried.",
      because: """
        MSAL files ID tokens under the tenant. AD FS and very old answers of the service leave it
        out.
        """,
      person: "Sign in if the app asks."),

    .idTokenSuperseded: ReasonPage(
      happened: """
        Several rows have an ID token for one account, client and tenant. The one that was issued
        last was carried.
        """,
      because: "MSAL has place for one, and the newest has the current name."),
  ]
}
