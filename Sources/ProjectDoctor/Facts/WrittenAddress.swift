// SPDX-License-Identifier: MIT

import ADALMigration
import ProjectFiles

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
    let bytes = Array(text.utf8)[...]
    guard let end = bytes.end(of: Array((WebAddress.beforeHost + host).utf8)) else { return false }
    guard let next = String(decoding: bytes[end...], as: UTF8.self).first else { return true }
    return !(next.isLetter || next.isNumber || next == "." || next == "-")
  }
}
