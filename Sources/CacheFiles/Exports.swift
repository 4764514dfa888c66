// SPDX-License-Identifier: MIT

// A module that imports CacheFiles can name what its functions take and throw: `StoreError`, `ItemStore`,
// `KeychainItem`, `TokenSecret`.
@_exported import KeychainItems
