// SPDX-License-Identifier: MIT

// Whoever imports ADALMigration can name what its functions take and throw: `StoreError`, `ItemStore`,
// `MemoryStore`, `KeychainItem`, `Secret`.
@_exported import KeychainItems
