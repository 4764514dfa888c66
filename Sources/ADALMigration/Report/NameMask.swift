// SPDX-License-Identifier: MIT
import MSALCache

extension TokenCacheMigration {
  /// The mask of user names in all output.
  ///
  /// ``msal`` is the mask of MSAL's log, so that you can compare a report with a log. It protects only from a
  /// glance: its hash has no key and it shows the domain, so anyone can find the name by guessing. A mask with a
  /// key reveals nothing without the key.
  ///
  /// Neither masks other data that differs between users, unless it is a user name: home account IDs of two GUIDs,
  /// tenants, clients, hosts.
  public struct NameMask: Sendable {
    private let key: TokenSecret?

    private init(key: TokenSecret?) { self.key = key }

    /// The mask of MSAL's log:
    /// `auth.placeholder-9f86d081__contoso.com`.
    public static let msal = NameMask(key: nil)

    /// The least number of bytes of a key, so that it cannot be guessed.
    package static let shortestKey = 16

    /// A mask with a key: the HMAC-SHA-256 of the whole name in lower case.
    ///
    /// - Parameter key: the key of the team.
    /// - Returns: nil if the key has fewer than 16 bytes.
    public static func salted(_ key: TokenSecret) -> NameMask? {
      key.count < shortestKey ? nil : NameMask(key: key)
    }

    /// The beginning of every mask with a key.
    package static let saltedStart = "user-"
    /// These digits are 64 bits, so two masks are equal by chance only among billions of users.
    private static let digits = 16

    /// The mask of a name; empty for an empty name.
    package func callAsFunction(_ userName: String) -> String {
      guard let key else { return Report.mask(userName) }
      guard !userName.isEmpty else { return "" }
      let name = Array(userName.lowercasedLikeNSString.utf8)
      // Reveal: the key of the hash.
      let digest = SHA256Digits.text(of: name, key: key.reveal())
      return Self.saltedStart + digest.prefix(Self.digits)
    }
  }
}
