// SPDX-License-Identifier: MIT
import KeychainItems

extension ItemText: PlacedStore {}

extension ItemFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    guard let other = other as? ItemFile else { return false }
    return switch (place, other.place) {
    case (.file(let file, _), .file(let another, _)):
      OutputFile(path: file.path).isSame(as: another.path)
    // One array is equal to itself at once.
    case (.bytes(let bytes, let name), .bytes(let others, let another)):
      name == another && bytes == others
    case (.file, .bytes), (.bytes, .file): false
    }
  }
}

extension SnapshotFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    (other as? SnapshotFile).map { OutputFile(path: path).isSame(as: $0.path) } ?? false
  }
}
