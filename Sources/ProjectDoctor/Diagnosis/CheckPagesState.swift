// SPDX-License-Identifier: MIT

// The pages on what MSAL needs in the project, and what a cache says about it.

extension Check {
  static let groupCustom = Check(
    "keychain.group-custom", .warning, "ADAL's rows are in a keychain group of the app's choice",
    remedy: "set `cacheConfig.keychainSharingGroup` to the same group, or write to MSAL's group",
    happened: "The code sets the keychain group of ADAL's cache.",
    because: "MSAL reads one group, by default `com.microsoft.adalcache`.",
    team: """
      Migrate with `--access-group` in the dry run, and keep the group in the entitlements.
      """)

  static let groupPrivate = Check(
    "keychain.group-private", .warning, "ADAL's rows are in the app's own keychain group",
    remedy: "set `cacheConfig.keychainSharingGroup` to the bundle id, or write to MSAL's group",
    happened: "The code sets the keychain group of ADAL's cache to nil.",
    because: """
      Since ADAL 1.2.10, nil means the app's own group, the bundle id. Before, it meant the \
      first group in the entitlements. MSAL uses `com.microsoft.adalcache` by default.
      """,
    team: "Name the group in the dry run with `--access-group`.")

  static let groupNotEntitled = Check(
    "keychain.group-not-entitled",
    .error, "the keychain group in the code is not in the entitlements",
    remedy: "add it to `keychain-access-groups`",
    happened: "The code names a keychain group that the target's entitlements do not have.",
    because: "MSAL cannot open a group that the app is not entitled to.")

  static let groupMissing = Check(
    "keychain.group-missing", .warning, "`com.microsoft.adalcache` is not in the entitlements",
    remedy: "add `$(AppIdentifierPrefix)com.microsoft.adalcache` to `keychain-access-groups`",
    happened: """
      The entitlements of an iOS app do not have the group that ADAL and MSAL use by default.
      """,
    because: """
      Without it, MSAL cannot save tokens on a device. The finding is a warning because \
      signing may add the group.
      """)

  static let universalStorageMissing = Check(
    "keychain.universal-storage-missing",
    .warning, "`com.microsoft.identity.universalstorage` is not in the entitlements",
    remedy: """
      add `$(AppIdentifierPrefix)com.microsoft.identity.universalstorage` to \
      `keychain-access-groups`
      """,
    happened: "The entitlements of a macOS app do not have MSAL's group on the Mac.",
    because: "MSAL stores its cache there by default.")

  static let querySchemesMissing = Check(
    "plist.query-schemes-missing",
    .error, "`msauthv2` and `msauthv3` are not both in LSApplicationQueriesSchemes",
    remedy: "add `msauthv2` and `msauthv3`",
    happened: "Info.plist does not let the app check for a broker.",
    because: """
      MSAL does not start if the redirect URI is one for brokers and these schemes are \
      missing.
      """)

  static let urlSchemeMissing = Check(
    "plist.url-scheme-missing", .error, "no URL scheme for MSAL's answers",
    remedy: "register `msauth.BUNDLE-ID` in CFBundleURLTypes",
    happened: "Info.plist registers no URL scheme for MSAL's redirect URI.",
    because: "MSAL does not start if the scheme of its redirect URI is not registered.")

  static let urlSchemeReserved = Check(
    "plist.url-scheme-reserved", .error, "a URL scheme that belongs to the broker",
    remedy: "use `msauth.BUNDLE-ID`",
    happened: """
      Info.plist registers `msauth`, `msauthv2` or `msauthv3` as the app's own scheme.
      """,
    because: """
      The App Store rejects it, because these schemes belong to Microsoft's broker apps. Put \
      them into LSApplicationQueriesSchemes.
      """)

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
}
