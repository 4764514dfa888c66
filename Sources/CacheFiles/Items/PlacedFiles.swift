// SPDX-License-Identifier: MIT
import KeychainItems

extension ItemText: PlacedStore {}

extension ItemFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    path != nil && (other as? ItemFile)?.path == path
  }
}

extension SnapshotFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    (other as? SnapshotFile)?.path == path
  }
}
