// SPDX-License-Identifier: MIT

/// Bytes that must not be shown by accident: a token, a key, an item's data.
///
/// A secret prints as `[redacted, n bytes]` in `print`, `debugPrint`, `dump` and the description of every
/// value that contains it. It compares all bytes and is not `Codable`.
///
/// A secret inside another, such as a token in an item's data, can share its bytes. Memory keeps all of these
/// bytes as long as one of the two secrets exists.
public struct TokenSecret: Sendable, Hashable {
  private let bytes: ArraySlice<UInt8>

  /// A secret of these bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  /// A secret that is a part of other bytes and shares them.
  package init(partOf bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// A secret of the UTF-8 bytes of `text`.
  public init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The text that ADAL and MSAL store for a refresh token that the service rejected (adal-cache-format §1.10).
  package static let tombstone = TokenSecret("<tombstone>")

  /// The secret in bytes of its own.
  package var copied: TokenSecret { TokenSecret(Array(bytes)) }

  /// The number of bytes.
  public var count: Int { bytes.count }

  /// Whether the secret has no bytes.
  public var isEmpty: Bool { bytes.isEmpty }

  package func begins(with start: StaticString) -> Bool {
    start.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// The bytes in clear. Every call has a comment that says why it needs them.
  public func reveal() -> [UInt8] { Array(bytes) }

  /// The bytes in clear as text, or nil if they are not UTF-8. Every call has a comment that says why it
  /// needs them.
  public func revealText() -> String? {
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    // A repaired character shows as a difference in the bytes; the validating initialiser of the
    // standard library is newer than the systems that this library runs on.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}

extension TokenSecret {
  // Element by element, as the compiler would write them, both cost a hundred times as much.

  public static func == (a: TokenSecret, b: TokenSecret) -> Bool {
    a.bytes.withUnsafeBufferPointer { mine in
      b.bytes.withUnsafeBufferPointer { mine.compare($0) == 0 }
    }
  }

  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine($0.number) }
  }
}

extension TokenSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "[redacted, \(count) bytes]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
