// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The identifier of an account in its home tenant: `uid.utid`, trimmed, with ASCII's letters in lower case.
/// Two are the same when their bytes are.
///
/// IdentityCore oauth2/account/MSIDAccountIdentifier.m, oauth2/aad_base/MSIDClientInfo.m.
package struct HomeAccountID: Sendable, Hashable, CustomStringConvertible {
  /// The user's object id in the home tenant.
  package let uid: String
  /// The home tenant's id.
  package let utid: String
  /// `uid.utid`, as `home_account_id` spells it.
  package let description: String

  /// The identifier of these parts, trimmed, with ASCII's letters in lower case.
  package init(uid: String, utid: String) {
    self.uid = uid.identifier
    self.utid = utid.identifier
    description = String(of: self.uid, ".", self.utid)
  }

  /// The identifier that `text` spells, or nil unless it is exactly two non-empty parts with a dot
  /// between them.
  package init?(_ text: String) {
    let text = text.identifier
    guard let dot = Self.dot(in: text) else { return nil }
    let (uid, utid) = (text.utf8.prefix(dot), text.utf8.dropFirst(dot + 1))
    self.init(uid: String(Substring(uid)), utid: String(Substring(utid)))
  }

  /// The number of bytes before the dot in the text of an identifier. It counts bytes, because a combining character
  /// can follow the dot.
  static func dot(in text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      let dot = bytes.index(of: UInt8(ascii: "."), from: 0)
      guard dot > 0, dot + 1 < bytes.count,
        bytes.index(of: UInt8(ascii: "."), from: dot + 1) == bytes.count
      else { return nil }
      return dot
    }
  }

  /// The identifier that a token response's `client_info` gives: base64url of a JSON object with
  /// the strings `uid` and `utid`. Nil when it says none.
  package init?(clientInfo: String) {
    guard let bytes = Base64.bytes(of: clientInfo, .lenientURL),
      let members = try? JSONValue(bytes, rules: .apple).object,
      let uid = members["uid"]?.string, let utid = members["utid"]?.string
    else { return nil }
    self.init("\(uid.trimmed).\(utid.trimmed)")
  }

  /// The tenant of all personal Microsoft accounts.
  package static let consumerTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  // Parts given alone may have dots of their own, so that the whole does not tell them.
  package static func == (a: Self, b: Self) -> Bool {
    a.description.isExactly(b.description) && a.uid.isExactly(b.uid)
  }

  package func hash(into hasher: inout Hasher) { description.hashBytes(into: &hasher) }

  /// Whether both parts are GUIDs, as they are for every account of Entra ID.
  package var isGUIDs: Bool { uid.isGUID && utid.isGUID }

  /// The `client_info` of an account with this identifier: base64url without padding of the JSON
  /// object that a token response would carry.
  package var clientInfo: String {
    var writer = JSONWriter()
    writer.write([JSONField("uid", uid), JSONField("utid", utid)])
    return Base64.text(of: writer.finished(), .url)
  }
}
