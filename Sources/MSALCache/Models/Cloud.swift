// SPDX-License-Identifier: MIT

/// A Microsoft cloud: the hosts that are one environment, and the one that caches are keyed by.
///
/// MSAL learns the aliases from the service each time it runs; off line there is this table
/// (mapping-rules §3.3; MSAL.NET's Instance/Discovery/KnownMetadataProvider.cs).
package struct Cloud: Sendable, Equatable {
  /// The host that is written as `environment`.
  package let preferredCache: String
  /// The host that apps sign in with, unless they are configured with another.
  package let preferredNetwork: String
  /// Every host of the cloud, ``preferredCache`` first.
  package let aliases: [String]
  /// Whether the cloud does not exist any more, so that its tokens cannot be redeemed.
  package let isClosed: Bool

  private init(
    _ preferredCache: String, _ others: String..., preferredNetwork: String? = nil,
    isClosed: Bool = false
  ) {
    self.preferredCache = preferredCache
    self.preferredNetwork = preferredNetwork ?? preferredCache
    self.aliases = [preferredCache] + others
    self.isClosed = isClosed
  }

  /// Every cloud that is known.
  package static let all: [Cloud] = [
    Cloud(
      "login.windows.net", "login.microsoftonline.com", "login.microsoft.com", "sts.windows.net",
      preferredNetwork: "login.microsoftonline.com"),
    Cloud("login.partner.microsoftonline.cn", "login.chinacloudapi.cn"),
    Cloud("login.microsoftonline.de", isClosed: true),
    Cloud("login.microsoftonline.us", "login.usgovcloudapi.net"),
    Cloud("login-us.microsoftonline.com"),
    Cloud("login.windows-ppe.net", "sts.windows-ppe.net", "login.microsoft-ppe.com"),
    Cloud("login.sovcloud-identity.fr"),
    Cloud("login.sovcloud-identity.de"),
    Cloud("login.sovcloud-identity.sg"),
  ]

  /// The cloud of this host, in any case, or nil for an unknown host.
  package static func of(host: String) -> Cloud? {
    byAlias[host.normalized]
  }

  private static let byAlias = Dictionary(
    uniqueKeysWithValues: all.flatMap { cloud in cloud.aliases.map { ($0, cloud) } })

  /// One name for all aliases of a host: the preferred cache host of its cloud, or the host itself.
  package static func key(of environment: String) -> String {
    let host = environment.normalized
    return byAlias[host]?.preferredCache ?? host
  }
}
