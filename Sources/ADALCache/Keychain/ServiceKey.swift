// SPDX-License-Identifier: MIT
import CacheJSON

/// What the service and the account of a keychain item of ADAL's say (adal-cache-format §1.1, §1.4,
/// §8.2).
///
/// The parts are normalised (trimmed, lower-case) where the payload keeps the original spelling.
struct ServiceKey: Sendable {
  /// Authority, resource and client as they are encoded; none of another key.
  private var parts: [Substring] = []
  /// The bundle id in the prefix of an app-bound access token's service.
  var applicationIdentifier: String?
  /// Five parts, or the nil placeholder in the place of the client.
  var isPrimaryRefreshToken = false

  /// What ADAL writes in the place of a resource, and before 2.1 of a user, that there is not.
  static let placeholder = LegacyItem.noResource
  static let library = LegacyItem.library
  fileprivate static let prefix = library + "-"

  /// The parts of `service`; a part that does not decode, such as `(null)`, is nil.
  init(_ service: String) {
    var parts = Self.parts(of: service)
    if parts.count >= 4 {
      let prefix = parts.removeFirst()
      if prefix.utf8.count > Self.prefix.utf8.count, prefix.hasPrefix(Self.prefix) {
        applicationIdentifier = Self.decoded(prefix.dropFirst(Self.prefix.count))
      }
    }
    guard parts.count == 3 || parts.count == 4 else { return }
    self.parts = parts
    isPrimaryRefreshToken = parts.count == 4 || parts[2] == Self.placeholder
  }

  fileprivate static func parts(of service: String) -> [Substring] {
    // By bytes: as a character the sign and an accent after it would be another one.
    var parts: [Substring] = []
    var start = service.startIndex
    for bar in service.offsets(of: UInt8(ascii: "|")) {
      let end = service.utf8.index(service.startIndex, offsetBy: bar)
      parts.append(service[start..<end])
      start = service.utf8.index(after: end)
    }
    return parts + [service[start...]]
  }

  // A readable row says these itself, so that they are decoded when somebody asks.

  var authority: String? { parts.first.flatMap(Self.decoded) }
  var resource: String? { part(1) }
  var clientID: String? { part(2) }

  private func part(_ index: Int) -> String? {
    guard parts.indices.contains(index), parts[index] != Self.placeholder else { return nil }
    return Self.decoded(parts[index])
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
    guard bytes.withUnsafeBufferPointer({ $0.isUTF8 }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What a service says that is spelled to the letter as ADAL's releases spell it: by such a key a row is
/// found. One that spells the same otherwise is only read.
package struct ExactServiceKey: Sendable, Hashable {
  package let authority: String
  /// Nil for tokens that are good for several.
  package let resource: String?
  package let clientID: String
  /// The bundle id of an app-bound access token.
  package let applicationIdentifier: String?

  /// The parts of `service`; nil when it has others than library, authority, resource and client.
  package init?(_ service: String) {
    let parts = ServiceKey.parts(of: service)
    guard parts.count == 4, let authority = Self.text(of: parts[1]),
      let clientID = Self.text(of: parts[3])
    else { return nil }
    resource = Self.text(of: parts[2])
    guard resource != nil || parts[2] == ServiceKey.placeholder else { return nil }
    let library = parts[0]
    guard library == ServiceKey.library || library.hasPrefix(ServiceKey.prefix) else { return nil }
    let application = library.dropFirst(ServiceKey.prefix.count)
    applicationIdentifier = application.isEmpty ? nil : String(application)
    self.authority = authority
    self.clientID = clientID
  }

  /// Whom an account names: an empty name for nobody, nil for what is not spelled so.
  package static func userID(account: String) -> String? { text(of: Substring(account)) }

  /// The text of base64url in its one spelling.
  private static func text(of part: Substring) -> String? {
    guard let bytes = Base64.bytes(of: part, .url), Base64.text(of: bytes, .url) == part,
      bytes.withUnsafeBufferPointer({ $0.isUTF8 })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
