// SPDX-License-Identifier: MIT
import CacheJSON

/// One object of a list.
struct ListedRow {
  private let members: RowMembers
  private let localTime: LocalTime

  private static let names: [StaticString] = [
    "_authority", "_clientId", "accessToken", "createdOn", "expiresIn", "expiresOn", "familyName",
    "givenName", "identityProvider", "isMRRT", "isUserIdDisplayable", "oid", "refreshToken",
    "resource", "servicePrincipalId", "tenantId", "tokenType", "userId",
  ]

  /// The object that comes next.
  init(_ scanner: inout JSONScanner, _ localTime: LocalTime) throws(LegacyCacheError) {
    members = try RowMembers(&scanner, names: Self.names)
    self.localTime = localTime
  }

  /// Whether the object is Azure CLI's for a service principal, whose `accessToken` is its secret.
  var isServicePrincipal: Bool { members.has("servicePrincipalId") }

  /// Whether the object is one that ADAL kept: it adds these two to every answer.
  var isToken: Bool { members.has("_clientId") && members.has("_authority") }

  func servicePrincipalID() throws(LegacyCacheError) -> String? {
    try members.text("servicePrincipalId")
  }

  func token(_ place: LegacyPlace.RowKey) throws(LegacyCacheError) -> LegacyToken {
    var token = LegacyToken(place: .row(place), className: "")
    token.authority = try members.text("_authority")
    token.clientID = try members.text("_clientId")
    token.resource = try members.text("resource")?.unlessBlank
    token.userID = try members.text("userId")?.unlessBlank
    token.accessToken = try members.secret("accessToken")
    token.accessTokenType = try members.text("tokenType")
    token.refreshToken = try members.secret("refreshToken")
    token.isMultiResource = try members.bool("isMRRT")
    token.objectID = try members.text("oid")
    token.tenantID = try members.text("tenantId")
    token.identityProvider = try members.text("identityProvider")
    token.givenName = try members.text("givenName")
    token.familyName = try members.text("familyName")
    token.hasDisplayableUserID = try members.bool("isUserIdDisplayable")
    token.expiresIn = members.integer("expiresIn")
    let expiry = time("expiresOn", &token)
    token.origin = expiry?.isUTC ?? false ? .node : .python
    token.expiresOn = expiry.map { expiryInstant($0, lifetime: token.expiresIn) }
    token.cachedAt = time("createdOn", &token).map(instant)
    var key = place
    key.user = token.userID ?? ""
    key.authority = token.authority ?? ""
    key.resource = token.resource
    key.client = token.clientID ?? ""
    token.place = .row(key)
    return token
  }

  /// The member's time; nil when it has none. What is spelled otherwise counts as dropped.
  private func time(_ name: StaticString, _ token: inout LegacyToken) -> ListedTime? {
    do {
      guard let text = try members.text(name) else { return nil }
      if let time = ListedTime(text) { return time }
    } catch {}
    token.droppedFields.append(name.description)
    return nil
  }

  private func instant(_ time: ListedTime) -> Double {
    time.isUTC ? time.seconds : localTime.instant(time.seconds)
  }

  /// When the access token expires. Python adds its lifetime to the local time of the answer, without
  /// asking whether clocks are changed in between.
  private func expiryInstant(_ time: ListedTime, lifetime: Int?) -> Double {
    guard !time.isUTC, let lifetime, (0...Self.longestLifetime).contains(lifetime) else {
      return instant(time)
    }
    return localTime.instant(time.seconds - Double(lifetime)) + Double(lifetime)
  }

  /// Ten years, in seconds; no service ever gave a token for longer.
  private static let longestLifetime = 315_360_000
}
