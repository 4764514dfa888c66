// SPDX-License-Identifier: MIT

// The pages on imports and token stores.

extension CheckText {
  static let importADAL = CheckText(
    .note, "ADAL is imported",
    remedy: "write `import MSAL`, or `#import <MSAL/MSAL.h>`",
    happened: """
      A source file, a bridging header or a precompiled header imports ADAL or one of its \
      headers.
      """,
    because: "MSAL has one header and one module for everything.")

  static let importInternal = CheckText(
    .warning, "a private header of ADAL is imported",
    remedy: "find out what it was for; MSAL has no counterpart",
    happened: "A source file imports a header that ADAL does not publish.",
    because: "What is behind it is not promised by any version and does not exist in MSAL.",
    team: """
      Write down what the app needs it for: reading items by itself is what the migration's \
      report is for.
      """)

  static let customStore = CheckText(
    .error, "tokens are kept in a store of the app's own",
    remedy: "export the store as items or as an archive and migrate from there",
    happened: """
      A class adopts ADAL's protocol for token stores, or a context is created with a store.
      """,
    because: """
      Tokens in such a store are in no keychain group that the migration reads by itself, and \
      MSAL on iOS has no counterpart.
      """,
    team: "The library migrates from any list of items: give it what the store holds.")

  static let macArchive = CheckText(
    .warning, "the app keeps ADAL's archive itself",
    remedy: """
      migrate with `.blob(…)`; set `cacheConfig.serializedADALCache` while apps with ADAL are \
      left
      """,
    happened: "On macOS the app stores ADAL's cache through a delegate, as one archive.",
    because: """
      MSAL on macOS keeps its cache in the keychain. It can read and write such an archive \
      beside it through `MSALSerializedADALCacheProvider`.
      """,
    team: """
      Migrate from the bytes that the delegate stores, then hand the archive to MSAL if other \
      apps with ADAL share it.
      """)
}
