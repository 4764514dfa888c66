// SPDX-License-Identifier: MIT

// The pages on imports and token stores.

extension Check {
  static let importADAL = Check(
    "import.adal", .note, "ADAL is imported",
    remedy: "write `import MSAL`, or `#import <MSAL/MSAL.h>`",
    happened: """
      A source file, a bridging header or a precompiled header imports ADAL or one of its \
      headers.
      """,
    because: "MSAL has one header and one module for everything.")

  static let importInternal = Check(
    "import.adal-internal", .warning, "a private header of ADAL is imported",
    remedy: "find out its purpose; MSAL has no counterpart",
    happened: "A source file imports a header that ADAL does not publish.",
    because: "It is not part of ADAL's public interface and does not exist in MSAL.",
    team: """
      Note why the app needs it. To learn the accounts in a cache, use the migration's report.
      """)

  static let customStore = Check(
    "store.custom", .error, "the app stores tokens in its own store",
    remedy: "export the store as items or as an archive and migrate from there",
    happened: """
      A class adopts ADAL's protocol for token stores, or a context is created with a store.
      """,
    because: """
      The migration does not read such a store by itself, and MSAL on iOS has no counterpart.
      """,
    team: "The library migrates from any list of items: pass it the store's items.")

  static let macArchive = Check(
    "store.mac-archive", .warning, "the app keeps ADAL's archive itself",
    remedy: """
      migrate with `.blob(…)`; set `cacheConfig.serializedADALCache` while other apps use ADAL
      """,
    happened: "On macOS the app stores ADAL's cache through a delegate, as one archive.",
    because: """
      MSAL on macOS stores its cache in the keychain. It can also read and write such an \
      archive through `MSALSerializedADALCacheProvider`.
      """,
    team: """
      Migrate from the bytes that the delegate stores. Then pass the archive to MSAL if other \
      apps with ADAL share it.
      """)
}
