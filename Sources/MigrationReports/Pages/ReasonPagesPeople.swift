// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on the account map, on names and people, and on conflicts.
  static let ofPeople: [Reason: ReasonPage] = [
    .mapContradictsStored: ReasonPage(
      happened: """
        The account map names another home account than the one that the cache stores. The stored one
        was used.
        """,
      because: "What is stored came from the service, for this very token.",
      team: "Check the line of the map: most often home tenant and resource tenant were exchanged."),

    .mapUnused: ReasonPage(
      happened: "A line of the account map was not needed, since no row of the source has its key.",
      because: "One map may serve many devices, so this is normal.",
      team: """
        If you expected a match, compare `tid`, `oid` and `upn` with the report of `adal2msal
        inspect`.
        """),

    .userKeyClaimsDiffer: ReasonPage(
      happened: """
        ADAL filed the row under one user name, and its ID token has another. The ID token's was
        written.
        """,
      because: """
        MSAL lists ADAL's rows under the name in the ID token but looks their tokens up under the
        name that they are filed under, so by itself it lists the person and then finds no token. The
        converted entries do not have that problem.
        """,
      team: "Select accounts by identifier. A look-up by the old name will not find the account."),

    .userNonDisplayable: ReasonPage(
      happened: """
        The ID token has no readable name; what stands in its place is an object id or a subject. It
        was written as the user name, because MSAL computes the same.
        """,
      because: """
        A look-up by e-mail address does not find such an account until the first refresh brings a
        readable name.
        """,
      team: "Select accounts by identifier, and do not show the user name before the first refresh."
    ),

    .accountRenamed: ReasonPage(
      happened: """
        Rows with different user names belong to one account: the person's name changed over time.
        There is one account, under the name of the newest ID token.
        """,
      because: """
        The identifier did not change, and MSAL goes by it. A look-up by an old name finds the
        account only as long as ADAL's rows remain.
        """,
      team: "If the app saved user names, replace them with identifiers; the report has both."),

    .accountSignedOut: ReasonPage(
      happened: """
        MSAL has noted that this person signed out of this client. Nothing was written for them.
        """,
      because: "Bringing the tokens back would undo what the person decided.",
      person: "Sign in again if you want to use the app with this account."),

    .accountMinimal: ReasonPage(
      happened: """
        The home account id is certain, but there is no ID token. The account has its identifier, its
        tenant and its user name, and no more.
        """,
      because: """
        ADAL 2.7 and later could store an identifier with a row that has no ID token. The first
        refresh completes the account.
        """),

    .accountClaimsLater: ReasonPage(
      happened: """
        No ID token could be carried for this account and client, so the account is listed without
        claims until MSAL has refreshed it once.
        """,
      because: "MSAL takes an account's claims and tenant profiles from the ID token in its cache.",
      team: "Treat `accountClaims` as optional, as its type says."),

    .accountAliasCopy: ReasonPage(
      happened: """
        ADAL's row stays, under another host name of the same cloud than the one that MSAL's entries
        are filed under. The account entry was written under that host too.
        """,
      because: """
        When MSAL lists accounts, it takes a kept ADAL row and its own entry for one account only if
        the host is the same. Without the copy a look-up by user name could come back with an account
        that has no identifier. Only the account entry is doubled, no token is.
        """),

    .clientInfoSynthesised: ReasonPage(
      happened: """
        The account entry has a field for the client info that the service sends. ADAL did not keep
        it, so it was made from the home account id.
        """,
      because: "It says exactly what the home account id says. The first refresh replaces it."),

    .multiAccountsCreated: ReasonPage(
      happened: """
        After the migration this client has several accounts. ADAL knew them all; MSAL now lists them
        all.
        """,
      because: """
        `getCurrentAccount` fails when there is more than one. It is meant for apps with a single
        account.
        """,
      team: """
        Offer a choice, or take the account whose identifier matches the user that the app saved.
        """),

    .conflictSameUPN: ReasonPage(
      happened: """
        Rows with the same user name belong to different objects. They are different accounts and
        were not merged.
        """,
      because: """
        This happens when an account is deleted and made again, or when a name is given to somebody
        else. Merging would hand one person's tokens to another.
        """,
      team: """
        Select by identifier. If you have only the name, take the account with the newest ID token
        and let the person confirm.
        """,
      administrator: "The older object is usually deleted; its tokens will be refused."),

    .conflictHomeID: ReasonPage(
      happened: """
        Evidence of equal weight names two different home accounts for one row, or the target files
        the same object under another home account. Nothing was written for it.
        """,
      because: """
        One of the two is wrong, and a wrong identifier becomes a second account that does not go
        away.
        """,
      person: "Sign in once: what the service says then is right.",
      team: "An account map that names tenant and object (`tid`, `oid`) settles it."),

    .conflictTargetMultiple: ReasonPage(
      happened: """
        Several entries of the target answer the same question. MSAL reports an error for such an
        account, so nothing was written for it.
        """,
      because: """
        Adding a further entry would not make it better, and choosing which to delete is not a
        migration's business.
        """,
      person: "Sign out and in again.",
      team: "`adal2msal inspect TARGET` shows the entries."),

    .targetCorrupt: ReasonPage(
      happened: """
        Where an entry would go there is one already, and it cannot be read or is filed under a key
        that its own fields do not give. It was left as it is.
        """,
      because: """
        A migration only adds. MSAL skips what it cannot read and overwrites it when it saves the
        next answer of the service.
        """,
      person: "Sign in once if the app asks."),

    .targetTypeClash: ReasonPage(
      happened: """
        The keychain allows one item for each group, account and service. There is one with this key
        already, and it is not the kind of item that MSAL looks for. It was left as it is, and
        nothing was written in its place.
        """,
      because: """
        MSAL asks for the kind as well, so it does not see that item; and it could not save its own
        beside it.
        """,
      team: "`adal2msal inspect TARGET --show-usernames` shows the item."),
  ]
}
