// SPDX-License-Identifier: MIT
import Foundation

extension String {
  /// Whether the text sorts before (negative), with (0) or after another one by its bytes, which is how a
  /// keychain compares; Swift's own comparison calls texts equal that Unicode calls equivalent.
  package func compareBytes(_ other: String) -> Int {
    let order = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { mine.compare($0) }
    }
    if let order = order ?? nil { return order }
    if utf8.elementsEqual(other.utf8) { return 0 }
    return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }
}

extension String {
  /// Hashes the text by its bytes, as ``compareBytes(_:)`` compares it.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No text in UTF-8 has this byte, so that two texts are not taken for two others.
    hasher.combine(0xFF as UInt8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// As ``Swift/String/compareBytes(_:)``.
  func compare(_ other: Self) -> Int {
    guard let mine = baseAddress, let theirs = other.baseAddress else {
      return count - other.count
    }
    let order = memcmp(mine, theirs, Swift.min(count, other.count))
    return order != 0 ? Int(order) : count - other.count
  }
}
