// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on rows, clients, the target and what surrounds a migration.
  static let ofCache = """
    row.empty
    The row has neither an access token nor a refresh token. There is nothing to convert.
    Why: Without a token ADAL would also have asked the user to sign in, so nothing is lost.

    row.unknown-class
    The item looks like one of ADAL's, but it holds an archived object of a class that no version of
    ADAL wrote. The row was skipped.
    Why: The migration reads only the classes that ADAL is known to have used. It never guesses at
    others.
    The app's team: If an app of yours used a patched ADAL, open an issue with the class name that
    the report shows. Do not attach the cache.

    row.undecodable
    The row or the entry is damaged or cut short, so it was skipped. The other rows are not
    affected. If another row or entry keeps the same user of the same client signed in, this is a
    note. Otherwise it is an error: the row may have been the user's only sign-in. The user and the
    client are known from the keychain account and service. Rows that name no user are counted under
    unknown users.
    Why: ADAL cannot read such a row either. The report names the error and the byte where it
    happened.
    The user: Sign in if the app asks.
    The app's team: If ADAL can read this row, open an issue with the line of the report. Do not
    attach the cache.

    client.not-in-set
    The run was limited to certain clients, and this row belongs to another client. The row was
    skipped.
    Why: Apps of one team share a keychain group, so rows of several clients lie side by side.
    The app's team: See `coexistence.hidden-client` before you convert one of several apps.

    policy.matches-nothing
    The policy names a client id, or the run names an access group, that no row has. Its users are
    not migrated.
    Why: A filter with one wrong letter looks like a cache without these users, so it is an error
    and not an empty result. On the command line the run ends with status 64 before anything is
    done. In the system keychain it is a warning: an app that shares its group with other apps sees
    it at every start until a user has signed in to it.
    The app's team: Compare the value with the list in the message. A client id must be spelled as
    ADAL used it. An access group needs its team prefix.

    client.changed
    The run was limited to a client id that no row has.
    Why: A refresh token works only for the client that it was issued to. An app that changes its
    registration during the move to MSAL cannot keep its users signed in.
    The app's team: Keep the app registration, and add MSAL's redirect URI to it.

    appmeta.family-conflict
    MSAL has noted that the client is in no family, but ADAL's row names a family. The target's
    entry was kept.
    Why: MSAL writes that note when the service rejects the family's refresh token for this client,
    so the note is newer than ADAL's row.

    family.unknown
    The row names a family other than 1. It was converted as it is.
    Why: The service has only ever used family 1. MSAL reads any family that is stored.

    keep.identical
    The target already has the same token. Nothing was written for it.
    Why: An earlier run added it, or ADAL 2.7 or MSAL wrote it. Running again changes nothing.

    keep.target-newer
    The target has a different refresh token for this account and client. It may be newer, so it was
    kept.
    Why: MSAL replaces its refresh token with every refresh, so the one in its cache is usually
    newer.

    keep.target-older
    The target has a different refresh token for this account and client, and it is older than
    ADAL's. It was kept.
    Why: A migration only adds entries. The service does not revoke an older refresh token when it
    issues a newer one, so the older one normally still works.
    The user: Sign in if the app asks.

    keep.account
    The target already has the account. The account was kept unchanged.
    Why: MSAL's own entry is as new or newer.

    keep.idtoken
    The target already has an ID token for this account, client and tenant. It was kept.
    Why: MSAL's own entry is as new or newer.

    keep.at
    The target already has an access token for this account, client and tenant with the same scope.
    It was kept.
    Why: Two tokens for one scope confuse MSAL: it looks only at the first one, even if that one has
    expired.

    keep.appmeta
    The target already says whether this client is in a family. That entry was kept.
    Why: MSAL learned it from the service.

    check.not-found
    Before anything is written, every account that would stay signed in is looked up as MSAL would
    look it up. A look-up for these rows did not return the planned entry, so these rows were not
    converted. If only an access token is not found, only access tokens are skipped and the user
    stays signed in. All other accounts are migrated as if these rows did not exist.
    Why: An entry that MSAL does not find has no use, and an account without its refresh token hides
    ADAL's rows. The finding names the look-up. A correct plan always passes it.
    The user: Sign in if the app asks. A later run with a corrected version also converts these
    rows.
    The app's team: Report it at <\(Report.homepage)/issues> with the output of `--format json`.
    That output has no token, and user names are masked. You need to do nothing else: the skipped
    rows are unchanged.

    time.future
    A row has a time that is more than five minutes ahead of the run's clock. The run's time was
    used instead.
    Why: MSAL treats an access token that was cached in the future as expired.
    The app's team: For caches from another machine, set the time with `--now`.

    coexistence.hidden-client
    An account was written, but some ADAL rows of the same user name were not converted. They belong
    to a client that was not selected, or to a client whose row could not be converted. MSAL may no
    longer find those rows.
    Why: Once MSAL has an account entry for a user name, it no longer shows ADAL rows without an
    identifier under that name, in any client of the keychain group. A client for which the account
    is not listed then no longer finds the user. This was recorded with MSAL's own code.
    The app's team: Convert all clients of the keychain group in one run: leave out `--client-id`.
    Apps that still run ADAL are not affected, because ADAL reads its own rows.

    coexistence.nameless-listing
    An account was converted, but an ADAL row of the same user name stays in the cache without an
    identifier. Usually it is the same user as a guest of another tenant.
    Why: MSAL lists accounts and ADAL's rows together and treats two with one name as one account.
    The order of that list is undefined. If ADAL's row comes first, the account in that answer has
    no identifier. A look-up by identifier always finds the account. This was recorded with MSAL's
    own code.
    The app's team: Save the report's `homeAccountID` and ask MSAL for the account by that
    identifier. If an account map names the guest's home account, the row is converted too and the
    ambiguity is gone.
    The administrator: Give the team the object id and tenant id of the guest's home account for the
    account map.

    coexistence.logout
    ADAL's rows and MSAL's entries are stored side by side, and each library clears its own.
    Why: MSAL's sign-out also clears ADAL's rows of the same user. ADAL's sign-out does not know
    MSAL's entries.
    The app's team: Sign out with MSAL.

    keychain.no-entitlement
    The system refused access to the keychain group. Nothing was read or written.
    Why: Only signed programs whose entitlements name a keychain group can open it.
    The app's team: In Xcode: Signing & Capabilities, Keychain Sharing, `com.microsoft.adalcache`
    (iOS) or `com.microsoft.identity.universalstorage` (macOS). A command line tool has to be
    embedded in an app and signed with it.
    """
}
