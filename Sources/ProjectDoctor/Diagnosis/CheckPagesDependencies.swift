// SPDX-License-Identifier: MIT

// The pages on how ADAL gets in.

extension Check {
  static let adalDeclared = Check(
    "deps.adal-declared", .note, "ADAL is a dependency",
    remedy: "replace it with `pod 'MSAL', '~> 2.14.0'` or MSAL's Swift package, in the release "
      + "that brings the migration",
    happened: "A dependency file names ADAL: a Podfile, a Cartfile, a submodule, or a Swift "
      + "package. A podspec is read for the version only.",
    because: "ADAL and MSAL share classes, so an app has one or the other. The release that adds "
      + "MSAL must also run the migration, because it is the first that does not read ADAL's "
      + "cache.",
    team: "Remove the line in the same change that adds MSAL. Note the old version: devices that "
      + "update late have its cache.")

  static let adalVersion = Check(
    "deps.adal-version", .note, "devices have the cache of this ADAL",
    remedy: "test the migration with a cache of exactly this version",
    happened: "The lock file names the ADAL that the app was built with, and so the format of the "
      + "cache on the users' devices.",
    because: "ADAL 1.x wrote its own items and no home account id. Versions 2.0 to 2.6 wrote "
      + "archived items that MSAL reads by user name only. Version 2.7 and later wrote MSAL's own "
      + "entries beside them, with home account ids, in groups that MSAL reads.",
    team: "Test the migration with a cache of exactly this version. Devices that never updated "
      + "may have older ones.")

  static let adalVendored = Check(
    "deps.adal-vendored", .warning, "a copy of ADAL is in the project",
    remedy: "delete the copy together with its last use",
    happened: "A folder of the project contains ADAL itself: its headers, a framework or its "
      + "bundle. Files in such a folder count as ADAL and not as the app.",
    because: "No package manager updates a copy, it may have been changed, and it stays linked if "
      + "only the dependency line is removed.",
    team: "Compare the copy with its release before you rely on the cache format of that version.")

  static let adalLinked = Check(
    "deps.adal-linked", .note, "the Xcode project links or copies ADAL itself",
    remedy: "remove it from the project and from its Link, Embed and Copy phases",
    happened: "The Xcode project has a file reference to ADAL's framework, library, project, "
      + "bundle or storyboards.",
    because: "A remaining reference links ADAL beside MSAL, or breaks the build after the files "
      + "are deleted.")

  static let adalPlugin = Check(
    "deps.adal-plugin", .warning, "a plugin contains ADAL",
    remedy: "use a plugin with MSAL, and run the migration in native code before the plugin starts",
    happened: "A Cordova, React Native or NativeScript plugin that wraps ADAL is a dependency of "
      + "the app, or your own plugin requires ADAL.",
    because: "These plugins were never moved to MSAL. Their cache is ADAL's ordinary one, so it "
      + "can be converted.",
    team: "The migration is native code. Call it when the app starts, before the new plugin "
      + "requests a token.")

  static let adalTransitive = Check(
    "deps.adal-transitive", .warning, "another dependency needs ADAL",
    remedy: "update that SDK first; with ADAL 2.7 or later, MSAL cannot be linked beside it",
    happened: "The lock file lists ADAL under another pod: that pod requires it.",
    because: "MSAL cannot be linked beside it, because ADAL 2.7 and later have classes with the "
      + "same names.",
    team: "Look for a release of the SDK that supports MSAL or a token provider.")

  static let adalBesideMSAL = Check(
    "deps.adal-beside-msal", .error, "one target has ADAL and MSAL",
    remedy: "replace ADAL in one release; keep both only for tests, with ADAL 2.6.10",
    happened: "ADAL and MSAL are dependencies of the same target.",
    because: "ADAL 2.7 and later contain the same classes as MSAL, and one process cannot load "
      + "both. ADAL 2.6 and earlier share fewer classes, which works but is not supported.",
    team: "Migrate in one release. For tests that compare both, put each into a separate target.")

  static let adalFork = Check(
    "deps.adal-fork", .warning, "not a release of ADAL",
    remedy: "inspect a real cache before you trust the version",
    happened: "The dependency points at a branch, a commit, a folder or another repository than "
      + "ADAL's own.",
    because: "A fork may store a different format than its release.",
    team: "Read a snapshot from a test device with `adal2msal inspect` first.")

  static let sdkWithADAL = Check(
    "deps.sdk-with-adal", .warning, "an SDK takes an ADAL context",
    remedy: "replace it with the Microsoft Graph SDK with a token provider that asks MSAL",
    happened: "The app uses an SDK for Office 365 or OneDrive that is built on ADAL, or its "
      + "`ADALDependencyResolver`.",
    because: "These SDKs are retired. Their calls need an `ADAuthenticationContext`, which MSAL "
      + "does not have.")

  static let intuneSDK = Check(
    "deps.intune-sdk", .warning, "the Intune SDK uses the app's sign-in library",
    remedy: "take an Intune SDK that works with MSAL (2020 and later) and put MSAL's redirect URI "
      + "into `IntuneMAMSettings`",
    happened: "The Intune App SDK is linked beside ADAL. It finds the sign-in library in the app "
      + "and uses it.",
    because: "Versions since 2020 support MSAL. The keys `ADALClientId`, `ADALAuthority` and "
      + "`ADALRedirectUri` keep these names with MSAL, so they are never findings.",
    team: "Update the Intune SDK in the same release, and enroll a test account again.")
}
