// SPDX-License-Identifier: MIT

/// Names the likely kind of bytes that are not an ADAL archive, by their first bytes, for the app that passed them in
/// error. It discloses nothing of the bytes themselves.
package enum BlobLikeness: CaseIterable, Sendable {
  case nothing, zeros, database, propertyList, list, document, adalNET, protected, base64,
    hexadecimal
  case compressed, text, noise

  /// The number of bytes at the beginning that it checks.
  private static let reach = 512

  /// Nil for bytes that begin as an archive does: a damaged archive, or one of something else.
  package init?(_ bytes: [UInt8]) {
    let start = Array(bytes.prefix(Self.reach))
    func begins(_ text: String) -> Bool { start.starts(with: text.utf8) }
    guard !begins("bplist00") else { return nil }
    let word = start.drop { $0 <= 0x20 }
    self =
      if bytes.isEmpty {
        .nothing
      } else if start.allSatisfy({ $0 == 0 }) {
        .zeros
      } else if begins("SQLite format 3\0") {
        .database
      } else if start.starts(with: [0x1F, 0x8B]) || begins("PK\u{3}\u{4}") {
        .compressed
      } else if start.starts(with: [1, 0, 0, 0, 0xD0, 0x8C, 0x9D, 0xDF]) {
        .protected
      } else if let schema = start.first, 1...3 ~= schema,
        start.dropFirst().starts(with: [0, 0, 0])
      {
        .adalNET
      } else if word.starts(with: "<?xml".utf8) || word.starts(with: "<plist".utf8) {
        .propertyList
      } else if word.first == UInt8(ascii: "[") {
        .list
      } else if word.first == UInt8(ascii: "{") {
        .document
      } else if word.starts(with: "YnBsaXN0MD".utf8) {
        .base64
      } else if word.starts(with: "62706c6973".utf8) || word.starts(with: "62706C6973".utf8) {
        .hexadecimal
      } else if start.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || 9...13 ~= $0 }) {
        .text
      } else {
        .noise
      }
  }
}
