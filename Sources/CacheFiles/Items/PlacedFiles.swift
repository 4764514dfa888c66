// SPDX-License-Identifier: MIT
import KeychainItems

extension ItemText: PlacedStore {}

extension ItemFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    guard let other = other as? ItemFile else { return false }
    return switch (place, other.place) {
    case (.file(let file, _), .file(let another, _)):
      areSame(file.path, another.path)
    // One array is equal to itself at once.
    case (.bytes(let bytes, let name), .bytes(let others, let another)):
      name == another && bytes == others
    case (.file, .bytes), (.bytes, .file): false
    }
  }
}

extension SnapshotFile: PlacedStore {
  package func isSamePlace(as other: any ItemStore) -> Bool {
    (other as? SnapshotFile).map { areSame(path, $0.path) } ?? false
  }
}

/// Whether two paths are known to name one file. Where that cannot be seen, the file is read under both names.
private func areSame(_ one: String, _ other: String) -> Bool {
  one == other || (try? OutputFile(path: one).isSame(as: other)) ?? false
}
