// SPDX-License-Identifier: MIT
import CacheFiles
import KeychainItems

/// The schemes that name a store of keychain items (contract §2). A new store is a case here.
enum StoreScheme: String, CaseIterable {
  case keychain
  case snapshot = "sqlite"
  case items

  /// Whether a path follows the scheme. Else it is an access group, which may be missing.
  var isOfFile: Bool { self != .keychain }

  /// The store of this name.
  ///
  /// - Parameter missing: what it means that there is no file.
  func store(
    _ name: String, missing: SnapshotFile.Missing = .isAnError
  ) -> any ItemStore {
    switch self {
    case .keychain: SystemKeychain(accessGroup: name.isEmpty ? nil : name)
    case .snapshot: SnapshotFile(path: name, missing: missing)
    case .items: ItemFile(path: name, missing: missing)
    }
  }
}
