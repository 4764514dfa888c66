// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// One of MSAL's entries, written from the format's own rules and not with `MSALCache`, so that tests
/// have a second opinion on every attribute (msal-cache-format §1.3, §1.4, §2).
public struct SyntheticEntry: Sendable, Hashable {
  /// The fields of the JSON payload; every one is a string.
  public var payload: [String: String]

  public init(_ payload: [String: String?]) {
    self.payload = payload.compactMapValues { $0 }
  }

  /// The entry that an item's data holds, or nil when it is no JSON object of strings.
  public init?(_ item: KeychainItem) {
    guard let data = item.data,
      let members = try? JSONSerialization.jsonObject(with: Data(data.reveal()))
        as? [String: String]
    else { return nil }
    payload = members
  }

  /// The field of that name.
  public subscript(field: String) -> String? { payload[field] }

  // MARK: Attributes

  private func lower(_ field: String) -> String? {
    payload[field]?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
  }

  private static let credentialTypes = [
    "accesstoken": 2001, "refreshtoken": 2002, "idtoken": 2003,
  ]

  private var credentialType: String? { lower("credential_type") }

  /// `accesstoken-CLIENT-REALM`, and so on: what kSecAttrGeneric of a token is.
  private var credentialID: String {
    var parts = [
      credentialType ?? "", lower("family_id") ?? lower("client_id") ?? "", lower("realm") ?? "",
    ]
    if let application = lower("application_cache_identifier") { parts.append(application) }
    return parts.joined(separator: "-")
  }

  /// kSecAttrAccount.
  public var account: String {
    guard let home = lower("home_account_id") else { return payload["environment"] ?? "" }
    return "\(home)-\(lower("environment") ?? "")"
  }

  /// kSecAttrService.
  public var service: String {
    if credentialType != nil {
      let service = "\(credentialID)-\(lower("target") ?? "")"
      return service + (lower("token_type").map { "-\($0)" } ?? "")
    }
    if payload["authority_type"] != nil { return lower("realm") ?? "" }
    return "appmetadata-\(lower("client_id") ?? "")"
  }

  /// kSecAttrGeneric.
  public var generic: String? {
    if credentialType != nil { return credentialID }
    return payload["authority_type"] != nil ? lower("username") : payload["family_id"]
  }

  /// kSecAttrType.
  public var type: Int {
    if let credentialType { return Self.credentialTypes[credentialType] ?? 2000 }
    return payload["authority_type"] != nil ? 1003 : 3001
  }

  /// The item that MSAL would keep the entry in.
  public func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    let data = try? JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys])
    return KeychainItem(
      accessGroup: accessGroup, account: account, service: service,
      generic: generic.map { Array($0.utf8) }, type: type, accessibility: "cku",
      created: instant, modified: instant, data: TokenSecret([UInt8](data ?? Data())))
  }
}

extension SyntheticEntry {
  /// A refresh token; with a family, that family's.
  public static func refreshToken(
    _ secret: String, home: String, client: String, family: String? = nil,
    environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    SyntheticEntry([
      "credential_type": "RefreshToken", "secret": secret, "home_account_id": home,
      "client_id": client, "environment": environment, "family_id": family,
    ])
  }

  public static func idToken(
    _ secret: String, home: String, client: String, realm: String,
    environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    SyntheticEntry([
      "credential_type": "IdToken", "secret": secret, "home_account_id": home,
      "client_id": client, "environment": environment, "realm": realm,
    ])
  }

  /// An access token; times are Unix seconds.
  public static func accessToken(
    _ secret: String, home: String, client: String, realm: String, target: String,
    expiresOn: Double, cachedAt: Double?, extendedExpiresOn: Double? = nil,
    application: String? = nil, enrollment: String? = nil,
    environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    func seconds(_ time: Double?) -> String? { time.map { String(Int($0.rounded(.down))) } }
    return SyntheticEntry([
      "credential_type": "AccessToken", "secret": secret, "home_account_id": home,
      "client_id": client, "environment": environment, "realm": realm, "target": target,
      "expires_on": seconds(expiresOn), "cached_at": seconds(cachedAt),
      "extended_expires_on": seconds(extendedExpiresOn),
      "application_cache_identifier": application, "enrollment_id": enrollment,
    ])
  }

  /// An account of MSAL's; `home` is `uid.utid`, of which the client info is made.
  public static func account(
    _ username: String?, home: String, realm: String, localID: String?,
    names: [String: String] = [:], environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    let parts = home.split(separator: ".").map(String.init)
    let clientInfo =
      parts.count == 2 ? SyntheticRow.clientInfo(uid: parts[0], utid: parts[1]) : nil
    var entry = SyntheticEntry([
      "authority_type": "MSSTS", "home_account_id": home, "environment": environment,
      "realm": realm, "local_account_id": localID, "username": username,
      "client_info": clientInfo,
    ])
    entry.payload.merge(names) { $1 }
    return entry
  }

  public static func appMetadata(
    client: String, family: String?, environment: String = "login.windows.net"
  ) -> SyntheticEntry {
    SyntheticEntry(["client_id": client, "environment": environment, "family_id": family])
  }

  /// MSAL's note that a client's user signed out, as an item.
  public static func signedOut(home: String, client: String, accessGroup: String) -> KeychainItem {
    accountMetadata([home: "signed_out"], client: client, accessGroup: accessGroup)
  }

  /// MSAL's notes about a client's users, as an item.
  ///
  /// - Parameter states: the state of each home account id.
  public static func accountMetadata(
    _ states: [String: String], client: String, accessGroup: String
  ) -> KeychainItem {
    var map: [String: [String: String]] = [:]
    for (home, state) in states {
      map[home] = ["client_id": client, "home_account_id": home, "sign_in_state": state]
    }
    let data = try? JSONSerialization.data(
      withJSONObject: ["client_id": client, "account_metadata_map": map], options: [.sortedKeys])
    return KeychainItem(
      accessGroup: accessGroup, account: "authority_map", service: client, type: 5001,
      accessibility: "cku", data: TokenSecret([UInt8](data ?? Data())))
  }
}
