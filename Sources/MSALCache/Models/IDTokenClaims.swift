// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The claims of a raw ID token, as IdentityCore reads them.
///
/// The token is split at its dots; the objects of all parts that decode are merged, the last wins, and
/// neither the number of parts nor a signature is checked (IdentityCore oauth2/MSIDIdTokenClaims.m).
/// A claim that is not a string counts as absent.
public struct IDTokenClaims: Sendable, Equatable {
  /// Whose rules the claims follow; they differ in what names the user.
  public enum Version: Sendable { case v1, v2, base }

  /// The claims as the token has them.
  package let members: [String: JSONValue]
  /// Chosen by `ver`, else v1 when there is a UPN or unique name
  /// (oauth2/aad_base/MSIDAADIdTokenClaimsFactory.m).
  public let rules: Version

  /// The claims of this token, or nil when IdentityCore would read none: a blank token, a part that
  /// decodes to text which is no JSON object, or no claims at all.
  public init?(_ rawIDToken: Secret) {
    // Reveal: the claims are inside the token.
    guard let text = rawIDToken.revealText(), !text.isBlank else { return nil }
    var members: [String: JSONValue] = [:]
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let bytes = Self.text(ofPart: part) else { continue }
      guard let value = try? JSONValue(bytes, rules: .apple),
        let object = value.object
      else { return nil }
      members.merge(object) { $1 }
    }
    guard !members.isEmpty else { return nil }
    self.members = members
    rules = Self.rules(for: members)
  }

  /// The UTF-8 text of a part, or nil when the part does not decode to any.
  private static func text(ofPart part: Substring) -> [UInt8]? {
    guard var bytes = Base64.bytes(of: part, .lenientURL) else { return nil }
    // A text that ends in NUL is read as a C string (`msidBase64UrlDecode`).
    if bytes.last == 0, let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
    guard !bytes.isEmpty, String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else {
      return nil
    }
    return bytes
  }

  private static func rules(for members: [String: JSONValue]) -> Version {
    let isPresent = { (name: String) in members[name]?.string.map { !$0.isBlank } ?? false }
    if isPresent("ver"), let version = members["ver"]?.string {
      switch Float(Timestamp.number(of: version)) {
      case 1: return .v1
      case 2: return .v2
      default: break
      }
    }
    return isPresent("upn") || isPresent("unique_name") ? .v1 : .base
  }

  private func claim(_ name: String) -> String? { members[name]?.string }

  /// The object id in the tenant that issued the token.
  public var oid: String? { claim("oid") }
  /// The tenant that issued the token.
  public var tid: String? { claim("tid") }
  /// The subject: another one for each client.
  public var sub: String? { claim("sub") }
  /// The user principal name, as v1.0 tokens have it.
  public var upn: String? { claim("upn") }
  /// An e-mail address, which proves nothing.
  public var email: String? { claim("email") }
  /// A name for display in v1.0 tokens.
  public var uniqueName: String? { claim("unique_name") }
  /// The user name in v2.0 tokens.
  public var preferredUsername: String? { claim("preferred_username") }
  /// The id that another identity provider gave.
  public var altsecid: String? { claim("altsecid") }
  /// Who vouched for the user, when it was not the issuer.
  public var idp: String? { claim("idp") }
  /// The issuer, a URL with the tenant.
  public var iss: String? { claim("iss") }
  /// The whole name.
  public var name: String? { claim("name") }
  /// The first name.
  public var givenName: String? { claim("given_name") }
  /// The middle name.
  public var middleName: String? { claim("middle_name") }
  /// The last name.
  public var familyName: String? { claim("family_name") }
  /// The object id in the home tenant, which hardly any token has.
  public var homeOid: String? { claim("home_oid") }
  /// `ver` as the token spells it; a number too.
  public var version: String? { members["ver"]?.stringOrNumber }
  /// `acct`: `0` for a member of the tenant, `1` for a guest; a number too.
  public var acct: String? { members["acct"]?.stringOrNumber }
  /// `iat`: when the token was issued, in Unix seconds.
  public var issuedAt: Double? {
    members["iat"]?.stringOrNumber.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  /// What ADAL and IdentityCore call the user id, trimmed and lower-cased: for v1 tokens UPN, email,
  /// sub, oid, unique name, altsecid; for v2 tokens preferred user name, sub; else sub.
  public var userID: String? {
    let candidates: [String?] =
      switch rules {
      case .v1: [upn, email, sub, oid, uniqueName, altsecid]
      case .v2: [preferredUsername, sub]
      case .base: [sub]
      }
    return candidates.lazy.compactMap { $0 }.first { !$0.isBlank }?.normalized
  }

  /// The account's id in the tenant of this token: oid, else sub, trimmed and lower-cased.
  public var localAccountID: String? {
    let candidates = rules == .base ? [sub] : [oid, sub]
    return candidates.lazy.compactMap { $0 }.first { !$0.isBlank }?.normalized
  }
}

extension IDTokenClaims: CustomStringConvertible, CustomReflectable {
  public var description: String { "[ID token claims, \(members.count)]" }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
