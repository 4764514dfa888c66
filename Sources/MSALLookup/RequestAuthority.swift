// SPDX-License-Identifier: MIT
import MSALCache

/// The authority that an app asks with, as IdentityCore takes it apart
/// (validation/MSIDAADAuthority.m, MSIDAADTenant.m, MSIDAadAuthorityCache.m).
package struct RequestAuthority: Sendable {
  /// The host in lower case, with a port that is not 443.
  package let environment: String
  /// The first segment of the path, in lower case; whole paths for authorities that are not AAD's.
  package let realm: String
  /// The path that a URL of this authority has, in its own spelling.
  package let path: String
  /// Whether it is one of Entra ID's.
  package let isAAD: Bool
  /// The cloud of the host; nil where the reader knows none.
  package let cloud: Cloud?

  /// The authority as a URL, in the form in which account metadata names it.
  package var url: String { "https://\(environment)/\(path)" }

  /// The authority of this URL, or nil when IdentityCore would refuse it: it wants https, a host and
  /// at least one segment of path.
  ///
  /// - Parameter knowsClouds: whether the reader has instance metadata; without it a host has no alias.
  package init?(_ url: String, knowsClouds: Bool = true) {
    guard let url = WebAddress(likeNSURL: url), let host = url.hostWithPort,
      String(url.scheme).lowercasedLikeNSString == "https"
    else { return nil }
    let segments = url.decodedSegments
    guard let first = segments.first else { return nil }
    environment = host
    switch first.lowercasedLikeNSString {
    case "adfs":
      isAAD = false
      path = first
      realm = "/" + segments.joined(separator: "/")
    case "tfp" where segments.count >= 3:
      isAAD = false
      path = segments.prefix(3).joined(separator: "/")
      realm = segments[1]
    default:
      isAAD = true
      path = first
      realm = first.lowercasedLikeNSString.trimmed
    }
    let known = knowsClouds && isAAD ? Cloud.of(host: host) : nil
    // Instance discovery has no entry for the test clouds.
    cloud = known?.preferredCache.hasSuffix("-ppe.net") ?? false ? nil : known
  }

  /// The hosts whose entries serve this authority: those of its cloud if it is known, or else its own host alone.
  package var aliases: [String] { cloud?.aliases ?? [environment] }
}

// As NSURL takes a URL apart, as far as authorities are made of it.
extension WebAddress {
  /// The parts, or nil when there is no scheme, or a character that no URL has.
  package init?(likeNSURL url: String) {
    guard url.isOneWord || !url.unicodeScalars.contains(where: { $0.isBlank || $0.value < 0x20 })
    else { return nil }
    self.init(url)
  }

  /// The host in lower case, with a port that is not 443 (`msidHostWithPortIfNecessary`); nil for none.
  package var hostWithPort: String? {
    let sign = UInt8(ascii: "@")
    let place =
      hostAndPort.utf8.contains(sign)
      ? hostAndPort.utf8.split(separator: sign).last : hostAndPort.utf8
    guard let place, !place.isEmpty else { return nil }
    let host = String(Substring(place)).lowercasedLikeNSString
    return host.hasSuffix(":443") ? String(host.dropLast(4)) : host
  }

  /// The names of the path, percent-decoded.
  package var decodedSegments: [String] { segments.map(Self.decoded) }

  private static func decoded(_ segment: Substring) -> String {
    guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
    var bytes: [UInt8] = []
    var rest = segment.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits[0], let low = digits[1] {
        bytes.append(UInt8(high << 4 | low))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
