// SPDX-License-Identifier: MIT

extension ReasonPage {
  /// The pages on the account map, on names and accounts, and on conflicts.
  static let ofPeople = """
    map.contradicts-stored
    The account map names a different home account than the cache stores. The stored one was used.
    Why: The service sent the stored id for this token.
    The app's team: Check the line of the map. The usual mistake is to exchange home tenant and
    resource tenant.

    map.unused
    A line of the account map was not used, because no row of the source matches it.
    Why: One map may serve many devices, so this is normal.
    The app's team: If you expected a match, compare `tid`, `oid` and `upn` with the report of
    `adal2msal inspect`.

    map.unfilled
    A line of the account map has an account, and no `home_oid` and `home_tid`. The line was
    ignored.
    Why: `inspect --account-map-template` leaves these columns empty for you to fill in.
    The app's team: Look the account up in its home tenant, and write the object id and the tenant
    id into the line. Delete a line whose user may sign in again.

    user.key-claims-differ
    ADAL stored the row under one user name, and its ID token has another. The account has the ID
    token's name.
    Why: MSAL lists ADAL's rows under the name in the ID token, but looks up their tokens under the
    name in ADAL's key. So without a migration MSAL lists the user and then finds no token. The
    converted entries do not have that problem.
    The app's team: Select accounts by identifier. A look-up by the old name does not find the
    account.

    user.non-displayable
    The ID token has no readable name, only an object id or a subject. That value was written as the
    user name, as MSAL does.
    Why: A look-up by e-mail address does not find such an account until the first refresh returns a
    readable name.
    The app's team: Select accounts by identifier, and do not show the user name before the first
    refresh.

    account.renamed
    Rows with different user names belong to one account, because the user's name changed. The
    account has the name of the newest ID token.
    Why: MSAL uses the identifier, which did not change. A look-up by an old name finds the account
    only while ADAL's rows remain.
    The app's team: If the app saved user names, replace them with identifiers; the report has both.

    account.signed-out
    MSAL has noted that this user signed out of this client. Nothing was written for this account.
    Why: Restoring the tokens would undo the user's sign-out.
    The user: Sign in again if you want to use the app with this account.

    account.minimal
    The home account id is certain, but there is no ID token. The account has only its identifier,
    its tenant and its user name.
    Why: ADAL 2.7 and later could store an identifier with a row that has no ID token. The first
    refresh completes the account.

    account.claims-later
    There is no ID token to carry over for this account and client, so MSAL lists the account
    without claims until the first refresh.
    Why: MSAL takes an account's claims and tenant profiles from the ID token in its cache.
    The app's team: Treat `accountClaims` as optional, as its type says.

    account.alias-copy
    ADAL's row stays in the cache under another host name of the same cloud than MSAL's entries. So
    the account entry was also written under ADAL's host name.
    Why: MSAL treats an ADAL row and its own account entry as one account only if the host is the
    same. Without the copy, a look-up by user name could return an account without an identifier.
    Only the account entry is copied, no token.

    client-info.synthesised
    MSAL's account entry has a field for the service's client info. ADAL did not store it, so it was
    made from the home account id.
    Why: It contains exactly the home account id. The first refresh replaces it.

    multi.accounts-created
    After the migration this client has several accounts. ADAL knew all of them, and MSAL now lists
    all of them.
    Why: `getCurrentAccount` fails when there is more than one. It is meant for apps with a single
    account.
    The app's team: Offer a choice, or take the account whose identifier matches the user that the
    app saved.

    conflict.same-upn
    Rows with the same user name belong to different objects. They are different accounts and were
    not merged.
    Why: This happens when an account is deleted and created again, or when a name is given to
    another user. Merging them would give one user's tokens to another.
    The app's team: Select accounts by identifier. If you have only the name, take the account with
    the newest ID token and let the user confirm it.
    The administrator: The older object has usually been deleted. The service rejects its tokens.

    conflict.home-id
    Evidence of equal weight names two different home accounts for one row, or the target stores the
    same object under another home account. Nothing was written for this row.
    Why: One of the two is wrong, and a wrong identifier becomes a permanent second account.
    The user: Sign in once. The service then sends the right identifier.
    The app's team: An account map that names tenant and object (`tid`, `oid`) resolves the
    conflict.

    conflict.target-multiple
    Several entries of the target answer the same look-up. MSAL reports an error for such an
    account, so nothing was written for it.
    Why: Another entry would not help, and a migration never deletes an entry.
    The user: Sign out and in again.
    The app's team: `adal2msal inspect TARGET` shows the entries.

    target.corrupt
    The target already has an entry in this place. That entry cannot be read, or its key does not
    match its fields. The entry was kept, and nothing was written.
    Why: A migration only adds entries. MSAL skips unreadable entries and overwrites them when it
    saves the next answer of the service.
    The user: Sign in once if the app asks.

    target.type-clash
    The keychain allows one item per group, account and service. There is already an item with this
    key, and it is not the type of item that MSAL looks for. The item was kept, and nothing was
    written.
    Why: MSAL's query names the type, so MSAL does not see that item and cannot save its own beside
    it.
    The app's team: `adal2msal inspect TARGET --show-usernames` shows the item.
    """
}
