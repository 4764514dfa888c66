// SPDX-License-Identifier: MIT
import CacheJSON

/// The parts of the service and the account of one of ADAL's keychain items (adal-cache-format §1.1, §1.4, §8.2).
///
/// The parts are normalised (trimmed, lower-case) where the payload keeps the original spelling.
struct ServiceKey: Sendable {
  private let service: String
  // The places of four bars at most, found without making texts of the parts. No key has more bars. It searches bytes,
  // because a bar with a combining accent is a different character.
  private let bars: SIMD4<Int>
  fileprivate let count: Int

  fileprivate static let prefix = LegacyItem.library + "-"

  /// The parts of `service`; a part that does not decode, such as `(null)`, is nil.
  init(_ service: String) {
    var service = service
    var bars = SIMD4<Int>()
    var count = 0
    service.withUTF8 { bytes in
      var bar = bytes.index(of: UInt8(ascii: "|"), from: 0)
      while bar < bytes.count {
        if count < 4 { bars[count] = bar }
        count += 1
        bar = bytes.index(of: UInt8(ascii: "|"), from: bar + 1)
      }
    }
    self.service = service
    self.bars = bars
    self.count = count + 1
  }

  /// The bundle id in the prefix of an app-bound access token's service.
  var applicationIdentifier: String? {
    guard count >= 4, length(0) > Self.prefix.utf8.count, self[0].hasPrefix(Self.prefix) else {
      return nil
    }
    return Self.decoded(self[0].dropFirst(Self.prefix.count))
  }

  /// Five parts, or the nil placeholder in the place of the client.
  var isPrimaryRefreshToken: Bool {
    first != nil && (count == 5 || isPlaceholder(count - 1))
  }

  var authority: String? { first.flatMap { Self.decoded(self[$0]) } }
  var resource: String? { part(1) }
  var clientID: String? { part(2) }

  /// The index of the authority's part; nil in another key.
  private var first: Int? { (3...5).contains(count) ? (count == 3 ? 0 : 1) : nil }

  private func part(_ index: Int) -> String? {
    guard let first, !isPlaceholder(first + index) else { return nil }
    return Self.decoded(self[first + index])
  }

  /// The number of bytes of a part. There are ``count`` parts, at most five.
  private func length(_ index: Int) -> Int {
    (index == count - 1 ? service.utf8.count : bars[index]) - start(of: index)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : bars[index - 1] + 1 }

  fileprivate subscript(_ index: Int) -> Substring {
    let start = service.utf8.index(service.startIndex, offsetBy: start(of: index))
    return service[start..<service.utf8.index(start, offsetBy: length(index))]
  }

  fileprivate func isPlaceholder(_ index: Int) -> Bool {
    length(index) == LegacyItem.noResource.utf8.count && self[index] == LegacyItem.noResource
  }

  /// The text that a key's format printed for non-ASCII text (before 1.2.3).
  static let null = "(null)"

  /// The user that a keychain account names; nil for each spelling of "no user".
  ///
  /// Account names are base64url. The betas of 2.1, and 2.7 on macOS, wrote them as plain text.
  static func userID(account: String) -> String? {
    if account.isEmpty || account.isSpelled(LegacyItem.noResource) || account.isSpelled(null) {
      return nil
    }
    return decoded(Substring(account)) ?? account
  }

  private static func decoded(_ part: Substring) -> String? {
    Base64.text(decoding: part, .url).flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension String {
  /// Whether this is another text in ASCII. Most differ in length, which is told at once.
  func isSpelled(_ other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

/// The parts of a service that is spelled exactly as ADAL's releases spell it. Rows are found by such a key. A service
/// with another spelling of the same parts is only read.
package struct ExactServiceKey: Sendable, Equatable {
  package let authority: String
  /// Nil for tokens that are good for several.
  package let resource: String?
  package let clientID: String
  /// The bundle id of an app-bound access token.
  package let applicationIdentifier: String?

  /// The parts of `service`; nil when it has others than library, authority, resource and client.
  package init?(_ service: String) {
    let parts = ServiceKey(service)
    guard parts.count == 4, let authority = Self.text(of: parts[1]),
      let clientID = Self.text(of: parts[3])
    else { return nil }
    resource = Self.text(of: parts[2])
    guard resource != nil || parts.isPlaceholder(2) else { return nil }
    let library = parts[0]
    guard library == LegacyItem.library || library.hasPrefix(ServiceKey.prefix) else { return nil }
    let application = library.dropFirst(ServiceKey.prefix.count)
    applicationIdentifier = application.isEmpty ? nil : String(application)
    self.authority = authority
    self.clientID = clientID
  }

  /// The user that an account names: an empty name for no user, nil if it is not spelled so.
  package static func userID(account: String) -> String? { text(of: Substring(account)) }

  /// The text of base64url in its one spelling.
  private static func text(of part: Substring) -> String? {
    guard let bytes = Base64.bytes(of: part, .url), Base64.text(of: bytes, .url) == part else {
      return nil
    }
    return String(validUTF8: bytes)
  }
}
