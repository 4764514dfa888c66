// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The claims of a raw ID token, as IdentityCore reads them.
///
/// The token is split at its dots; the objects of all parts that decode are merged, the last wins, and
/// neither the number of parts nor a signature is checked (IdentityCore oauth2/MSIDIdTokenClaims.m).
/// A claim that is not a string counts as absent.
package struct IDTokenClaims: Sendable, Equatable {
  /// The version of the rules for the claims. Versions differ in the claim that names the user.
  package enum Version: Sendable { case v1, v2, base }

  /// The claims that the rooms above use; a token has others, too.
  private enum Claim: Int, CaseIterable {
    case oid, tid, sub, upn, idp, iss, version, issuedAt, name, acct, email, altsecid, givenName
    case uniqueName, middleName, familyName, preferredUsername

    /// The names in a token, by their length, as `JSONKeys` asks for.
    static let keys = JSONKeys([
      "oid", "tid", "sub", "upn", "idp", "iss", "ver", "iat", "name", "acct", "email", "altsecid",
      "given_name", "unique_name", "middle_name", "family_name", "preferred_username",
    ])
  }

  // The text or number of each claim; nil for an absent claim or one of another kind.
  private var values = [JSONValue?](repeating: nil, count: Claim.allCases.count)
  /// The number of claims in the token, including unknown ones.
  private var count = 0
  /// Chosen by `ver`, else v1 when there is a UPN or unique name
  /// (oauth2/aad_base/MSIDAADIdTokenClaimsFactory.m).
  package private(set) var rules = Version.base

  /// The claims of this token, or nil when IdentityCore would read none: a blank token, a part that
  /// decodes to text which is no JSON object, or no claims at all.
  package init?(_ rawIDToken: TokenSecret) {
    // Reveal: the claims are inside the token.
    let token = rawIDToken.reveal()
    let isSound = token.withUnsafeBufferPointer { token in
      guard token.isUTF8 else { return false }
      var start = 0
      while start <= token.count {
        let end = token.index(of: UInt8(ascii: "."), from: start)
        let part = UnsafeBufferPointer(rebasing: token[start..<end])
        start = end + 1
        guard let bytes = Self.text(ofPart: part) else { continue }
        guard (try? read(bytes)) != nil else { return false }
      }
      return true
    }
    guard isSound, count > 0 else { return nil }
    rules = chosenRules
  }

  /// The claims as ADAL and MSAL read them outside of iOS and macOS: the second part's, whatever the others
  /// are. Nil when it is no JSON object with claims.
  package static func ofPayload(_ rawIDToken: TokenSecret) -> IDTokenClaims? {
    var claims = IDTokenClaims()
    // Reveal: the claims are inside the token.
    let bytes = rawIDToken.reveal().withUnsafeBufferPointer { token -> [UInt8]? in
      let dot = UInt8(ascii: ".")
      let start = token.index(of: dot, from: 0) + 1
      guard start <= token.count else { return nil }
      let end = token.index(of: dot, from: start)
      return text(ofPart: UnsafeBufferPointer(rebasing: token[start..<end]))
    }
    guard let bytes, (try? claims.read(bytes)) != nil, claims.count > 0 else { return nil }
    claims.rules = claims.chosenRules
    return claims
  }

  private init() {}

  /// The UTF-8 text of a part, or nil when the part does not decode to any.
  private static func text(ofPart part: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard var bytes = Base64.bytes(of: part, .lenientURL) else { return nil }
    // A text that ends in NUL is read as a C string (`msidBase64UrlDecode`).
    if bytes.last == 0, let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
    return !bytes.isEmpty && bytes.withUnsafeBufferPointer { $0.isUTF8 } ? bytes : nil
  }

  /// Adds the claims of one JSON object. They replace those of the same names.
  private mutating func read(_ object: [UInt8]) throws(JSONError) {
    let keys = Claim.keys
    var scanner = JSONScanner(object)
    var isMore = try scanner.opensObject()
    while isMore {
      count += 1
      let key = try scanner.keyText()
      if let claim = scanner.position(of: key, among: keys) {
        values[claim] = try Self.value(&scanner)
      } else {
        try scanner.skipValue(depth: 1)
      }
      isMore = try scanner.continuesObject()
    }
    try scanner.expectEnd()
  }

  private static func value(_ scanner: inout JSONScanner) throws(JSONError) -> JSONValue? {
    let containers = [UInt8(ascii: "{"), UInt8(ascii: "[")]
    guard let first = scanner.peek(), !containers.contains(first) else {
      try scanner.skipValue(depth: 1)
      return nil
    }
    switch try scanner.scalar() {
    case .string(let text): return .string(text)
    case .number(let text): return JSONValue(number: text)
    case .bool, .null: return nil
    }
  }

  private var chosenRules: Version {
    let isPresent = { (claim: Claim) in self.claim(claim).map { !$0.isBlank } ?? false }
    if let version = claim(.version) {
      // As nearly all tokens spell it.
      if version == "1.0" { return .v1 }
      if version == "2.0" { return .v2 }
      switch Float(version.doubleValue) {
      case 1: return .v1
      case 2: return .v2
      default: break
      }
    }
    return isPresent(.upn) || isPresent(.uniqueName) ? .v1 : .base
  }

  private func claim(_ claim: Claim) -> String? { values[claim.rawValue]?.string }

  /// The object id in the tenant that issued the token.
  package var oid: String? { claim(.oid) }
  /// The tenant that issued the token.
  package var tid: String? { claim(.tid) }
  /// The subject: another one for each client.
  package var sub: String? { claim(.sub) }
  /// The user principal name, as v1.0 tokens have it.
  package var upn: String? { claim(.upn) }
  /// An e-mail address, which proves nothing.
  package var email: String? { claim(.email) }
  /// A name for display in v1.0 tokens.
  package var uniqueName: String? { claim(.uniqueName) }
  /// The user name in v2.0 tokens.
  package var preferredUsername: String? { claim(.preferredUsername) }
  /// The id that another identity provider gave.
  package var altsecid: String? { claim(.altsecid) }
  /// The provider that vouched for the user, if it was not the issuer.
  package var idp: String? { claim(.idp) }
  /// The issuer, a URL with the tenant.
  package var iss: String? { claim(.iss) }
  /// The whole name.
  package var name: String? { claim(.name) }
  /// The first name.
  package var givenName: String? { claim(.givenName) }
  /// The middle name.
  package var middleName: String? { claim(.middleName) }
  /// The last name.
  package var familyName: String? { claim(.familyName) }
  /// `acct`: `0` for a member of the tenant, `1` for a guest; a number too.
  package var acct: String? { values[Claim.acct.rawValue]?.stringOrNumber }
  /// `iat`: when the token was issued, in Unix seconds.
  package var issuedAt: Double? {
    let value = values[Claim.issuedAt.rawValue]
    if case .integer(let seconds) = value { return Double(seconds) }
    return value?.stringOrNumber.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The user ID in ADAL's and IdentityCore's sense, trimmed and in lower case: for v1 tokens UPN, email, sub, oid,
  /// unique name, altsecid; for v2 tokens preferred user name, sub; else sub.
  package var userID: String? {
    let candidates: [Claim] =
      switch rules {
      case .v1: [.upn, .email, .sub, .oid, .uniqueName, .altsecid]
      case .v2: [.preferredUsername, .sub]
      case .base: [.sub]
      }
    return first(candidates)?.foldedUserName
  }

  /// The account's id in the tenant of this token: oid, else sub, trimmed and lower-cased.
  package var localAccountID: String? {
    first(rules == .base ? [.sub] : [.oid, .sub])?.normalized
  }

  /// The first claim that is not blank.
  private func first(_ claims: [Claim]) -> String? {
    for claim in claims { if let text = self.claim(claim), !text.isBlank { return text } }
    return nil
  }
}

extension IDTokenClaims: CustomStringConvertible, CustomReflectable {
  package var description: String { "[ID token claims, \(count)]" }
  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
