// SPDX-License-Identifier: MIT

/// A URL taken apart at its signs, `scheme://hostAndPort/path?query#fragment`: each part as it is spelled,
/// nothing decoded and nothing judged. What else takes a URL apart begins with these parts.
package struct WebAddress: Sendable, Equatable {
  /// What stands before the colon.
  package let scheme: Substring
  /// The host, with a port and a user name if they are spelled.
  package let hostAndPort: Substring
  /// Begins with a slash, or is empty.
  package let path: Substring
  /// What follows the question mark.
  package let query: Substring

  /// The parts of a text, nil where no ``beforeHost`` follows its first name.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: Self.colon),
      bytes[colon...].starts(with: Self.beforeHost.utf8)
    else { return nil }
    scheme = text[..<colon]
    let rest = bytes[colon...].dropFirst(Self.beforeHost.utf8.count)
      .prefix { $0 != UInt8(ascii: "#") }
    let place = rest.prefix { $0 != Self.slash && $0 != UInt8(ascii: "?") }
    let way = rest[place.endIndex...].prefix { $0 != UInt8(ascii: "?") }
    hostAndPort = Substring(place)
    path = Substring(way)
    query = Substring(rest[way.endIndex...].dropFirst())
  }

  /// The host and the port, cut at the first colon; no port where there is no colon.
  package var hostAndNumber: (host: Substring, port: Substring?) {
    let bytes = hostAndPort.utf8
    guard let colon = bytes.firstIndex(of: Self.colon) else { return (hostAndPort, nil) }
    return (Substring(bytes[..<colon]), Substring(bytes[colon...].dropFirst()))
  }

  /// The names of the path, without empty ones.
  package var segments: [Substring] {
    path.utf8.split(separator: Self.slash).map { Substring($0) }
  }

  /// The first of them, which names an authority's tenant; empty where there is none.
  package var firstSegment: Substring {
    Substring(path.utf8.drop { $0 == Self.slash }.prefix { $0 != Self.slash })
  }

  /// What stands between scheme and host.
  package static let beforeHost = "://"
  private static let colon = UInt8(ascii: ":")
  private static let slash = UInt8(ascii: "/")
}
