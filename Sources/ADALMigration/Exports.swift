// SPDX-License-Identifier: MIT

// A module that imports ADALMigration can use the types of its parameters and errors: `StoreError`, `ItemStore`,
// `MemoryStore`, `KeychainItem`, `TokenSecret`.
@_exported import KeychainItems
import MSALCache

/// The reader of all URLs in this package, for modules that know no cache.
package typealias WebAddress = MSALCache.WebAddress
