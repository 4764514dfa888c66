// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// One row of ADAL.NET's blob: where its key and its value are.
struct DotNetRow {
  let bytes: [UInt8]
  let key: Range<Int>
  let value: Range<Int>
  let schema: Int

  /// Adds the parts of the key to a token: `AUTHORITY:::RESOURCE:::CLIENT:::N`, without escapes. ADAL takes the first
  /// four pieces. Here a resource that contains the separator is read whole.
  func readKey(
    at place: LegacyPlace.RowKey, into token: inout LegacyToken
  ) throws(LegacyCacheError) {
    let malformed = LegacyCacheError(.malformedKey, at: key.lowerBound)
    guard let text = String(validUTF8: Array(bytes[key])) else {
      throw LegacyCacheError(.malformedText, at: key.lowerBound)
    }
    let utf8 = text.utf8
    guard let first = Self.separator(in: utf8[...], last: false),
      let third = Self.separator(in: utf8[first.upperBound...], last: true),
      let second = Self.separator(in: utf8[first.upperBound..<third.lowerBound], last: true),
      let digit = utf8[third.upperBound...].first, utf8[third.upperBound...].count == 1,
      let subjectType = LegacyToken.SubjectType(rawValue: Int(digit) - 0x30)
    else { throw malformed }
    var place = place
    place.authority = String(text[..<first.lowerBound])
    place.resource = String(text[first.upperBound..<second.lowerBound])
    place.client = String(text[second.upperBound..<third.lowerBound])
    token.place = .row(place)
    token.authority = place.authority
    token.resource = place.resource?.unlessBlank
    token.clientID = place.client
    token.subjectType = subjectType
  }

  private static func separator(
    in text: Substring.UTF8View, last: Bool
  ) -> Range<String.Index>? {
    let colon = UInt8(ascii: ":")
    var colons = 0
    // Colons counted from the end that the search begins at.
    var index = last ? text.endIndex : text.startIndex
    while index != (last ? text.startIndex : text.endIndex) {
      let next = last ? text.index(before: index) : text.index(after: index)
      colons = text[last ? next : index] == colon ? colons + 1 : 0
      if colons == 3 {
        return last
          ? next..<text.index(next, offsetBy: 3) : text.index(next, offsetBy: -3)..<next
      }
      index = next
    }
    return nil
  }

  private static let row: [StaticString] = [
    "RawClientInfo", "RefreshToken", "ResourceInResponse", "Result", "UserAssertionHash",
  ]
  private static let result: [StaticString] = [
    "AccessToken", "AccessTokenType", "ExpiresOn", "ExtendedExpiresOn", "IdToken",
    "IsMultipleResourceRefreshToken", "RefreshToken", "TenantId", "UserAssertionHash", "UserInfo",
  ]
  private static let user: [StaticString] = [
    "DisplayableId", "FamilyName", "GivenName", "IdentityProvider", "UniqueId",
  ]

  /// Adds the members of the value to a token.
  ///
  /// - Throws: when the value is not JSON of the shape that ADAL or MSAL wrote; every member may be absent.
  func readValue(into token: inout LegacyToken) throws(LegacyCacheError) {
    do {
      let (json, start) = try self.json()
      try read(json, from: start, into: &token)
    } catch {
      // An offset in decoded base64 says nothing of the file.
      throw schema == 1 ? LegacyCacheError(error.code, at: value.lowerBound) : error
    }
    if case .row(var key) = token.place {
      key.user = token.userID ?? ""
      token.place = .row(key)
    }
  }

  private func json() throws(LegacyCacheError) -> (text: [UInt8], start: Int) {
    guard schema == 1 else { return (Array(bytes[value]), value.lowerBound) }
    let text = bytes.withUnsafeBufferPointer { buffer in
      Base64.bytes(of: UnsafeBufferPointer(rebasing: buffer[value]), .standard)
    }
    guard let text else { throw LegacyCacheError(.malformedBase64, at: value.lowerBound) }
    return (text, value.lowerBound)
  }

  private func read(
    _ json: [UInt8], from start: Int, into token: inout LegacyToken
  ) throws(LegacyCacheError) {
    var scanner = JSONScanner(json)
    let outer = try RowMembers(
      &scanner, from: start, names: schema == 3 ? Self.row : Self.result)
    do { try scanner.expectEnd() } catch { throw LegacyCacheError(error, from: start) }
    token.refreshToken = try outer.secret("RefreshToken")
    token.assertionHash = try outer.text("UserAssertionHash")
    guard schema == 3 else {
      token.isMultiResource = try outer.bool("IsMultipleResourceRefreshToken")
      try read(result: outer, depth: 1, into: &token)
      return
    }
    token.clientInfo = try outer.text("RawClientInfo")
    token.resourceInResponse = try outer.text("ResourceInResponse")
    token.isMultiResource =
      token.refreshToken != nil && token.resourceInResponse?.unlessBlank != nil
    let result = try outer.object("Result", names: Self.result, depth: 1)
    if let result { try read(result: result, depth: 2, into: &token) }
    // MSAL.NET writes only the user of a result. ADAL.NET always wrote everything.
    if result?.has("AccessToken") ?? false || result?.has("ExpiresOn") ?? false { return }
    token.origin = .msalNet
  }

  private func read(
    result: RowMembers, depth: Int, into token: inout LegacyToken
  ) throws(LegacyCacheError) {
    token.accessToken = try result.secret("AccessToken")
    token.accessTokenType = try result.text("AccessTokenType")
    token.expiresOn = try instant("ExpiresOn", of: result, depth: depth)
    token.extendedExpiresOn = try instant("ExtendedExpiresOn", of: result, depth: depth)
    token.rawIDToken = try result.secret("IdToken")
    token.tenantID = try result.text("TenantId")
    guard let user = try result.object("UserInfo", names: Self.user, depth: depth) else { return }
    token.userID = try user.text("DisplayableId")
    token.objectID = try user.text("UniqueId")
    token.givenName = try user.text("GivenName")
    token.familyName = try user.text("FamilyName")
    token.identityProvider = try user.text("IdentityProvider")
  }

  /// The instant of a `DateTimeOffset`, in Unix seconds: `{"DateTime":"\/Date(1700002999000)\/", …}`. The number is
  /// milliseconds in UTC, whatever the offset beside it.
  private func instant(
    _ name: StaticString, of members: RowMembers, depth: Int
  ) throws(LegacyCacheError) -> Double? {
    guard let instant = try members.object(name, names: ["DateTime"], depth: depth),
      let text = try instant.text("DateTime")
    else { return nil }
    let malformed = LegacyCacheError(.malformedTime, at: instant.offset(of: "DateTime"))
    guard text.hasPrefix("/Date("), text.hasSuffix(")/"),
      let milliseconds = Int64(text.dropFirst(6).dropLast(2)),
      Self.latest >= milliseconds.magnitude
    else { throw malformed }
    return milliseconds == Self.none ? nil : Double(milliseconds) / 1000
  }

  /// The end of the year 9999, which no `DateTime` is beyond.
  private static let latest: UInt64 = 253_402_300_799_999
  /// The start of the year 1, .NET's word for no date.
  private static let none: Int64 = -62_135_596_800_000
}
