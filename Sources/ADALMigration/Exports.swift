// SPDX-License-Identifier: MIT

// A module that imports ADALMigration can name what its functions take and throw: `StoreError`, `ItemStore`,
// `MemoryStore`, `KeychainItem`, `TokenSecret`.
@_exported import KeychainItems
import MSALCache

/// What reads every URL in the house; for rooms that know no cache.
package typealias WebAddress = MSALCache.WebAddress
