// SPDX-License-Identifier: MIT
import MSALCache

/// What stands for user names in everything that is printed.
///
/// ``msal`` is what MSAL's log shows, so that a report and a log can be laid side by side. It hides a name
/// only from a glance: its hash has no key and its domain is shown, so anyone can find the name by guessing. A mask
/// with a key reveals nothing without the key.
///
/// Neither hides what else tells users apart, as long as it is no user name: home account ids of two GUIDs,
/// tenants, clients, hosts.
public struct NameMask: Sendable {
  private let key: Secret?

  private init(key: Secret?) { self.key = key }

  /// As MSAL's log has names, so that a report and a log can be laid side by side:
  /// `auth.placeholder-9f86d081__contoso.com`.
  public static let msal = NameMask(key: nil)

  /// A shorter key could be guessed: 16 bytes are the security that is asked of a key today.
  public static let shortestKey = 16

  /// The HMAC-SHA-256 of the whole name in lower case: the same name gives the same mask with the same key,
  /// and no other.
  ///
  /// - Parameter key: the team's; nil is returned when it has fewer than ``shortestKey`` bytes.
  public static func salted(_ key: Secret) -> NameMask? {
    key.count < shortestKey ? nil : NameMask(key: key)
  }

  /// What every mask with a key begins with.
  package static let saltedStart = "user-"
  /// So many digits are 64 bits, so that two are equal by chance only among billions of users.
  private static let digits = 16

  /// What stands for a name; an empty one stays empty.
  public func callAsFunction(_ userName: String) -> String {
    guard let key else { return Report.mask(userName) }
    guard !userName.isEmpty else { return "" }
    let name = Array(userName.lowercasedLikeNSString.utf8)
    // Reveal: the key of the hash.
    let digest = SHA256Digits.text(of: name, key: key.reveal())
    return Self.saltedStart + digest.prefix(Self.digits)
  }
}
