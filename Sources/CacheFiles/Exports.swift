// SPDX-License-Identifier: MIT

// A module that imports CacheFiles can use the types of its parameters and errors: `StoreError`, `ItemStore`,
// `KeychainItem`, `TokenSecret`.
@_exported import KeychainItems
