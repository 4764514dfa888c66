// SPDX-License-Identifier: MIT
import CacheJSON

/// What the service and the account of a keychain item of ADAL's say (adal-cache-format §1.1, §1.4,
/// §8.2).
///
/// The parts are normalised (trimmed, lower-case) where the payload keeps the original spelling.
struct ServiceKey: Sendable, Hashable {
  var authority: String?
  var resource: String?
  var clientID: String?
  /// The bundle id in the prefix of an app-bound access token's service.
  var applicationIdentifier: String?
  /// Five parts, or the nil placeholder in the place of the client.
  var isPrimaryRefreshToken = false

  /// What ADAL writes in the place of a resource, and before 2.1 of a user, that there is not.
  static let placeholder = LegacyItem.noResource
  static let library = LegacyItem.library

  /// The parts of `service`; a part that does not decode, such as `(null)`, is nil.
  init(_ service: String) {
    var parts = service.split(separator: "|", omittingEmptySubsequences: false)
    if parts.count >= 4 {
      let prefix = parts.removeFirst()
      if prefix.hasPrefix(Self.library + "-") {
        applicationIdentifier = Self.decoded(prefix.dropFirst(Self.library.count + 1))
      }
    }
    guard parts.count == 3 || parts.count == 4 else { return }
    authority = Self.decoded(parts[0])
    resource = parts[1] == Self.placeholder ? nil : Self.decoded(parts[1])
    clientID = parts[2] == Self.placeholder ? nil : Self.decoded(parts[2])
    isPrimaryRefreshToken = parts.count == 4 || parts[2] == Self.placeholder
  }

  /// What the format of a key printed for text that ASCII could not say (before 1.2.3).
  static let null = "(null)"

  /// Whom a keychain account names; nil for each spelling of nobody.
  ///
  /// Account names are base64url, but plain in the betas of 2.1 and in what 2.7 wrote on macOS.
  static func userID(account: String) -> String? {
    if account.isEmpty || account == placeholder || account == null { return nil }
    if account.utf8.contains(UInt8(ascii: "@")) { return account }
    return decoded(Substring(account)) ?? account
  }

  private static func decoded(_ part: Substring) -> String? {
    guard let bytes = Base64.bytes(of: part, .url), !bytes.isEmpty else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}
