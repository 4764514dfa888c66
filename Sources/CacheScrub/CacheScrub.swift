// SPDX-License-Identifier: MIT
import CacheJSON

/// Makes another cache of a cache: of the same shape, with other contents.
///
/// Every token, name, identifier and host of a tenant becomes another one, the same one everywhere, of
/// the same length and kind; so a user stays one user, a guest a guest, equal tokens equal, a JWT
/// a JWT with the same claims and dates. Only words that are common to all caches stay: a word that
/// no list has is replaced.
package struct CacheScrub {
  var names: Pseudonyms
  /// Identifiers that stay, in lower case.
  let kept: Set<String>
  /// The current nesting of texts.
  var nesting = 0

  /// The deepest nesting of texts in texts and archives in archives that is read. Deeper content becomes noise.
  static let deepest = 8

  /// - Parameters:
  ///   - seed: Equal seeds give equal words. With the seed, it is possible to test guesses of a word.
  ///   - kept: Identifiers that stay, such as client ids.
  ///   - avoided: The content of the cache. No new word is part of it.
  package init(
    seed: [UInt8], keeping kept: Set<String> = [], avoiding avoided: SourceWindows? = nil
  ) {
    names = Pseudonyms(seed: seed, avoiding: avoided)
    self.kept = Set(kept.map { $0.lowercased() })
  }

  /// Anonymizes the bytes of a cache, or of an item's data.
  package mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
    guard nesting < Self.deepest else { return names.secret(bytes) }
    nesting += 1
    defer { nesting -= 1 }
    if bytes.isEmpty { return bytes }
    if bytes.starts(with: Array("bplist00".utf8)) { return archive(bytes) }
    if let other = dump(bytes) { return other }
    if let other = blob(bytes) { return other }
    if let other = json(bytes) { return other }
    if let text = String(validatingUTF8Bytes: bytes) { return Array(self.text(text).utf8) }
    // Preferences are read though a byte of them is damaged.
    let isMarkup = nesting == 1 && bytes.first == UInt8(ascii: "<")
    return isMarkup
      ? Array(text(String(decoding: bytes, as: UTF8.self)).utf8) : names.secret(bytes)
  }
}

extension String {
  /// The text of these bytes; nil if they are not text or contain control characters.
  init?(validatingUTF8Bytes bytes: [UInt8]) {
    guard !bytes.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else {
      return nil
    }
    self.init(validUTF8: bytes)
  }
}
