// SPDX-License-Identifier: MIT

/// An address `scheme://host/path`, as apps write them; no more of it than rules ask for.
struct WebAddress: Hashable {
  var scheme: String
  /// In lower case, without a port.
  var host: String
  /// Begins with a slash, or is empty; without the query.
  var path: String
  /// What follows the question mark.
  var query: String

  /// Nil where the text is no such address.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), text.utf8.count <= 2048 else { return nil }
    scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    let isScheme = scheme.utf8.allSatisfy { byte in
      Self.schemeBytes.contains(byte)
    }
    guard rest.hasPrefix("//"), !scheme.isEmpty, isScheme else { return nil }
    let tail = rest.dropFirst(2)
    let authority = tail.prefix { !"/?#".contains($0) }
    host = authority.prefix { $0 != ":" }.lowercased()
    let after = tail[authority.endIndex...].prefix { $0 != "#" }
    path = String(after.prefix { $0 != "?" })
    query = String(after.drop { $0 != "?" }.dropFirst())
  }

  private static let schemeBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)

  /// The first name of the path: the tenant of an authority.
  var tenant: String { path.split(separator: "/").first.map(String.init) ?? "" }

  /// Whether a text in lower case has an address with this host.
  static func hasHost(_ host: String, in text: String) -> Bool {
    let needle = "://" + host
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
