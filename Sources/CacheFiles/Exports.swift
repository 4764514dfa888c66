// SPDX-License-Identifier: MIT

// A module that imports CacheFiles can name what its functions take and throw: `StoreError`, `ItemStore`,
// `KeychainItem`, `Secret`.
@_exported import KeychainItems
