// SPDX-License-Identifier: MIT
import MSALCache

/// The meaning of an ADAL authority URL: the issuer of the tokens, the cloud and the tenant.
///
/// Read as ADAL and IdentityCore read it: `https`, a host, the first path segment. The rest is ignored (mapping-rules
/// §3.3, adal-cache-format §5.4).
struct Authority: Sendable, Equatable {
  enum Kind: Sendable {
    case aad, adfs, b2c
  }

  /// The tenant segment, as far as it says something by itself.
  enum Tenant: Sendable, Equatable {
    /// `common`: the tokens are from the user's home tenant.
    case common
    /// `organizations`: as `common`, for work accounts.
    case organizations
    /// `consumers`: personal Microsoft accounts.
    case consumers
    /// A tenant id, lower-case.
    case id(String)
    /// A domain name of a tenant, or anything else that is no tenant id.
    case domain(String)
  }

  let kind: Kind
  let tenant: Tenant
  /// The host in lower case, without the port.
  let host: String
  /// The port, unless it is the one of `https`.
  let port: String?

  /// The host as MSAL's `environment` has it: with a port that is not 443.
  let environment: String

  /// The name of the cloud that the host belongs to, or of the host itself where it is unknown: two
  /// authorities with one cloud are aliases of each other.
  let cloud: String

  /// Whether the alias table knows the host.
  let isKnown: Bool
  /// Whether the cloud does not exist any more.
  let isClosed: Bool

  /// The authority of a URL, or nil when it is not an `https` URL with a host and a tenant.
  init?(_ text: String) {
    guard let url = WebAddress(text.normalized), url.scheme == "https" else { return nil }
    let first = url.firstSegment
    let segment = first.trimmed
    guard !segment.isEmpty else { return nil }

    let (name, number) = url.hostAndNumber
    guard Self.isHostName(name) else { return nil }
    host = String(name)
    switch number {
    case nil, "443": port = nil
    case let number?:
      guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        UInt16(number) != nil
      else { return nil }
      port = String(number)
    }
    let known = Cloud.of(host: host)
    isKnown = known != nil
    isClosed = known?.isClosed ?? false
    environment = port.map { "\(name):\($0)" } ?? host
    // No alias has a port.
    cloud = port == nil ? known?.preferredCache ?? host : environment

    if first == "adfs" {
      kind = .adfs
    } else if first == "tfp" || host.hasSuffix(".b2clogin.com") {
      kind = .b2c
    } else if first == "dstsv2" {
      // dSTS is Microsoft's internal service; its first segment is no tenant.
      return nil
    } else {
      kind = .aad
    }
    tenant = Tenant(segment)
  }

  private static func isHostName(_ name: Substring) -> Bool {
    func isOfHost(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    // Nearly every host is ASCII; Unicode's properties of a letter cost fifty times as much.
    return !name.isEmpty
      && (name.utf8.allSatisfy(isOfHost)
        || name.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains($0)
        })
  }
}

extension Authority.Tenant {
  fileprivate init(_ segment: String) {
    switch segment {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers": self = .consumers
    case _ where segment.isGUID: self = .id(segment)
    default: self = .domain(segment)
    }
  }

  /// The tenant id, where the segment is one.
  var id: String? {
    guard case .id(let id) = self else { return nil }
    return id
  }
}
