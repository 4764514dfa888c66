// SPDX-License-Identifier: MIT

// Whoever imports CacheFiles can name what its functions take and throw: `StoreError`, `ItemStore`,
// `KeychainItem`, `Secret`.
@_exported import KeychainItems
