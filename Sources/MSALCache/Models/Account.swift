// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// A user in one tenant, as MSAL lists accounts.
///
/// Fields are the strings of the JSON payload (IdentityCore cache/token/MSIDAccountCacheItem.m;
/// msal-cache-format §2.3).
package struct Account: Sendable, Hashable {
  /// `home_account_id`: `uid.utid`.
  package var homeAccountID: String
  /// `environment`: the host of the authority.
  package var environment: String
  /// `realm`: the tenant.
  package var realm: String?
  /// `local_account_id`: the user's object id in the tenant.
  package var localAccountID: String?
  /// `username`.
  package var username: String?
  /// `authority_type`: `MSSTS` for every account that MSAL finds again.
  package var authorityType: String
  /// `name`: the display name.
  package var name: String?
  /// `given_name`.
  package var givenName: String?
  /// `middle_name`.
  package var middleName: String?
  /// `family_name`.
  package var familyName: String?
  /// `client_info` as the token response gave it: base64url of JSON.
  package var clientInfo: String?
  /// Every other field, and known ones whose value is not a string.
  package var additional: [String: JSONValue]

  /// An account; what is not said is absent.
  package init(
    homeAccountID: String, environment: String, realm: String? = nil,
    localAccountID: String? = nil, username: String? = nil, authorityType: String = "MSSTS",
    name: String? = nil, givenName: String? = nil, middleName: String? = nil,
    familyName: String? = nil, clientInfo: String? = nil, additional: [String: JSONValue] = [:]
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.realm = realm
    self.localAccountID = localAccountID
    self.username = username
    self.authorityType = authorityType
    self.name = name
    self.givenName = givenName
    self.middleName = middleName
    self.familyName = familyName
    self.clientInfo = clientInfo
    self.additional = additional
  }

  /// The account that this keychain item holds.
  ///
  /// - Throws: ``MSALItemError`` when the data is no JSON object, `home_account_id` or
  ///   `environment` is missing, or `authority_type` is none that MSAL knows.
  package init(item: KeychainItem) throws(MSALItemError) {
    try self.init(payload: Payload(of: item))
  }

  init(payload: Payload) throws(MSALItemError) {
    var payload = payload
    authorityType = try payload.require("authority_type")
    guard Self.typeNumber(of: authorityType) != nil else {
      throw MSALItemError(.unknownType, "MSAL knows no authority type of this name")
    }
    homeAccountID = try payload.require("home_account_id")
    environment = try payload.require("environment")
    realm = payload.take("realm")
    localAccountID = payload.take("local_account_id")
    username = payload.take("username")
    name = payload.take("name")
    givenName = payload.take("given_name")
    middleName = payload.take("middle_name")
    familyName = payload.take("family_name")
    clientInfo = payload.take("client_info")
    additional = payload.rest
  }

  /// The fields of the JSON payload.
  var fields: Payload.Fields {
    let known: [JSONField] = [
      JSONField("authority_type", authorityType),
      JSONField("client_info", clientInfo),
      JSONField("environment", environment),
      JSONField("family_name", familyName),
      JSONField("given_name", givenName),
      JSONField("home_account_id", homeAccountID),
      JSONField("local_account_id", localAccountID),
      JSONField("middle_name", middleName),
      JSONField("name", name),
      JSONField("realm", realm),
      JSONField("username", username),
    ]
    return Payload.Fields(known: known, others: additional)
  }

  /// kSecAttrType of this authority type, in any case; nil when MSAL knows none of that name.
  package static func typeNumber(of authorityType: String) -> Int? {
    switch authorityType.lowercasedLikeNSString {
    case "aad": 1001
    case "msa": 1002
    case "mssts": 1003
    case "adfs": 1004
    default: nil
    }
  }

  /// The keychain item of this account, every attribute derived from the payload.
  ///
  /// - Parameters:
  ///   - accessGroup: with its team prefix.
  ///   - instant: when the item is made, in Unix seconds; nil where a store says so itself.
  package func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    attributes.item(
      accessGroup: accessGroup, data: fields.encoded, at: instant)
  }
}
