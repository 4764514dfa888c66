// SPDX-License-Identifier: MIT
import MSALCache

/// What is to be said about a resource as a scope (mapping-rules §3.1).
struct ResourceAdvice: Sendable {
  /// The advice, none for the usual resource.
  let reasons: [Reason]
  /// Whether an access token for it is left, whatever else speaks for it.
  let isNeverCarried: Bool

  private static let aadGraph: Set<String> = [
    "https://graph.windows.net", "00000002-0000-0000-c000-000000000000",
  ]
  private static let deviceRegistration = "urn:ms-drs:enterpriseregistration.windows.net"

  init(_ resource: String, client: String) {
    let lower = resource.lowercasedLikeNSString
    var bare = lower
    if bare.hasSuffix("/") { bare.removeLast() }
    var reasons: [Reason] = []
    if lower == client {
      reasons.append(.resourceIsClient)
    } else if lower == Self.deviceRegistration {
      reasons.append(.resourceDRS)
    } else if Self.aadGraph.contains(bare) {
      reasons.append(.resourceAADGraphRetired)
    } else if !Self.isUsual(lower) {
      reasons.append(.resourceUnusual)
    }
    if lower.hasSuffix("/") { reasons.append(.resourceTrailingSlash) }
    self.reasons = reasons
    isNeverCarried = reasons.contains(.resourceIsClient) || reasons.contains(.resourceDRS)
  }

  /// An `https` or `api` URL without query and fragment, or the id of an app.
  private static func isUsual(_ resource: String) -> Bool {
    if resource.isGUID { return true }
    guard resource.hasPrefix("https://") || resource.hasPrefix("api://"),
      !resource.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return false }
    return resource.isOneWord || !resource.contains(where: \.isWhitespace)
  }
}
