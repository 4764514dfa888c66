// SPDX-License-Identifier: MIT

extension ReasonPage {
  /// The pages on where a home account id comes from, and why there is none.
  static let ofHome = """
    home.exact
    The home account id is known for certain: ADAL or MSAL stored it, the service's client info is
    in the row, or the account map names it for this tenant and object id.
    Why: MSAL stores everything under the home account id, a pair `uid.utid` that the service sends
    to every client in its client info. ADAL has asked for it since version 2.7.

    home.common-authority
    The row was acquired through `common` or `organizations`, and its ID token names an object
    (`oid`) and a tenant (`tid`). Together they are the home account id.
    Why: `common` always signs a user in at the user's own tenant, so that tenant's object is the
    home account. MSAL's code applies the same rule to accounts that older apps shared. The rule is
    not applied to a token that shows signs of a guest.

    home.tenant-member
    The row was acquired through one tenant. Its ID token names an object, a tenant, and a user
    principal name without `#EXT#`, and no foreign identity provider. So the user is a member of
    that tenant, not a guest.
    Why: For a member, object and tenant are the home account id. A guest has a different object id
    in every tenant, so the rule is not applied to guests.

    home.joined
    The row itself does not prove which account it belongs to, but one of these does: another row
    with the same refresh token or with the same object in the same tenant; an account in MSAL's
    cache with this object; the only entry of the account map for the user name.
    Why: The same refresh token is the same grant, so it is the same user. A user name alone is
    weaker, because names are sometimes given to another user. It counts only if the account map
    says so.
    The app's team: Before you ship, compare the account in the report once with the user you
    expect.

    home.non-guid
    The stored home account id has two parts, as it must, but they are not GUIDs. It was used
    unchanged.
    Why: MSAL does not require GUIDs either. Azure AD B2C and some test systems use other forms. For
    an organization's account it is unusual.
    The app's team: Look up the account in the directory, unless it belongs to a test system.

    home.claims-disagree
    A stored home account id and the ID token name different accounts. The stored id was used.
    Why: The service sent the stored id, and the other id is derived from claims. They differ for
    guests, which is normal, and after an account has moved between tenants.
    The administrator: If the user is not a guest, look up the object and tenant of the row in the
    directory.

    home.guest-unresolved
    The ID token shows that the user is a guest in the tenant: another tenant authenticated the
    user. The cache does not say which account is the user's home account, so the row was skipped.
    Why: MSAL stores tokens under the home account. A guest has a separate object in every tenant,
    and the ID token names only that object and, at best, the home tenant. A wrong id would be
    permanent: after the first refresh MSAL stores a second account under the correct id, and the
    user has to choose between the two. No id is better than a wrong one. In place, MSAL may still
    find ADAL's row by user name.
    The user: Sign in once. After that, all entries are in MSAL's form.
    The app's team: Run `adal2msal inspect SOURCE --account-map-template map.csv` to write the list
    of exactly these users. Fill it in and pass it with `--account-map`.
    The administrator: If you administer the user's home tenant, export the object id (`id` in
    Microsoft Graph's `/users`). The guest's object in the resource tenant does not reveal it.

    home.msa-guest
    The user is a guest with a personal Microsoft account (outlook.com, live.com, hotmail.com). The
    row was skipped.
    Why: MSAL stores a personal account under its CID, padded to a GUID. ADAL's ID token holds the
    PUID, a different number. Neither can be computed from the other.
    The user: Sign in once.
    The app's team: If you know the CID, put it into the account map: `home_oid` is
    `00000000-0000-0000-` followed by the CID's sixteen digits as `xxxx-xxxxxxxxxxxx`; `home_tid` is
    `9188040d-6c67-4c5b-b112-36a304b66dad`.

    home.msa-unknown
    The ID token belongs to the tenant of personal Microsoft accounts, but its object id does not
    have the form of a personal account's identifier. The row was skipped.
    Why: A personal account's identifier is its CID, padded to a GUID that begins
    `00000000-0000-0000-`. Any other value would be a guess. ADAL was not made for personal
    accounts, so such rows are rare.
    The user: Sign in once.

    home.no-id-token
    The row has no readable ID token, and no other row proves which account it belongs to. The row
    was skipped.
    Why: The home account id consists of the user's object and tenant. Without an ID token neither
    is known, and a user name does not reveal them. In place, MSAL may still find ADAL's row by user
    name.
    The user: Sign in once if the app asks.
    The app's team: Give the account in an account map, with the user name in the column `upn`.

    home.empty-user
    The row has no user, no ID token and no stored home account id. The row was skipped.
    Why: ADAL stored rows under an empty name for AD FS servers, and when an app passed no user.
    Nothing connects such a row to an account.
    The user: Sign in once.

    home.username-only
    The cache has only a user name for this user. The row was skipped.
    Why: User names are reused and changed, and one name can belong to different users in different
    tenants. So MSAL stores tokens under an identifier that a name does not reveal. In place, MSAL
    may still find ADAL's row by user name.
    The user: Sign in once if the app asks.
    The app's team: Give the account in an account map, with the user name in the column `upn`.
    The administrator: Export the user principal name and `id` of these users, and the tenant's id.

    home.no-oid
    The ID token identifies the user only by `sub`, which differs from app to app. The row was
    skipped.
    Why: The home account id is made of the object id (`oid`), which is the same in all apps of a
    tenant. It cannot be computed from `sub`.
    The user: Sign in once if the app asks.
    The app's team: Give the account in an account map, with the user name in the column `upn`.
    """
}
