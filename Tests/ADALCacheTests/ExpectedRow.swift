// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

@testable import ADALCache

/// A row as a made vector describes it: every field that is not nil, false or empty.
struct ExpectedRow {
  private let row: [String: Any]

  init(_ row: [String: Any]) {
    self.row = row
  }

  var isToken: Bool { text("is") == "token" }

  /// The expected row. It takes an archive error and an offset from `actual` if the vector leaves them open.
  func item(given actual: LegacyItem) -> LegacyItem? {
    switch text("is") {
    case "token": return .token(token)
    case "foreign": return .foreign
    case "unreadable": return unreadable(given: actual).map { .unreadable($0) }
    default: return nil
    }
  }

  private var token: LegacyToken {
    var token = fields
    token.failsSecureCoding = row["failsSecureCoding"] as? Bool ?? false
    return token
  }

  private var fields: LegacyToken {
    LegacyToken(
      authority: text("authority"), resource: text("resource"), clientID: text("clientID"),
      userID: text("userID"), archivedUserID: text("archivedUserID"),
      rawIDToken: secret("rawIDToken"), accessToken: secret("accessToken"),
      refreshToken: secret("refreshToken"),
      sessionKey: text("sessionKey").flatMap { Data(base64Encoded: $0) }.map {
        TokenSecret([UInt8]($0))
      },
      accessTokenType: text("accessTokenType"), expiresOn: row["expiresOn"] as? Double,
      cachedAt: row["cachedAt"] as? Double, extendedExpiresOn: row["extendedExpiresOn"] as? Double,
      familyID: text("familyID"), knowsFamilyID: row["knowsFamilyID"] as? Bool ?? false,
      homeAccountID: text("homeAccountID"), clientInfo: text("clientInfo"),
      isTombstone: row["isTombstone"] as? Bool ?? false,
      enrollmentID: text("enrollmentID"), applicationIdentifier: text("applicationIdentifier"),
      hasPrimaryRefreshTokenKey: row["hasPrimaryRefreshTokenKey"] as? Bool ?? false,
      droppedFields: row["droppedFields"] as? [String] ?? [], place: place,
      className: text("className") ?? "ADTokenCacheStoreItem")
  }

  private func unreadable(given actual: LegacyItem) -> UnreadableToken? {
    let codes: [UnreadableToken.Code] = [.undecodable, .unknownClass, .malformed, .previewFormat]
    guard let code = codes.first(where: { $0.description == text("code") }) else { return nil }
    guard case .unreadable(let actual) = actual else { return nil }
    return UnreadableToken(
      place: place, code: code,
      archiveError: text("archiveError")
        ?? (code == .undecodable ? actual.archiveError ?? "none" : nil),
      offset: row["offset"] as? Int ?? actual.offset, className: text("className"),
      userID: text("userID"), authority: text("authority"), resource: text("resource"),
      clientID: text("clientID"))
  }

  private var place: LegacyPlace {
    let place = row["place"] as? [String: Any] ?? [:]
    func text(_ name: String) -> String { place[name] as? String ?? "" }
    if let index = place["index"] as? Int { return .archive(index: index) }
    guard place["client"] == nil else {
      return .blob(
        LegacyPlace.BlobKey(
          user: text("user"), authority: text("authority"), resource: place["resource"] as? String,
          client: text("client")))
    }
    return .keychain(
      LegacyPlace.KeychainKey(
        accessGroup: text("agrp"), account: text("acct"), service: text("svce"),
        modified: place["mdat"] as? Double))
  }

  private func text(_ name: String) -> String? { row[name] as? String }

  private func secret(_ name: String) -> TokenSecret? { text(name).map { TokenSecret($0) } }
}
