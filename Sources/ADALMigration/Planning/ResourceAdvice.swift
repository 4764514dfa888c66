// SPDX-License-Identifier: MIT
import MSALCache

/// The advice about a resource as a scope (mapping-rules §3.1).
struct ResourceAdvice: Sendable {
  /// The kind of an unusual resource; nil for a usual one.
  private let kind: Reason?
  private let endsInSlash: Bool

  private static let aadGraph: Set<String> = [
    "https://graph.windows.net", "00000002-0000-0000-c000-000000000000",
  ]
  private static let deviceRegistration = "urn:ms-drs:enterpriseregistration.windows.net"

  init(_ resource: String) {
    let lower = resource.lowercasedLikeNSString
    endsInSlash = lower.hasSuffix("/")
    if lower == Self.deviceRegistration {
      kind = .resourceDRS
    } else if Self.aadGraph.contains(endsInSlash ? String(lower.dropLast()) : lower) {
      kind = .resourceAADGraphRetired
    } else {
      kind = Self.isUsual(lower) ? nil : .resourceUnusual
    }
  }

  /// The advice; empty for a usual resource.
  ///
  /// - Parameter isClient: whether the resource is the client that asks.
  func reasons(isClient: Bool) -> ReasonSet {
    var reasons = ReasonSet()
    if let kind = isClient ? .resourceIsClient : kind { reasons.insert(kind) }
    if endsInSlash { reasons.insert(.resourceTrailingSlash) }
    return reasons
  }

  /// Whether access tokens for the resource are never migrated.
  func isNeverCarried(isClient: Bool) -> Bool { isClient || kind == .resourceDRS }

  /// An `https` or `api` URL without query and fragment, or the id of an app.
  private static func isUsual(_ resource: String) -> Bool {
    if resource.isGUID { return true }
    guard resource.hasPrefix("https://") || resource.hasPrefix("api://"),
      !resource.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return false }
    return resource.isOneWord || !resource.contains(where: \.isWhitespace)
  }
}
