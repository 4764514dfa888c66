// SPDX-License-Identifier: MIT
import CacheJSON

// The documents of a folder are named by home account ids, and other files by their owner.
extension CacheScrub {
  /// The anonymized name of a file. An identifier or a name in it is replaced as in the caches. A usual extension of
  /// caches stays.
  package mutating func fileName(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let kept = parts.dropFirst().reversed().prefix { Self.extensions.contains($0.lowercased()) }
    let stem = parts.dropLast(kept.count).joined(separator: ".")
    let end = kept.reversed().map { ".\($0)" }.joined()
    return Self.encoded(text(Self.decoded(stem), .name), like: stem) + end
  }

  private static let extensions: Set<String> = [
    "adalcache", "bin", "bplist", "cache", "dat", "db", "items", "json", "keychain", "msal",
    "objection",
    "plist", "sqlite", "txt", "xml",
  ]

  /// A name of a document with `%` and two digits as the characters that they stand for.
  private static func decoded(_ name: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A name spelled as the documents of accounts are when the old one was: with `%` for everything but small
  /// letters, digits, `-`, `_` and `.`.
  private static func encoded(_ name: String, like old: String) -> String {
    guard !decoded(old).utf8.elementsEqual(old.utf8) else { return name }
    return name.utf8.reduce(into: "") { result, byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isDigit || ("a"..."z").contains(scalar) || ["-", "_", "."].contains(scalar)
      result += isPlain ? String(scalar) : "%" + Hexadecimal.text(of: [byte])
    }
  }
}
