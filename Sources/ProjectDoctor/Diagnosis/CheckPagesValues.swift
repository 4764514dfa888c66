// SPDX-License-Identifier: MIT

// The pages on what MSAL needs in the project, and what a cache says about it.

extension CheckText {
  static let authorityClosedCloud = CheckText(
    .error, "the cloud of this authority is closed",
    remedy: "use another authority",
    happened: "The code names `login.microsoftonline.de`.",
    because: "Microsoft Cloud Germany is closed; tokens from there cannot be renewed.",
    team: "People sign in once with the authority of their new cloud.")

  static let authorityADFS = CheckText(
    .error, "AD FS is used directly",
    remedy: "use a Microsoft Entra authority; people sign in once",
    happened: "The path of an authority begins with `/adfs`.",
    because: "MSAL for iOS and macOS does not sign in at AD FS by itself.")

  static let authorityB2C = CheckText(
    .error, "an authority of Azure AD B2C",
    remedy: "use `MSALB2CAuthority` and `knownAuthorities`; tokens are not carried",
    happened: "An authority has B2C's host, path or policy parameter.",
    because: "ADAL was not made for B2C; what such versions stored is not carried.")

  static let authorityDomain = CheckText(
    .warning, "the authority names the tenant by a domain",
    remedy: "nothing in code; the migration carries such rows where an ID token says the tenant",
    happened: "The tenant in an authority is a domain name.",
    because: """
      MSAL files tokens under the tenant's id and does not find rows under a domain by itself.
      """)

  static let authorityValidationOff = CheckText(
    .warning, "the authority is not validated",
    remedy: "put the authority into `knownAuthorities` of the configuration",
    happened: "A context is created with `validateAuthority` off.",
    because: "MSAL trusts the hosts it knows and those that the configuration names.")

  static let authorityUnknownHost = CheckText(
    .warning, "the host of the authority is unknown",
    remedy: "put it into `knownAuthorities`, and migrate with `--allow-host`",
    happened: "The host of an authority belongs to no cloud that MSAL knows.",
    because: "Rows of unknown hosts are not carried unless they are allowed.")

  static let resourceAADGraph = CheckText(
    .error, "Azure AD Graph is closed",
    remedy: "use Microsoft Graph, `https://graph.microsoft.com`",
    happened: "The code names `graph.windows.net`.",
    because: "The service was closed in 2025.")

  static let resourceDiscovery = CheckText(
    .error, "the Office 365 discovery service is closed",
    remedy: "use Microsoft Graph",
    happened: "The code names `https://api.office.com/discovery`.",
    because: "The service was closed in 2019.")

  static let resourceTrailingSlash = CheckText(
    .note, "the resource ends in a slash",
    remedy: "keep both slashes in the scope: `…//.default`",
    happened: "A resource ends in `/`.",
    because: """
      The scope is the resource and `/.default`. With one slash it is another scope, and the \
      token is not found.
      """)

  static let clientChanged = CheckText(
    .error, "MSAL's client id is none of ADAL's",
    remedy: "keep the registration",
    happened: "The code has MSAL with another client id than ADAL.",
    because: """
      A refresh token is good for its client only: with another client id everybody signs in \
      again.
      """)

  static let deployTarget = CheckText(
    .error, "target is older than what MSAL needs",
    remedy: "raise the deployment target, or take an older MSAL",
    happened: "A deployment target is below what the MSAL to move to asks for.",
    because: "The package manager or the linker refuses it.",
    team: """
      Give the MSAL that you are going to use with `--msal`; people on older systems keep the \
      old release.
      """)

  static let openURLMissing = CheckText(
    .warning, "the broker's answer is not handled",
    remedy: """
      call `handleMSALResponse` in `application(_:open:options:)`, with scenes in \
      `scene(_:openURLContexts:)`
      """,
    happened: """
      No code hands the URL that the broker opens to MSAL, or it does so in the app delegate \
      although the app has scenes.
      """,
    because: """
      Without it a sign-in through the broker never ends. With scenes the system does not call \
      the app delegate.
      """)

  static let appExtension = CheckText(
    .warning, "an app extension signs in",
    remedy: "link `MSAL/extension` and call silently only",
    happened: "An extension has files that use ADAL.",
    because: """
      MSAL for extensions has no interactive calls; the app signs in, the extension shares its \
      keychain group.
      """)

  static let tokenSaved = CheckText(
    .warning, "a token is saved outside the keychain",
    remedy: "ask silently each time, and delete the saved value",
    happened: "The code stores an access or refresh token in the user defaults.",
    because: """
      User defaults are not encrypted by the app and go into backups; MSAL renews tokens by \
      itself.
      """,
    team: "Remove the old value at the first start of the new release.")

  static let cookieSignOut = CheckText(
    .warning, "signing out deletes cookies",
    remedy: """
      use `signoutFromBrowser` in `MSALSignoutParameters`, or \
      `prefersEphemeralWebBrowserSession`
      """,
    happened: "The code deletes cookies of the web view.",
    because: "MSAL's web view is the system's: its cookies are not the app's and stay.")

  static let clientUnseen = CheckText(
    .warning, "no row of this client is in the cache",
    remedy: "take the cache of this app, or keep the client id",
    happened: "The code names a client id for which the cache has no row.",
    because: "It is the wrong cache, or the client id changes on the way; then everybody signs in.")

  static let clientUnlisted = CheckText(
    .warning, "the cache has rows of another client",
    remedy: "convert all clients in one run",
    happened: """
      The cache has rows of a client that neither code nor property lists name: another app of \
      the same group.
      """,
    because: """
      Once an account is there, MSAL no longer shows rows of ADAL for clients that were not \
      moved.
      """)

  static let groupDiffers = CheckText(
    .error, "the rows are in another keychain group",
    remedy: "set `cacheConfig.keychainSharingGroup`, or migrate into the app's group",
    happened: "The rows of the cache are in groups that the app will not look into.",
    because: "MSAL reads one group. Where some rows are in it, the finding is a warning.")

  static let resourceUnlisted = CheckText(
    .note, "the cache has tokens for a resource that no literal names",
    remedy: "add its scope to the plan",
    happened: "The cache has tokens for a resource that the code chooses at run time.",
    because: "Each resource becomes a scope.")
}
