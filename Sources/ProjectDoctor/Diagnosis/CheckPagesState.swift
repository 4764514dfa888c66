// SPDX-License-Identifier: MIT

// The pages on what MSAL needs in the project, and what a cache says about it.

extension Check {
  static let groupCustom = Check(
    "keychain.group-custom", .warning, "ADAL's rows are in a keychain group of the app's choice",
    remedy: "set `cacheConfig.keychainSharingGroup` to the same group, or write to MSAL's group",
    happened: "The code sets the keychain group of ADAL's cache.",
    because: "MSAL reads one group, by default `com.microsoft.adalcache`.",
    team: "Migrate with `--access-group` in the dry run, and keep the group in the entitlements.")

  static let groupPrivate = Check(
    "keychain.group-private", .warning, "ADAL's rows are in the app's own keychain group",
    remedy: "set `cacheConfig.keychainSharingGroup` to the bundle id, or write to MSAL's group",
    happened: "The code sets the keychain group of ADAL's cache to nil.",
    because: "Since ADAL 1.2.10, nil means the app's own group, the bundle id. Before, it meant "
      + "the first group in the entitlements. MSAL uses `com.microsoft.adalcache` by default.",
    team: "Name the group in the dry run with `--access-group`.")

  static let groupNotEntitled = Check(
    "keychain.group-not-entitled", .error,
    "the keychain group in the code is not in the entitlements",
    remedy: "add it to `keychain-access-groups`",
    happened: "The code names a keychain group that the target's entitlements do not have.",
    because: "MSAL cannot open a group that the app is not entitled to.")

  static let groupMissing = Check(
    "keychain.group-missing", .warning, "`com.microsoft.adalcache` is not in the entitlements",
    remedy: "add `$(AppIdentifierPrefix)com.microsoft.adalcache` to `keychain-access-groups`",
    happened:
      "The entitlements of an iOS app do not have the group that ADAL and MSAL use by default.",
    because: "Without it, MSAL cannot save tokens on a device. The finding is a warning because "
      + "signing may add the group.")

  static let universalStorageMissing = Check(
    "keychain.universal-storage-missing", .warning,
    "`com.microsoft.identity.universalstorage` is not in the entitlements",
    remedy: "add `$(AppIdentifierPrefix)com.microsoft.identity.universalstorage` to "
      + "`keychain-access-groups`",
    happened: "The entitlements of a macOS app do not have MSAL's group on the Mac.",
    because: "MSAL stores its cache there by default.")

  static let querySchemesMissing = Check(
    "plist.query-schemes-missing", .error,
    "`msauthv2` and `msauthv3` are not both in LSApplicationQueriesSchemes",
    remedy: "add `msauthv2` and `msauthv3`",
    happened: "Info.plist does not let the app check for a broker.",
    because:
      "MSAL does not start if the redirect URI is one for brokers and these schemes are missing.")

  static let urlSchemeMissing = Check(
    "plist.url-scheme-missing", .error, "no URL scheme for MSAL's answers",
    remedy: "register `msauth.BUNDLE-ID` in CFBundleURLTypes",
    happened: "Info.plist registers no URL scheme for MSAL's redirect URI.",
    because: "MSAL does not start if the scheme of its redirect URI is not registered.")

  static let urlSchemeReserved = Check(
    "plist.url-scheme-reserved", .error, "a URL scheme that belongs to the broker",
    remedy: "use `msauth.BUNDLE-ID`",
    happened: "Info.plist registers `msauth`, `msauthv2` or `msauthv3` as the app's own scheme.",
    because: "The App Store rejects it, because these schemes belong to Microsoft's broker apps. "
      + "Put them into LSApplicationQueriesSchemes.")

  static let redirectUnusable = Check(
    "redirect.unusable", .error, "redirect URI that MSAL rejects",
    remedy: "register `msauth.BUNDLE-ID://auth`, and keep the old URI while the old app is in use",
    happened: "A redirect URI begins with `http`, is the out-of-band URN, or has no host.",
    because: "MSAL 2 rejects such URIs for organizations' accounts.",
    team: "Add the new redirect URI to the registration before the release.")

  static let redirectBundleMismatch = Check(
    "redirect.bundle-mismatch", .error, "redirect URI names another bundle id",
    remedy: "register `msauth.BUNDLE-ID://auth`, and keep the old URI while the old app is in use",
    happened: "The host of a redirect URI is not a bundle id of this project.",
    because: "A broker sends its answer only to the app whose bundle id the URI names.")

  static let redirectADALForm = Check(
    "redirect.adal-form", .note, "redirect URI in ADAL's form",
    remedy: "keep it, or better use `msauth.BUNDLE-ID://auth`",
    happened: "The redirect URI is `SCHEME://BUNDLE-ID`.",
    because: "MSAL accepts it while the scheme is registered.")

  static let authorityClosedCloud = Check(
    "authority.closed-cloud", .error, "the cloud of this authority is closed",
    remedy: "use another authority",
    happened: "The code names `login.microsoftonline.de`.",
    because: "Microsoft Cloud Germany is closed, and its tokens cannot be renewed.",
    team: "Users sign in once with the authority of their new cloud.")

  static let authorityADFS = Check(
    "authority.adfs", .error, "AD FS is used directly",
    remedy: "use a Microsoft Entra authority; users sign in once",
    happened: "The path of an authority begins with `/adfs`.",
    because: "MSAL for iOS and macOS does not sign in at AD FS by itself.")

  static let authorityB2C = Check(
    "authority.b2c", .error, "an authority of Azure AD B2C",
    remedy: "use `MSALB2CAuthority` and `knownAuthorities`; tokens are not converted",
    happened: "An authority has B2C's host, path or policy parameter.",
    because: "ADAL was not made for B2C, and rows of its preview for B2C are not converted.")

  static let authorityDomain = Check(
    "authority.domain", .warning, "the authority names the tenant by a domain",
    remedy: "nothing in code; the migration converts such rows if an ID token names the tenant",
    happened: "The tenant in an authority is a domain name.",
    because: "MSAL stores tokens under the tenant's id, and its fallback does not find rows under "
      + "a domain.")

  static let authorityValidationOff = Check(
    "authority.validation-off", .warning, "the authority is not validated",
    remedy: "put the authority into `knownAuthorities` of the configuration",
    happened: "A context is created with `validateAuthority` off.",
    because: "MSAL trusts its known hosts and the hosts in its configuration.")

  static let authorityUnknownHost = Check(
    "authority.unknown-host", .warning, "the host of the authority is unknown",
    remedy: "put it into `knownAuthorities`, and migrate with `--allow-host`",
    happened: "The host of an authority belongs to no cloud that MSAL knows.",
    because: "Rows of unknown hosts are converted only if you allow the host.")

  static let resourceAADGraph = Check(
    "resource.aad-graph", .error, "Azure AD Graph is closed",
    remedy: "use Microsoft Graph, `https://graph.microsoft.com`",
    happened: "The code names `graph.windows.net`.",
    because: "The service was closed in 2025.")

  static let resourceDiscovery = Check(
    "resource.discovery", .error, "the Office 365 discovery service is closed",
    remedy: "use Microsoft Graph",
    happened: "The code names `https://api.office.com/discovery`.",
    because: "The service was closed in 2019.")

  static let resourceTrailingSlash = Check(
    "resource.trailing-slash", .note, "the resource ends in a slash",
    remedy: "keep both slashes in the scope: `…//.default`",
    happened: "A resource ends in `/`.",
    because: "The scope is the resource with `/.default` added. With one slash it is another "
      + "scope, and MSAL does not find the token.")

  static let clientChanged = Check(
    "client.changed", .error, "MSAL's client id differs from ADAL's",
    remedy: "keep the registration",
    happened: "The code configures MSAL with another client id than ADAL.",
    because: "A refresh token works only for its client: with another client id, all users must "
      + "sign in again.")

  static let deployTarget = Check(
    "deploy.target", .error, "target is older than MSAL supports",
    remedy: "raise the deployment target, or take an older MSAL",
    happened: "A deployment target is lower than the one that this MSAL needs.",
    because: "The package manager or the linker rejects it.",
    team: "Name the MSAL release that you will use with `--msal`. Users on older systems keep the "
      + "app's old release.")

  static let openURLMissing = Check(
    "app.open-url-missing", .warning, "the broker's answer is not handled",
    remedy: "call `handleMSALResponse` in `application(_:open:options:)`, with scenes in "
      + "`scene(_:openURLContexts:)`",
    happened: "No code passes the broker's URL to MSAL, or only the app delegate does although "
      + "the app has scenes.",
    because: "Without it, a sign-in through the broker never finishes. In an app with scenes, the "
      + "system does not call the app delegate.")

  static let appExtension = Check(
    "app.extension", .warning, "an app extension signs in",
    remedy: "link `MSAL/extension` and call silently only",
    happened: "An extension has files that use ADAL.",
    because: "MSAL for extensions has no interactive calls. The app signs in, and the extension "
      + "shares its keychain group.")

  static let tokenSaved = Check(
    "app.token-saved", .warning, "a token is saved outside the keychain",
    remedy: "make a silent call each time, and delete the saved value",
    happened: "The code stores an access or refresh token in the user defaults.",
    because:
      "User defaults are not encrypted and are part of backups. MSAL renews tokens by itself.",
    team: "Remove the old value at the first start of the new release.")

  static let cookieSignOut = Check(
    "app.cookie-sign-out", .warning, "signing out deletes cookies",
    remedy:
      "use `signoutFromBrowser` in `MSALSignoutParameters`, or `prefersEphemeralWebBrowserSession`",
    happened: "The code deletes cookies of the web view.",
    because: "MSAL uses the system's web view. The app cannot delete its cookies.")

  static let clientUnseen = Check(
    "evidence.client-unseen", .warning, "no row of this client is in the cache",
    remedy: "use a cache of this app, or keep the client id",
    happened: "The code names a client id for which the cache has no row.",
    because: "Either the cache belongs to another app, or the client id changes. With another "
      + "client id, all users must sign in again.")

  static let clientUnlisted = Check(
    "evidence.client-unlisted", .warning, "the cache has rows of another client",
    remedy: "convert all clients in one run",
    happened: "The cache has rows of a client that neither code nor property lists name, usually "
      + "another app of the same group.",
    because: "Once MSAL has an account, it no longer shows ADAL's rows of clients that were not "
      + "converted.")

  static let groupDiffers = Check(
    "evidence.group-differs", .error, "the rows are in another keychain group",
    remedy: "set `cacheConfig.keychainSharingGroup`, or migrate into the app's group",
    happened: "The rows of the cache are in groups that the app does not read.",
    because: "MSAL reads one group. If some rows are in it, the finding is a warning.")

  static let resourceUnlisted = Check(
    "evidence.resource-unlisted", .note,
    "the cache has tokens for a resource that the code does not name",
    remedy: "add its scope to the plan",
    happened: "The cache has tokens for a resource that the code chooses at run time.",
    because: "Each resource becomes a scope.")
}
