// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on what only ADAL for .NET, Python and Node, and Azure CLI have.
  static let ofOthers: [Reason: ReasonPage] = [
    .homeMemberFields: ReasonPage(
      happened: """
        The row has no ID token, since ADAL for Python and Node keeps none and MSAL.NET removes those
        of ADAL.NET's rows. What is left of one says whose it is: an object, a tenant, a user name, and
        nobody else who vouched for the person. Object and tenant are the home account id.
        """,
      because: """
        ADAL writes down who vouched for a guest, so a row where nobody else did is a member's, whose
        object and tenant are the home account id. The ID token itself is not there to be checked, and
        whether the name is a user principal name or an e-mail address cannot be told. An account map
        therefore overrides it, also by user name alone.
        """,
      team: "Compare the accounts in the report with the people you expect, once, before you ship."),

    .homeGuestJoinedByName: ReasonPage(
      happened: """
        The person is a guest. The tenant that vouched for them is known, and the cache proves exactly
        one account of that tenant with the same user name. As `--join-guests` asks, the row was filed
        under that account.
        """,
      because: """
        A guest's ID token names the home tenant and a user name, and not the object in the home
        tenant. A user name can be given to another person after somebody has left, so that this is an
        assumption, which only you can make. Nothing in the row contradicts it.
        """,
      team: """
        Leave the option out if names in that tenant are ever used again; `adal2msal inspect SOURCE
        --account-map-template map.csv` then lists these people.
        """),

    .rtOverwritten: ReasonPage(
      happened: """
        Rows of one client that are of different people, or of nobody, have one and the same refresh
        token. It is certain to be somebody's, and not certain whose, so none of these rows was
        converted.
        """,
      because: """
        ADAL for Python and Node writes a new refresh token over that of all rows of the same client
        and user name, in every tenant. An answer of the service without an ID token has no user name,
        and then the rows of everybody are overwritten. Whoever signed in last is who the token
        belongs to. Converted, it would let one person act as another.
        """,
      person: "Sign in once."),

    .targetNobody: ReasonPage(
      happened: """
        The entry names no account, such as MSAL's note on a client and its family, and the target is a
        folder with one document for each account. It is in none of them.
        """,
      because: """
        A web app opens only the document of whoever asks. What MSAL needs to know of a client is
        written into each document whose account has a token of that client.
        """),

    .rowAppOnly: ReasonPage(
      happened: """
        The row holds an access token that the app got with its own secret or certificate, without any
        person.
        """,
      because: """
        Such a token lives for about an hour and has no refresh token. MSAL gets another one with the
        first request, and nobody notices.
        """),

    .rowOnBehalfOf: ReasonPage(
      happened: """
        A service got the row's tokens in exchange for the token that somebody had sent with a request.
        They are bound to that request's token, and were left.
        """,
      because: """
        It is no sign-in: MSAL files such tokens under the hash of the token that came with the
        request, which lives for an hour. The next request brings another one. Converted as a sign-in,
        the refresh token would give whoever opens the cache the rights of whoever sent the request.
        """),

    .rowServicePrincipal: ReasonPage(
      happened: """
        The entry is what Azure CLI needs to log in as a service principal: a secret, or the place of a
        certificate. Nothing of it but the principal's id was read.
        """,
      because: """
        It is an app's own credential and no token, though Azure CLI calls the secret an access token.
        MSAL's cache has no place for it; Azure CLI 2.30 and later keep it in a file of their own.
        """,
      team: "Log in again with `az login --service-principal` on the machine that needs it."),
  ]
}
