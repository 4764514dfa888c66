// SPDX-License-Identifier: MIT

// The pages on how ADAL gets in.

extension CheckText {
  static let adalDeclared = CheckText(
    .note, "ADAL is a dependency",
    remedy: """
      replace it by `pod 'MSAL', '~> 2.14.0'` or MSAL's Swift package, in the release that \
      brings the migration
      """,
    happened: """
      A dependency file names ADAL: a Podfile, a Cartfile, a submodule, or a Swift package. A \
      podspec is read for the version alone.
      """,
    because: """
      ADAL and MSAL share classes, so an app has one or the other. The release that takes MSAL \
      in is also the one that has to move the sign-ins, since it is the first that no longer \
      reads ADAL's cache by itself.
      """,
    team: """
      Take the line out in the same change that adds MSAL, and keep the old version at hand \
      for devices that update late.
      """)

  static let adalVersion = CheckText(
    .note, "people have the cache of this ADAL",
    remedy: "nothing to do",
    happened: """
      The lock file says which ADAL the app was built with, and so what is in the keychain of \
      the people who use it.
      """,
    because: """
      ADAL 1.x wrote its own items and no home account id. Versions 2.0 to 2.6 wrote archived \
      items that MSAL reads by user name only. Version 2.7 and later wrote MSAL's own entries \
      beside them, with home account ids, in groups that MSAL reads.
      """,
    team: """
      Test the migration with a cache of this very version; older ones may still be on devices \
      that never updated.
      """)

  static let adalVendored = CheckText(
    .warning, "a copy of ADAL is in the project",
    remedy: "delete the copy together with its last use",
    happened: """
      A folder of the project holds ADAL itself: its headers, a framework or its bundle. Files \
      in such a folder count as ADAL and not as the app.
      """,
    because: """
      A copy is not updated by a package manager, may have been changed, and stays linked when \
      only the dependency line goes.
      """,
    team: """
      Compare the copy with the release it came from before you rely on what this version is \
      known to store.
      """)

  static let adalLinked = CheckText(
    .note, "the Xcode project links or copies ADAL itself",
    remedy: "remove it from the project and from its Link, Embed and Copy phases",
    happened: """
      The Xcode project has a file reference to ADAL's framework, library, project, bundle or \
      storyboards.
      """,
    because: """
      A reference that is left over links ADAL beside MSAL, or breaks the build once the files \
      are gone.
      """)

  static let adalPlugin = CheckText(
    .warning, "a plugin brings ADAL",
    remedy: "use a plugin that takes MSAL, and run the migration in native code before it starts",
    happened: """
      A Cordova, React Native or NativeScript plugin that wraps ADAL is a dependency of the \
      app, or a plugin of yours asks for ADAL.
      """,
    because: """
      Such plugins were not moved to MSAL. Their cache is ADAL's ordinary one, so its contents \
      can be carried.
      """,
    team: """
      The migration is native code: call it when the app starts, before the new plugin asks \
      for a token.
      """)

  static let adalTransitive = CheckText(
    .warning, "another dependency needs ADAL",
    remedy: "move that SDK first; with ADAL 2.7 or later it keeps MSAL out",
    happened: """
      The lock file lists ADAL under another pod: it is in the app because that pod asks for \
      it.
      """,
    because: """
      As long as it is linked, MSAL cannot be, since ADAL 2.7 and later have classes of the \
      same names.
      """,
    team: "Look for a release of the SDK that takes MSAL or a token provider.")

  static let adalBesideMSAL = CheckText(
    .error, "one target has ADAL and MSAL",
    remedy: "replace ADAL in one release; keep both only for tests, with ADAL 2.6.10",
    happened: "ADAL and MSAL are dependencies of the same target.",
    because: """
      ADAL 2.7 and later and MSAL contain the same classes, and one process cannot hold both. \
      ADAL 2.6 and earlier share fewer, which works and is not supported.
      """,
    team: """
      Migrate in one release. For tests that compare both, put each into a target of its own.
      """)

  static let adalFork = CheckText(
    .warning, "not a release of ADAL",
    remedy: "inspect a real cache before you trust the version",
    happened: """
      The dependency points at a branch, a commit, a folder or another repository than ADAL's \
      own.
      """,
    because: "A fork may store something else than the release it came from.",
    team: "Read a snapshot from a test device with `adal2msal inspect` first.")

  static let sdkWithADAL = CheckText(
    .warning, "an SDK takes an ADAL context",
    remedy: "replace it by the Microsoft Graph SDK with a token provider that asks MSAL",
    happened: """
      The app uses an SDK for Office 365 or OneDrive that is built on ADAL, or its \
      `ADALDependencyResolver`.
      """,
    because: """
      These SDKs are retired; their calls need an `ADAuthenticationContext`, which is gone \
      after the move.
      """)

  static let intuneSDK = CheckText(
    .warning, "the Intune SDK uses the app's sign-in library",
    remedy: """
      take an Intune SDK that works with MSAL (2020 and later) and put MSAL's redirect URI \
      into `IntuneMAMSettings`
      """,
    happened: """
      The Intune App SDK is linked beside ADAL. It finds the sign-in library in the app and \
      uses it.
      """,
    because: """
      Versions since 2020 take MSAL. The keys `ADALClientId`, `ADALAuthority` and \
      `ADALRedirectUri` keep these names with MSAL, so they are never findings.
      """,
    team: "Update the Intune SDK in the same release, and enroll a test account again.")
}
