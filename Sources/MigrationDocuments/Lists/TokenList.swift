// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import MSALCache
import PlatformFoundation

/// A cache of ADAL for Python or Node as their apps keep it, and `accessTokens.json` of Azure CLI until
/// 2.29 and azure-cli 1: a JSON list with an object for each row.
///
/// The dialects are told row by row, since one file can have several. Where the text stops being JSON, one
/// unreadable row has the reason, in the place of all the rest.
///
/// Source: other-adals §3 to §5; `token_cache.py`, `cache_driver.py`, `oauth2_client.py`.
package struct TokenList: Sendable {
  /// In the list's order.
  package private(set) var tokens: [LegacyToken] = []
  /// The unreadable rows, and rows that are not tokens: service principals.
  package private(set) var unreadable: [UnreadableToken] = []

  private static let names: [StaticString] = [
    "_authority", "_clientId", "accessToken", "createdOn", "expiresIn", "expiresOn", "familyName",
    "givenName", "identityProvider", "isMRRT", "isUserIdDisplayable", "oid", "refreshToken",
    "resource", "servicePrincipalId", "tenantId", "tokenType", "userId",
  ]
  /// Objects of one list; beyond that the file is not a cache of real sign-ins.
  private static let rowLimit = 100_000

  /// Reads all readable rows.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - localTime: the time zone of the machine that wrote the list.
  /// - Throws: ``LegacyCacheError`` (`not-a-list`) when the bytes do not begin as a list.
  package init(_ bytes: [UInt8], localTime: LocalTime) throws(LegacyCacheError) {
    var scanner = JSONScanner(bytes)
    guard scanner.peek() == UInt8(ascii: "[") else {
      throw LegacyCacheError(.notAList, at: scanner.offset)
    }
    do {
      try readRows(&scanner, localTime)
    } catch {
      let place = LegacyPlace.RowKey(index: tokens.count + unreadable.count)
      let isCutOff = error.code == .malformedJSON && !Self.isClosed(bytes)
      let reason = isCutOff ? LegacyCacheError(.truncated, at: bytes.count) : error
      unreadable.append(UnreadableToken(place: .row(place), reason))
    }
  }

  /// Whether the text ends as a list does.
  private static func isClosed(_ bytes: [UInt8]) -> Bool {
    bytes.last { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "]")
  }

  private mutating func readRows(
    _ scanner: inout JSONScanner, _ localTime: LocalTime
  ) throws(LegacyCacheError) {
    do throws(JSONError) {
      var isMore = try scanner.opensArray()
      var index = 0
      while isMore, index < Self.rowLimit {
        _ = scanner.peek()
        var row = scanner
        // The whole object, so that a row that is refused does not end the reading.
        try scanner.skipValue()
        read(&row, index, localTime)
        index += 1
        isMore = try scanner.continuesArray()
      }
      guard isMore else { return try scanner.expectEnd() }
    } catch { throw LegacyCacheError(error) }
    throw LegacyCacheError(.tooManyRows, at: scanner.offset)
  }

  private mutating func read(_ scanner: inout JSONScanner, _ index: Int, _ localTime: LocalTime) {
    let place = LegacyPlace.RowKey(index: index)
    let start = scanner.offset
    do {
      let members = try RowMembers(&scanner, names: Self.names)
      // Azure CLI's row for a service principal. Its `accessToken` is the principal's secret.
      if members.has("servicePrincipalId") {
        unreadable.append(
          UnreadableToken(
            place: .row(place), code: .servicePrincipal, offset: start,
            clientID: try? members.text("servicePrincipalId")))
      } else if members.has("_clientId"), members.has("_authority") {
        // ADAL adds these two to every answer.
        tokens.append(try Self.token(of: members, at: place, localTime))
      } else {
        unreadable.append(
          UnreadableToken(place: .row(place), code: .malformed, offset: start))
      }
    } catch {
      unreadable.append(UnreadableToken(place: .row(place), error))
    }
  }

  private static func token(
    of members: RowMembers, at place: LegacyPlace.RowKey, _ localTime: LocalTime
  ) throws(LegacyCacheError) -> LegacyToken {
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
    let expiry = time("expiresOn", of: members, &token)
    token.origin = expiry?.isUTC ?? false ? .node : .python
    if let expiry {
      // Python adds the token's lifetime to the local time of the answer, without asking whether clocks are changed
      // in between.
      var lifetime = 0.0
      if !expiry.isUTC, let added = token.expiresIn, (0...Self.longestLifetime).contains(added) {
        lifetime = Double(added)
      }
      token.expiresOn = instant((expiry.seconds - lifetime, expiry.isUTC), localTime) + lifetime
    }
    token.cachedAt = time("createdOn", of: members, &token).map { instant($0, localTime) }
    var key = place
    key.user = token.userID ?? ""
    key.authority = token.authority ?? ""
    key.resource = token.resource
    key.client = token.clientID ?? ""
    token.place = .row(key)
    return token
  }

  /// A time as a list spells it: seconds since 1970 as if it were UTC, and whether it is.
  private typealias ListedTime = (seconds: Double, isUTC: Bool)

  private static func instant(_ time: ListedTime, _ localTime: LocalTime) -> Double {
    time.isUTC ? time.seconds : localTime.instant(time.seconds)
  }

  /// The member's time; nil if it has none. A time with another spelling counts as dropped.
  private static func time(
    _ name: StaticString, of members: RowMembers, _ token: inout LegacyToken
  ) -> ListedTime? {
    do {
      guard let text = try members.text(name) else { return nil }
      if let time = time(text) { return time }
    } catch {}
    token.droppedFields.append(name.description)
    return nil
  }

  /// Reads `2023-11-14T23:03:19.191Z` (UTC, JavaScript) or `2017-08-01 12:00:00.123456` (local, Python).
  private static func time(_ text: String) -> ListedTime? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19 else { return nil }
    let isUTC = bytes[10] == UInt8(ascii: "T")
    guard let instant = CalendarInstant(bytes[..<19], separator: isUTC ? "T" : " ") else {
      return nil
    }
    var rest = bytes[19...]
    if isUTC, rest.popLast() != UInt8(ascii: "Z") { return nil }
    if rest.isEmpty { return (instant.seconds, isUTC) }
    guard rest.popFirst() == UInt8(ascii: "."), (1...9).contains(rest.count),
      rest.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let fraction = rest.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    return (instant.seconds + Double(fraction) / rest.reduce(1) { power, _ in power * 10 }, isUTC)
  }

  /// Ten years, in seconds; no service ever gave a token for longer.
  private static let longestLifetime = 315_360_000
}

/// The time zone of the machine that wrote a list of ADAL for Python, which spells times as the clock on
/// the wall has them.
package struct LocalTime: Sendable {
  private let secondsFromUTC: @Sendable (Double) -> Int

  /// - Parameter secondsFromUTC: how far local time is ahead at an instant, which is in Unix seconds.
  package init(secondsFromUTC: @escaping @Sendable (Double) -> Int) {
    self.secondsFromUTC = secondsFromUTC
  }

  /// The zone of this process. Outside of Apple's systems Foundation knows no other than UTC without its larger part.
  package static let ofThisMachine = LocalTime {
    guard var time = time_t(exactly: $0.rounded(.down)) else { return 0 }
    var fields = tm()
    localtime_r(&time, &fields)
    return fields.tm_gmtoff
  }

  /// The instant, in Unix seconds, at which a local clock shows `wall`: seconds since 1970 as if it were UTC. When
  /// clocks are set back, and for a time that clocks skip, it is the earlier instant, because it is better to take a
  /// token for expired than for valid.
  func instant(_ wall: Double) -> Double {
    // No zone is a whole day ahead or behind, so these are before and after the instant.
    let offsets = [wall - Self.day, wall + Self.day].map { Double(secondsFromUTC($0)) }
    let instants = offsets.map { wall - $0 }
    let shown = zip(instants, offsets).filter { Double(secondsFromUTC($0)) == $1 }.map(\.0)
    return (shown.min() ?? instants.min()) ?? wall
  }

  private static let day = 86400.0
}
