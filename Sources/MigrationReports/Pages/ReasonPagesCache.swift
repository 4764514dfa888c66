// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on rows, clients, the target and what surrounds a migration.
  static let ofCache: [Reason: ReasonPage] = [
    .rowEmpty: ReasonPage(
      happened: """
        The row has neither an access token nor a refresh token. There is nothing to convert.
        """,
      because: """
        Without a token ADAL would have asked the person to sign in as well, so nothing is lost.
        """),

    .rowUnknownClass: ReasonPage(
      happened: """
        The item looks like one of ADAL's, but what is archived in it is an object of a class that no
        version of ADAL wrote. It was left as it is.
        """,
      because: "Classes are not guessed at: only those that ADAL is known to have used are read.",
      team: """
        If an app of yours used a patched ADAL, open an issue with the class name that the report
        shows. Do not attach the cache.
        """),

    .rowUndecodable: ReasonPage(
      happened: """
        The item is one of ADAL's, but its data is damaged or cut short. It was left as it is; the
        other rows are not affected.
        """,
      because: """
        ADAL itself could not read it either. The report names the error and the byte where it
        happened.
        """,
      person: "Sign in if the app asks.",
      team: """
        If ADAL reads this row, open an issue with the line of the report. Do not attach the cache.
        """),

    .clientNotInSet: ReasonPage(
      happened: """
        The run was limited to certain clients, and this row belongs to another. It was left as it
        is.
        """,
      because: """
        Apps of one team share a keychain group, so rows of several clients lie side by side.
        """,
      team: "See `coexistence.hidden-client` before you convert one of several apps."),

    .policyMatchesNothing: ReasonPage(
      happened: """
        The policy names a client id, or the run an access group, that no row has. Whoever was meant
        is left out.
        """,
      because: """
        One wrong letter in a filter looks like a cache without these people, so it is an error and not
        an empty result. On the command line it ends the run with status 64 before anything is done. In the
        system's keychain it is a warning: an app that shares its group with neighbours meets it at every
        start until somebody has signed in to it.
        """,
      team: """
        Compare it with the list in the message: a client id as ADAL used it, an access group with its
        team prefix.
        """),

    .clientChanged: ReasonPage(
      happened: "The run was limited to a client id that no row has.",
      because: """
        A refresh token is good only for the client that it was issued to. An app that changes its
        registration on the way to MSAL cannot keep its people signed in.
        """,
      team: "Keep the app registration, and add MSAL's redirect URI to it."),

    .appMetaFamilyConflict: ReasonPage(
      happened: """
        MSAL has noted that the client is in no family, while ADAL's row names one. What is in the
        target was kept.
        """,
      because: """
        MSAL makes that note when the service refuses the family's refresh token to this client, so
        it is the later word.
        """),

    .familyUnknown: ReasonPage(
      happened: "The row names a family other than 1. It was converted as it is.",
      because: "So far the service has used family 1 only. MSAL reads whatever is stored."),

    .keepIdentical: ReasonPage(
      happened: "The same token is in the target already. Nothing was written for it.",
      because: """
        An earlier run brought it, or ADAL 2.7 or MSAL wrote it. Running again changes nothing.
        """),

    .keepTargetNewer: ReasonPage(
      happened: """
        The target has a different refresh token for this account and client. It may be newer, so it
        was kept.
        """,
      because: """
        MSAL replaces its refresh token with every refresh, so what is in its cache is most often the
        later one.
        """),

    .keepTargetOlder: ReasonPage(
      happened: """
        The target has a different refresh token for this account and client, and it is older than
        ADAL's. It was kept all the same.
        """,
      because: """
        A migration only adds. An older refresh token is not revoked when a newer one is issued, so
        it normally still works.
        """,
      person: "Sign in if the app asks."),

    .keepAccount: ReasonPage(
      happened: "The account is in the target already, and was kept as it is.",
      because: "MSAL's own entry is as new or newer."),

    .keepIDToken: ReasonPage(
      happened: """
        The target already has an ID token for this account, client and tenant. It was kept.
        """,
      because: "MSAL's own entry is as new or newer."),

    .keepAT: ReasonPage(
      happened: """
        The target already has an access token for this account, client and tenant with the same
        scope. It was kept.
        """,
      because: """
        Two tokens for one scope confuse MSAL: it looks at the first only, even if that has expired.
        """),

    .keepAppMeta: ReasonPage(
      happened: "The target already says whether this client is in a family. That was kept.",
      because: "MSAL learned it from the service."),

    .checkNotFound: ReasonPage(
      happened: """
        Before anything is written, everybody who would stay signed in is looked up as MSAL would do
        it. For these rows a look-up came back without what the plan had put there, so nothing was
        made of them. Where only an access token is not found, only access tokens are left out and
        the person stays signed in. Everybody else is migrated as if the rows were not there.
        """,
      because: """
        An entry that MSAL does not find helps nobody, and an account without its refresh token hides
        what ADAL left of it. The finding says what was asked for; a correct plan always has the
        answer.
        """,
      person: "Sign in if the app asks. With a corrected version the next run takes the rows too.",
      team: """
        Report it at <\(Report.homepage)/issues> with the output of `--format json`: it has no token,
        and user names are masked. Nothing else has to be done: rows that were left are as they were.
        """),

    .timeFuture: ReasonPage(
      happened: """
        A row has a time that is more than five minutes ahead of the clock that this run went by. The
        run's time was used in its place.
        """,
      because: "MSAL takes an access token that was cached in the future for expired.",
      team: "For caches from elsewhere give the time with `--now`."),

    .coexistenceHiddenClient: ReasonPage(
      happened: """
        An account was written, and ADAL rows of the same user name were not converted: of a client
        that was not asked for, or of one whose row could not be converted. Those rows may no longer
        be found.
        """,
      because: """
        Once MSAL has an account entry for a user name, it no longer shows ADAL rows without an
        identifier under that name, in any client of the keychain group. For a client for which the
        account is not listed, the person is then gone. This was recorded with MSAL's own code.
        """,
      team: """
        Convert all clients of the keychain group in one run (leave `--client-id` out). Apps that
        still run ADAL are not affected: ADAL reads its own rows.
        """),

    .coexistenceNamelessListing: ReasonPage(
      happened: """
        An account was converted, and an ADAL row of the same user name stays beside it, which nothing
        gives an identifier: mostly the same person as a guest of another tenant.
        """,
      because: """
        MSAL lists accounts and ADAL's rows together and takes two of one name for one. Which of them
        it comes upon first is chance, and if that is ADAL's row, the account has no identifier in
        that answer. Asked for by identifier, the account is always found. This was recorded with
        MSAL's own code.
        """,
      team: """
        Save the report's `homeAccountID` and ask MSAL for the account by that identifier. With an
        account map that knows the guest, the row is converted too and the question is gone.
        """,
      administrator: "Tell the team the guest's home object and tenant id for the account map."),

    .coexistenceLogout: ReasonPage(
      happened: "ADAL's rows and MSAL's entries lie side by side, and each library clears its own.",
      because: """
        MSAL's sign-out clears ADAL's rows of the same person too. ADAL's sign-out does not know of
        MSAL's entries.
        """,
      team: "Sign out with MSAL."),

    .keychainNoEntitlement: ReasonPage(
      happened: "The system refused access to the keychain group. Nothing was read or written.",
      because: "A keychain group is open only to signed programs whose entitlements name it.",
      team: """
        In Xcode: Signing & Capabilities, Keychain Sharing, `com.microsoft.adalcache` (iOS) or
        `com.microsoft.identity.universalstorage` (macOS). A command line tool has to be embedded in
        an app and signed with it.
        """),
  ]
}
