// SPDX-License-Identifier: MIT

extension ReasonPage {
  /// The pages on what only ADAL for .NET, Python and Node, and Azure CLI have.
  static let ofOthers = """
    home.member-fields
    The row has no ID token: ADAL for Python and Node keeps none, and MSAL.NET removes those of
    ADAL.NET's rows. Other fields of the row remain: an object, a tenant, a user name, and no
    foreign identity provider. Object and tenant are the home account id.
    Why: ADAL records the identity provider of a guest. A row without one belongs to a member, and a
    member's object and tenant are the home account id. The ID token is not there to confirm it, and
    the user name may be an e-mail address. So an account map overrides this result, even by user
    name alone.
    The app's team: Before you ship, compare the accounts in the report once with the users you
    expect.

    home.guest-joined-by-name
    The user is a guest. The user's home tenant is known, and the cache proves exactly one account
    of that tenant with the same user name. As `--join-guests` asks, the row was stored under that
    account.
    Why: A guest's ID token names the home tenant and a user name, but not the object in the home
    tenant. A user name can be given to another user later, so this is an assumption that only you
    can make. Nothing in the row contradicts it.
    The app's team: Do not use the option if that tenant ever reuses names. `adal2msal inspect
    SOURCE --account-map-template map.csv` then lists these users.

    rt.overwritten
    Rows of one client that belong to different users, or to no user, have the same refresh token.
    The token belongs to one of them, and the cache does not say which. None of these rows was
    converted.
    Why: ADAL for Python and Node writes a new refresh token into all rows of the same client and
    user name, in every tenant. If the service's answer has no ID token, ADAL knows no user name and
    writes the token into the rows of every user. The token belongs to the user who signed in last.
    If it were converted, one user could act as another.
    The user: Sign in once.

    target.nobody
    The entry names no account: for example MSAL's app metadata of a client. The target is a folder
    with one document per account, and none of them can hold the entry.
    Why: A web app opens only the document of the current user. The migration writes a client's app
    metadata into each document whose account has a token of that client.

    row.app-only
    The row holds an access token that the app got with its own secret or certificate, without a
    user.
    Why: Such a token lasts about an hour and has no refresh token. MSAL gets another one with the
    first request.

    row.on-behalf-of
    A service got the row's tokens in exchange for the token that a user sent with a request. They
    are bound to that request's token. The row was skipped.
    Why: It is not a sign-in: MSAL stores such tokens under the hash of the request's token, which
    lasts an hour. The next request gets another one. If the refresh token were converted as a
    sign-in, anyone who opens the cache would have the rights of that user.

    row.service-principal
    The entry is the credential with which Azure CLI logs in as a service principal: a secret, or
    the path of a certificate. Only the principal's id was read.
    Why: It is an app's own credential and not a token, although Azure CLI calls the secret an
    access token. MSAL's cache has no place for it. Azure CLI 2.30 and later store it in a separate
    file.
    The app's team: Log in again with `az login --service-principal` on the machine that needs it.

    source.cut-off
    The file ends in the middle of a row, at the byte that the report names. The rows before it were
    read. That row and all rows after it are lost, and the file does not name their users.
    Why: Something cut the cache short: a column or a buffer that was too small, a full disk, or a
    copy that stopped. The lost rows may be a user's only sign-in, so the exit status is 1.
    The user: Sign in if the app asks.
    The app's team: Find out what cut the cache short, get a whole copy and run again. Compare its
    size with the byte in the report.
    """
}
