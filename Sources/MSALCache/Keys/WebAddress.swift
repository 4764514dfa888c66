// SPDX-License-Identifier: MIT
import CacheJSON

/// A URL split at its delimiters, `scheme://hostAndPort/path?query#fragment`. Each part is as it is spelled, without
/// decoding or checks. All other code that splits URLs starts from these parts.
package struct WebAddress: Sendable {
  private let text: String
  /// The ends of the parts in bytes, which are all at a delimiter or the end of the text.
  private let ends: (scheme: Int, host: Int, path: Int, query: Int)

  /// The parts of a text, nil where no `://` follows its first name.
  package init?(_ text: String) {
    var text = text
    guard let ends = text.withUTF8({ Self.ends(in: $0) }) else { return nil }
    self.text = text
    self.ends = ends
  }

  private static func ends(
    in text: UnsafeBufferPointer<UInt8>
  ) -> (scheme: Int, host: Int, path: Int, query: Int)? {
    let scheme = text.index(of: colon, from: 0)
    guard beforeHost.withUTF8Buffer({ text[scheme...].starts(with: $0) }) else { return nil }
    let start = scheme + beforeHost.utf8CodeUnitCount
    let query = text.index(of: UInt8(ascii: "#"), from: start)
    let path = min(text.index(of: UInt8(ascii: "?"), from: start), query)
    return (scheme, min(text.index(of: slash, from: start), path), path, query)
  }

  /// The part before the colon.
  package var scheme: Substring { part(0, ends.scheme) }

  /// The host, with a port and a user name if they are spelled.
  package var hostAndPort: Substring {
    part(ends.scheme + Self.beforeHost.utf8CodeUnitCount, ends.host)
  }

  /// Begins with a slash, or is empty.
  package var path: Substring { part(ends.host, ends.path) }

  /// The part after the question mark.
  package var query: Substring { part(min(ends.path + 1, ends.query), ends.query) }

  private func part(_ start: Int, _ end: Int) -> Substring {
    let start = text.utf8.index(text.startIndex, offsetBy: start)
    return Substring(text.utf8[start..<text.utf8.index(text.startIndex, offsetBy: end)])
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

  private static let beforeHost: StaticString = "://"
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
