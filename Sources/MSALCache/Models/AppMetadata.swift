// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// What MSAL knows about a client in one environment: whether it belongs to a family.
///
/// No entry at all means unknown, and family `1` is tried; an empty ``familyID`` means that the client
/// belongs to none (IdentityCore cache/token/MSIDAppMetadataCacheItem.m; msal-cache-format §2.4).
package struct AppMetadata: Sendable, Hashable {
  /// `client_id`, compared with case.
  package var clientID: String
  /// `environment`: the host of the authority.
  package var environment: String
  /// `family_id`.
  package var familyID: String?
  /// Every other field, and known ones whose value is not a string.
  package var additional: [String: JSONValue]

  /// App metadata of one client in one cloud.
  package init(
    clientID: String, environment: String, familyID: String? = nil,
    additional: [String: JSONValue] = [:]
  ) {
    self.clientID = clientID
    self.environment = environment
    self.familyID = familyID
    self.additional = additional
  }

  /// The app metadata that this keychain item holds.
  ///
  /// - Throws: ``MSALItemError`` when the data is no JSON object, or `client_id` or `environment`
  ///   is missing.
  package init(item: KeychainItem) throws(MSALItemError) {
    try self.init(payload: Payload(of: item))
  }

  init(payload: Payload) throws(MSALItemError) {
    var payload = payload
    clientID = try payload.require("client_id")
    environment = try payload.require("environment")
    familyID = payload.take("family_id")
    additional = payload.rest
  }

  /// The fields of the JSON payload.
  var fields: Payload.Fields {
    let known: [JSONField] = [
      JSONField("client_id", clientID),
      JSONField("environment", environment),
      JSONField("family_id", familyID),
    ]
    return Payload.Fields(known: known, others: additional)
  }

  /// The keychain item of this entry, every attribute derived from the payload.
  ///
  /// - Parameters:
  ///   - accessGroup: with its team prefix.
  ///   - instant: when the item is made, in Unix seconds; nil where a store says so itself.
  package func item(accessGroup: String, at instant: Double?) -> KeychainItem {
    attributes.item(
      accessGroup: accessGroup, data: fields.encoded, at: instant)
  }
}
