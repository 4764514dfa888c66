// SPDX-License-Identifier: MIT
import ADALMigration

extension ReasonPage {
  /// The pages on where a home account id comes from, and why there is none.
  static let ofHome: [Reason: ReasonPage] = [
    .homeExact: ReasonPage(
      happened: """
        The home account id is known for certain: ADAL or MSAL stored it, the service's client info
        is in the row, or the account map names it for this tenant and object id.
        """,
      because: """
        MSAL files everything under the home account id, a pair `uid.utid` that the service tells
        every client in its client info. ADAL began to ask for it in version 2.7.
        """),

    .homeCommonAuthority: ReasonPage(
      happened: """
        The row was acquired through `common` or `organizations`, and its ID token names an object
        (`oid`) and a tenant (`tid`). Together they are the home account id.
        """,
      because: """
        `common` always signs people in at their own tenant, so that tenant's object is the home
        account. MSAL's code applies the same rule to accounts that older apps shared. A token that
        shows signs of a guest is not trusted in this way.
        """),

    .homeTenantMember: ReasonPage(
      happened: """
        The row was acquired through one tenant. Its ID token names an object and a tenant and a user
        principal name without `#EXT#`, and no foreign identity provider: the person is a member
        there, not a guest.
        """,
      because: """
        For a member, object and tenant are the home account id. A guest has another object id in
        every tenant, so for guests this would be wrong, and is not done.
        """),

    .homeJoined: ReasonPage(
      happened: """
        The row itself does not prove whose it is. Another row does, and the two share the same
        refresh token or the same object in the same tenant; or an account that MSAL already knows
        has this object; or the account map has exactly one entry for the user name.
        """,
      because: """
        The same refresh token is the same grant, so it is the same person. A user name alone is
        weaker, since names are given to somebody else now and then; it counts only when the map says
        so.
        """,
      team: "Compare the account in the report with the person you expect, once, before you ship."),

    .homeNonGUID: ReasonPage(
      happened: """
        The stored home account id has two parts, as it must, but they are not GUIDs. It was used as
        it is.
        """,
      because: """
        MSAL does not ask for GUIDs either. Azure AD B2C and some test systems have other forms; for
        an organisation's account it is unusual.
        """,
      team: "Look the account up in the directory if it is not one of a test system."),

    .homeClaimsDisagree: ReasonPage(
      happened: """
        A stored home account id and the ID token disagree about whose row it is. The stored one was
        used.
        """,
      because: """
        The service sends the stored one, while the other is deduced. They differ for guests, which
        is normal, and after an account was moved from one tenant to another.
        """,
      administrator: """
        Look the object and tenant of the row up in the directory, if the person is no guest.
        """),

    .homeGuestUnresolved: ReasonPage(
      happened: """
        The ID token shows that the person is a guest in the tenant: another tenant vouched for them.
        Which account is theirs at home is not in the cache, so the row was left as it is.
        """,
      because: """
        MSAL files tokens under the home account. A guest has a separate object in every tenant, and
        the ID token names only that object and, at best, the home tenant. A guessed id would stay:
        after the first refresh the service tells the true one, MSAL files a second account beside
        the wrong one, and the person is asked to choose between two of themselves. No id is better
        than a wrong one. In place, MSAL may still find ADAL's row by user name.
        """,
      person: "Sign in once. From then on everything is in MSAL's form.",
      team: """
        `adal2msal inspect SOURCE --account-map-template map.csv` writes the list of exactly these
        people; filled in, it is passed with `--account-map`.
        """,
      administrator: """
        If you administer the person's home tenant, export the object id (`id` in Microsoft Graph's
        `/users`). The guest's object in the resource tenant does not reveal it.
        """),

    .homeMSAGuest: ReasonPage(
      happened: """
        The person is a guest with a personal Microsoft account (outlook.com, live.com, hotmail.com).
        The row was left as it is.
        """,
      because: """
        MSAL files a personal account under its CID, padded to a GUID. ADAL's ID token holds the
        PUID, another number, and neither can be computed from the other.
        """,
      person: "Sign in once.",
      team: """
        If you know the CID, the account map can give it: `home_oid` is `00000000-0000-0000-` and the
        CID's sixteen digits as `xxxx-xxxxxxxxxxxx`; `home_tid` is
        `9188040d-6c67-4c5b-b112-36a304b66dad`.
        """),

    .homeMSAUnknown: ReasonPage(
      happened: """
        The ID token is of the tenant of personal Microsoft accounts, but its object id does not have
        the form that such an account's identifier has. The row was left as it is.
        """,
      because: """
        A personal account's identifier is its CID, padded to a GUID that begins
        `00000000-0000-0000-`. Anything else would be a guess. ADAL was not made for personal
        accounts, so such rows are rare.
        """,
      person: "Sign in once."),

    .homeNoIDToken: ReasonPage(
      happened: """
        The row has no ID token that can be read, and no other row proves whose it is. It was left as
        it is.
        """,
      because: """
        The home account id is made of the person's object and tenant. Without an ID token neither is
        known, and a user name does not tell them. In place, MSAL may still find ADAL's row by user
        name.
        """,
      person: "Sign in once if the app asks.",
      team: "Give the account in an account map, with the user name in the column `upn`."),

    .homeEmptyUser: ReasonPage(
      happened: """
        The row says nothing about whose it is: no user, no ID token, no stored home account id. It
        was left as it is.
        """,
      because: """
        ADAL filed rows under an empty name for AD FS servers and when an app passed no user. Nothing
        can be joined to it.
        """,
      person: "Sign in once."),

    .homeUsernameOnly: ReasonPage(
      happened: """
        All that the cache says about this person is a user name. The row was left as it is.
        """,
      because: """
        User names are reused and renamed, and one name can belong to different people in different
        tenants. MSAL therefore files under an identifier that no name reveals. In place, MSAL may
        still find ADAL's row by user name.
        """,
      person: "Sign in once if the app asks.",
      team: "Give the account in an account map, with the user name in the column `upn`.",
      administrator: """
        Export user principal name and `id` of the people in question, and the tenant's id.
        """),

    .homeNoOID: ReasonPage(
      happened: """
        The ID token names the person only by `sub`, which differs from app to app. The row was left
        as it is.
        """,
      because: """
        The home account id is made of the object id (`oid`), which is the same in all apps of a
        tenant. It cannot be computed from `sub`.
        """,
      person: "Sign in once if the app asks.",
      team: "Give the account in an account map, with the user name in the column `upn`."),
  ]
}
