// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MSALCache

extension LazyRow {
  /// The row as MSAL reads it, or nil when it is filed where MSAL does not look: a bare archive, or a
  /// keychain item whose service is none of ADAL's.
  ///
  /// MSAL finds a row by its key, which may say another authority, client or user than the row itself
  /// (msal-cache-format §6.1).
  public init?(_ token: LegacyToken) {
    let key: LazyRow.Key
    let place: KeychainItem.Key
    switch token.place {
    case .keychain(let item):
      guard let filed = LazyRow.Key(service: item.service, account: item.account) else {
        return nil
      }
      key = filed
      place = KeychainItem.Key(
        accessGroup: item.accessGroup, account: item.account, service: item.service)
    case .blob(let entry):
      key = LazyRow.Key(
        userID: entry.user, authority: entry.authority.lowercased(),
        resource: entry.resource.flatMap { $0.isEmpty ? nil : $0.lowercased() },
        client: entry.client.lowercased())
      place = KeychainItem.Key(accessGroup: "", account: entry.user, service: "")
    case .archive:
      return nil
    }
    self.init(
      key: key, place: place, authority: token.authority, clientID: token.clientID,
      familyID: token.familyID, homeAccountID: token.homeAccountID, rawIDToken: token.rawIDToken,
      refreshToken: token.refreshToken, hasAccessToken: token.accessToken != nil)
  }
}

extension LazyRow.Key {
  /// What ADAL writes where there is no resource, and once wrote where there was no user.
  private static let nobody = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"
  private static let library = "MSOpenTech.ADAL.1"

  /// The parts of a service and an account, each base64url; nil when the service has other parts.
  fileprivate init?(service: String, account: String) {
    let parts = service.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0].hasPrefix(Self.library),
      let authority = Self.text(of: parts[1]), let client = Self.text(of: parts[3])
    else { return nil }
    let bound = parts[0].dropFirst(Self.library.count)
    self.init(
      userID: account.isEmpty ? "" : account == Self.nobody ? nil : Self.text(of: account),
      authority: authority,
      resource: parts[2] == Self.nobody ? nil : Self.text(of: parts[2]) ?? parts[2],
      client: client, application: bound.isEmpty ? nil : String(bound))
  }

  /// The text of base64url that is spelled as MSAL would spell it, since it compares the spelling.
  private static func text(of part: String) -> String? {
    let standard = part.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: standard + padding),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    let spelled = data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    return spelled == part ? text : nil
  }
}
