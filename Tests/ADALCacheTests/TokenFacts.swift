// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MigrationDocuments

/// Everything that ADAL says about a token, in one comparable form.
struct TokenFacts: Hashable {
  var authority, resource, clientID, familyID: String?
  var accessToken, accessTokenType, refreshToken, rawIDToken: String?
  var expiresOn, cachedAt, extendedExpiresOn: Double?
  var sessionKey: [UInt8]?
  var homeAccountID, userID: String?

  init(_ token: LegacyToken) {
    authority = token.authority
    resource = token.resource
    clientID = token.clientID
    familyID = token.familyID
    accessToken = token.accessToken?.revealText()
    accessTokenType = token.accessTokenType
    refreshToken = token.refreshToken?.revealText()
    rawIDToken = token.rawIDToken?.revealText()
    expiresOn = token.expiresOn
    cachedAt = token.cachedAt
    extendedExpiresOn = token.extendedExpiresOn
    sessionKey = token.sessionKey?.reveal()
    homeAccountID = token.homeAccountID
    userID = token.userID
  }

  /// A token of an `expected.json`; a name that is not there stands for a nil.
  init(expected token: [String: Any]) {
    func text(_ name: String) -> String? { token[name] as? String }
    let user = token["userInformation"] as? [String: Any]
    authority = text("authority")
    resource = text("resource")
    clientID = text("clientId")
    familyID = text("familyId")
    accessToken = text("accessToken")
    accessTokenType = text("accessTokenType")
    refreshToken = text("refreshToken")
    rawIDToken = text("rawIdToken") ?? user?["rawIdToken"] as? String
    expiresOn = token["expiresOn"] as? Double
    cachedAt = token["cachedAt"] as? Double
    homeAccountID = text("homeAccountId")
    userID = text("legacyAccountId") ?? user?["userId"] as? String
    sessionKey = ((token["sessionKey"] as? [String: Any])?["$data"] as? String)
      .flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
    let server = token["additionalServer"] as? [String: Any] ?? [:]
    extendedExpiresOn = nil
    for name in ["ext_expires_on", "extended_expires_on"] {
      if let date = (server[name] as? [String: Any])?["$date"] as? Double {
        extendedExpiresOn = date
      }
    }
    if let extended = token["extendedExpiresOn"] as? Double { extendedExpiresOn = extended }
    // ADAL 2.7 gives no type to a refresh token, though it archives one for every item.
    if text("class") == "MSIDLegacyRefreshToken" { accessTokenType = "Bearer" }
  }
}

extension Sequence where Element: Hashable {
  /// How often each element occurs.
  var counts: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

extension LocalTime {
  /// A machine whose clock is in UTC.
  static let utc = LocalTime { _ in 0 }
}
