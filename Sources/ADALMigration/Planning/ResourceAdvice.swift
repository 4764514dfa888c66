// SPDX-License-Identifier: MIT
import MSALCache

/// What is to be said about a resource as a scope (mapping-rules §3.1).
struct ResourceAdvice: Sendable {
  /// What kind of resource it is; nil for the usual one.
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

  /// The advice, none for the usual resource.
  ///
  /// - Parameter isClient: whether the resource is the very client that asks.
  func reasons(isClient: Bool) -> ReasonSet {
    var reasons = ReasonSet()
    if let kind = isClient ? .resourceIsClient : kind { reasons.insert(kind) }
    if endsInSlash { reasons.insert(.resourceTrailingSlash) }
    return reasons
  }

  /// Whether an access token for it is left, whatever else speaks for it.
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
