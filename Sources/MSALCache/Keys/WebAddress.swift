// SPDX-License-Identifier: MIT

/// A URL split at its delimiters, `scheme://hostAndPort/path?query#fragment`. Each part is as it is spelled, without
/// decoding or checks. All other code that splits URLs starts from these parts.
package struct WebAddress: Sendable, Equatable {
  /// The part before the colon.
  package let scheme: Substring
  /// The host, with a port and a user name if they are spelled.
  package let hostAndPort: Substring
  /// Begins with a slash, or is empty.
  package let path: Substring
  /// The part after the question mark.
  package let query: Substring

  /// The parts of a text, nil where no ``beforeHost`` follows its first name.
  package init?(_ text: String) {
    let (scheme, rest) = text[...].cut { $0 == Self.colon }
    guard rest.utf8.starts(with: Self.beforeHost.utf8) else { return nil }
    let address = Substring(rest.utf8.dropFirst(Self.beforeHost.utf8.count))
      .cut { $0 == UInt8(ascii: "#") }.head
    let (place, way) = address.cut { $0 == Self.slash || $0 == UInt8(ascii: "?") }
    let (path, query) = way.cut { $0 == UInt8(ascii: "?") }
    self.scheme = scheme
    hostAndPort = place
    self.path = path
    self.query = Substring(query.utf8.dropFirst())
  }

  /// The host and the port, cut at the first colon; no port where there is no colon.
  package var hostAndNumber: (host: Substring, port: Substring?) {
    let (host, number) = hostAndPort.cut { $0 == Self.colon }
    return (host, number.isEmpty ? nil : Substring(number.utf8.dropFirst()))
  }

  /// The names of the path, without empty ones.
  package var segments: [Substring] {
    path.utf8.split(separator: Self.slash).map { Substring($0) }
  }

  /// The first path segment, which names an authority's tenant; empty if there is none.
  package var firstSegment: Substring {
    path.cut { $0 != Self.slash }.tail.cut { $0 == Self.slash }.head
  }

  /// The text between scheme and host.
  package static let beforeHost = "://"
  private static let colon = UInt8(ascii: ":")
  private static let slash = UInt8(ascii: "/")
}

extension Substring {
  /// The part before the first delimiter, and the rest from that delimiter on.
  fileprivate func cut(where isSign: (UInt8) -> Bool) -> (head: Substring, tail: Substring) {
    let offset = utf8.withContiguousStorageIfAvailable { $0.firstIndex(where: isSign) ?? $0.count }
    let place =
      offset.map { utf8.index(startIndex, offsetBy: $0) }
      ?? utf8.firstIndex(where: isSign) ?? endIndex
    return (self[..<place], self[place...])
  }
}
