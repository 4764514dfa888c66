// SPDX-License-Identifier: MIT

import ADALMigration

/// An address as apps write it, as far as rules ask for it.
struct WrittenAddress: Hashable {
  /// In lower case.
  var scheme: String
  /// In lower case, without a port.
  var host: String
  /// Begins with a slash, or is empty; without the query.
  var path: String
  /// What follows the question mark.
  var query: String
  /// The first name of the path: the tenant of an authority.
  var tenant: String

  // Real addresses are shorter.
  private static let longest = 2048

  /// Nil where the text is no such address.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let address = WebAddress(text) else { return nil }
    scheme = address.scheme.lowercased()
    guard !scheme.isEmpty, scheme.utf8.allSatisfy(Self.schemeBytes.contains) else { return nil }
    host = address.hostAndNumber.host.lowercased()
    path = String(address.path)
    query = String(address.query)
    tenant = String(address.firstSegment)
  }

  private static let schemeBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)

  /// Whether a text in lower case has an address with this host.
  static func hasHost(_ host: String, in text: String) -> Bool {
    let needle = WebAddress.beforeHost + host
    guard let range = text.firstRange(of: needle) else { return false }
    guard let next = text[range.upperBound...].first else { return true }
    return !(next.isLetter || next.isNumber || next == "." || next == "-")
  }
}

extension String {
  /// Where a text begins in this one first, or nil.
  func firstRange(of text: String) -> Range<Index>? {
    let bytes = Array(utf8)
    let needle = Array(text.utf8)
    guard !needle.isEmpty, bytes.count >= needle.count else { return nil }
    for start in 0...(bytes.count - needle.count) where bytes[start] == needle[0] {
      if bytes[start..<(start + needle.count)] == needle[...] {
        let lower = utf8.index(utf8.startIndex, offsetBy: start)
        return lower..<utf8.index(lower, offsetBy: needle.count)
      }
    }
    return nil
  }
}
