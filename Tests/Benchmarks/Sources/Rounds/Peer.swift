// SPDX-License-Identifier: MIT
import Foundation

/// The peer: Foundation's NSKeyedUnarchiver with secure coding, into classes that keep what ADAL's keep.
enum Peer {
  private static let plain: [AnyClass] = [
    NSDictionary.self, NSString.self, NSDate.self, NSNumber.self, NSData.self,
  ]

  private static func unarchiver(_ data: Data) throws -> NSKeyedUnarchiver {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    unarchiver.setClass(PeerItem.self, forClassName: "ADTokenCacheStoreItem")
    unarchiver.setClass(PeerUser.self, forClassName: "ADUserInformation")
    unarchiver.setClass(PeerKey.self, forClassName: "ADTokenCacheKey")
    return unarchiver
  }

  /// Decodes one archived item.
  static func item(_ data: Data) throws {
    let item = try unarchiver(data).decodeObject(
      of: [PeerItem.self], forKey: NSKeyedArchiveRootObjectKey)
    guard (item as? PeerItem)?.isToken ?? false else { exit(70) }
  }

  /// Decodes the blob of ADAL for macOS.
  static func blob(_ data: Data, rows: Int) throws {
    let blob = try unarchiver(data).decodeObject(
      of: plain + [PeerItem.self, PeerUser.self, PeerKey.self],
      forKey: NSKeyedArchiveRootObjectKey)
    let cache = (blob as? NSDictionary)?["tokenCache"] as? NSDictionary
    let users = cache?["tokens"] as? NSDictionary
    let count = users?.allValues.reduce(0) { $0 + (($1 as? NSDictionary)?.count ?? 0) }
    guard count == rows else { exit(70) }
  }

  fileprivate static func texts(_ coder: NSCoder, _ names: [String]) -> [String?] {
    names.map { name in object(coder, NSString.self, name).map { String(describing: $0) } }
  }

  fileprivate static func dictionary(_ coder: NSCoder, _ name: String) -> NSDictionary? {
    guard coder.containsValue(forKey: name) else { return nil }
    return coder.decodeObject(of: plain, forKey: name) as? NSDictionary
  }

  /// A field that may be missing, which Foundation for Linux takes for damage.
  fileprivate static func object<Value: NSObject & NSCoding>(
    _ coder: NSCoder, _ type: Value.Type, _ name: String
  ) -> Value? {
    coder.containsValue(forKey: name) ? coder.decodeObject(of: type, forKey: name) : nil
  }
}

/// The values that ADAL's ADTokenCacheStoreItem decodes.
final class PeerItem: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  private let texts: [String?]
  private let expiresOn: Date?
  private let user: PeerUser?
  private let more: [NSDictionary?]
  private let sessionKey: Data?

  init?(coder: NSCoder) {
    texts = Peer.texts(
      coder,
      [
        "resource", "authority", "clientId", "accessToken", "accessTokenType", "refreshToken",
        "familyId",
      ])
    expiresOn = Peer.object(coder, NSDate.self, "expiresOn") as Date?
    user = Peer.object(coder, PeerUser.self, "userInformation")
    sessionKey = Peer.object(coder, NSData.self, "sessionKey") as Data?
    more = ["additionalClient", "additionalServer", "tombstone"].map {
      Peer.dictionary(coder, $0)
    }
  }

  func encode(with coder: NSCoder) {}

  /// Whether it has what every row of the shapes has.
  var isToken: Bool { texts[1] != nil && texts[2] != nil && user?.rawIDToken != nil }
}

/// The values that ADAL's ADUserInformation decodes.
final class PeerUser: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let rawIDToken: String?
  private let userID: String?
  private let isDisplayable: Bool
  private let claims: NSDictionary?

  init?(coder: NSCoder) {
    let texts = Peer.texts(coder, ["rawIdToken", "userId"])
    (rawIDToken, userID) = (texts[0], texts[1])
    isDisplayable = coder.decodeBool(forKey: "userIdDisplayable")
    claims = Peer.dictionary(coder, "allClaims")
  }

  func encode(with coder: NSCoder) {}
}

/// The values that ADAL's ADTokenCacheKey decodes.
final class PeerKey: NSObject, NSSecureCoding, NSCopying {
  static var supportsSecureCoding: Bool { true }

  private let texts: [String?]

  init?(coder: NSCoder) {
    texts = Peer.texts(coder, ["authority", "resource", "clientId"])
  }

  func encode(with coder: NSCoder) {}
  func copy(with zone: NSZone? = nil) -> Any { self }
  override var hash: Int { texts.hashValue }
  override func isEqual(_ object: Any?) -> Bool { (object as? PeerKey)?.texts == texts }
}
