// SPDX-License-Identifier: MIT
import KeyedArchive

/// A whole cache in one archive: the blob that ADAL for macOS gave to its app (adal-cache-format §3), the file of
/// 0.5-alpha (adal-cache-format §1.10), or one item archived alone.
///
/// ADAL rejects a blob with a single bad entry. Here every entry is read for itself, and those that
/// cannot be read have their reason.
package struct LegacyBlob: Sendable {
  /// In the archive's order.
  package var tokens: [LegacyToken]
  /// The unreadable entries. An entry with an unreadable key has an empty key.
  package var unreadable: [UnreadableToken]
  /// The version number in the wrapper, 1.0 in every release; nil if there is none.
  package var version: Double?

  /// Reads all readable entries.
  ///
  /// - Throws: `KeyedArchiveError` when nothing can: the bytes are no archive, or one of something else
  ///   (`wrong-kind`).
  package init(_ bytes: [UInt8]) throws {
    var reader = try BlobReader(bytes)
    try reader.read()
    (tokens, unreadable) = (reader.tokens, reader.unreadable)
    version = reader.version
    if let secrets = SharedSecrets(reader.items.archive.textsKeptSecret) {
      unreadable = unreadable.map(secrets.checked) + tokens.compactMap(secrets.unreadable)
      tokens.removeAll { secrets.unreadable($0) != nil }
    }
  }
}
