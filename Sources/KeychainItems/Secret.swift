// SPDX-License-Identifier: MIT

/// Bytes that nobody may see by accident: a token, a key, an item's data.
///
/// A secret prints as `[redacted, n bytes]` wherever it turns up: in `print`, `debugPrint`, `dump` and
/// in the description of any value that holds it. It compares in full and is not `Codable`.
public struct Secret: Sendable, Hashable {
  private let bytes: [UInt8]

  /// A secret of these bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A secret of the UTF-8 bytes of `text`.
  public init(_ text: String) {
    self.bytes = Array(text.utf8)
  }

  /// How many bytes the secret has.
  public var count: Int { bytes.count }

  /// Whether there is nothing to hide.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The bytes themselves. Every call carries a comment that says why it needs them.
  public func reveal() -> [UInt8] { bytes }

  /// The bytes as text, or nil if they are not UTF-8. Every call carries a comment that says why it
  /// needs them.
  public func revealText() -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    // A repaired character shows as a difference in the bytes; the validating initialiser of the
    // standard library is newer than the systems that this library runs on.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "[redacted, \(bytes.count) bytes]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
