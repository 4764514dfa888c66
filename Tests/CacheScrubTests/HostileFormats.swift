// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation

// The formats of other libraries, and their wrappings.
extension HostileCache {
  mutating func dotNet() -> [UInt8] {
    HostileSpelling.blob(
      (0..<Int.random(in: 1...2, using: &random)).map { _ in
        let key = [
          text("https://login.windows.net/common/"), text(.host), text(.identifier), "0",
        ].joined(separator: ":::")
        let result = JSONValue.object([
          "RawClientInfo": .string(text("")), "RefreshToken": .string(text(.token)),
          field("ResourceInResponse"): .string(text(.host)),
          "Result": .object([
            "AccessToken": .string(text(.token)), "AccessTokenType": .string(text("Bearer")),
            "ExpiresOn": .object([
              "DateTime": .string(text("/Date(1700002999000)/")), "OffsetMinutes": .number(0),
            ]),
            "IdToken": .string(idToken()), "TenantId": .string(text(.identifier)),
            "UserInfo": .object([
              "DisplayableId": .string(text(.name)), "UniqueId": .string(text(.identifier)),
              field("GivenName"): .string(text("Ann")),
            ]),
          ]),
        ]).encoded()
        let inner =
          random.chance(50)
          ? Base64.text(of: result, .standard) : String(decoding: result, as: UTF8.self)
        return (key, random.chance(hostility / 4) ? spelled() : inner)
      })
  }

  mutating func list() -> [UInt8] {
    JSONValue.array(
      (0..<Int.random(in: 1...2, using: &random)).map { _ in
        var members: [String: JSONValue] = [
          "tokenType": .string(text("Bearer")), "expiresIn": .number(3599),
          "expiresOn": .string(text("2023-11-14T23:03:19.192Z")), "resource": .string(text(.host)),
          "accessToken": .string(text(.token)), "refreshToken": .string(text(.token)),
          "userId": .string(text(.name)), "oid": .string(text(.identifier)),
          "tenantId": .string(text(.identifier)), "isMRRT": .bool(true),
          "_clientId": .string(text("27922004-5251-4030-b22d-91ecd9a37ea4")),
          "_authority": .string(text("https://login.windows.net/common")),
          "identityProvider": .string(text("live.com")),
        ]
        if random.chance(hostility) { members[field("note")] = value(depth: 0) }
        return .object(members)
      }
    ).encoded()
  }

  /// An entry of MSAL's. No two were stored at one time, since a digest of the token decides between such.
  mutating func entry() -> [String: JSONValue] {
    lastStored += 1
    var members: [String: JSONValue] = [
      "home_account_id": .string(text(.homeAccount)), "secret": .string(text(.token)),
      "environment": .string(text("login.windows.net")), "realm": .string(text(.identifier)),
      "client_id": .string(text("27922004-5251-4030-b22d-91ecd9a37ea4")),
      "credential_type": .string(text("RefreshToken")), "username": .string(text(.name)),
      "target": .string(text("openid profile")), "expires_on": .string(text("1700003600")),
      "cached_at": .string(text(.words("\(lastStored)"))),
      "last_modification_time": .string("\(lastStored)"),
      "family_id": .string(text("1")),
      "authority_type": .string(text("MSSTS")), field("name"): .string(text("Ann")),
    ]
    if random.chance(hostility) { members[field("note")] = value(depth: 0) }
    return members
  }

  mutating func document() -> [UInt8] {
    var sections: [String: JSONValue] = [:]
    for name in ["Account", "RefreshToken", "AccessToken", "IdToken", "AppMetadata"] {
      sections[name] = .object([text(.words("a-key-of-\(name)")): .object(entry())])
    }
    if random.chance(hostility) { sections[field("Note")] = value(depth: 0) }
    return JSONValue.object(sections).encoded()
  }

  /// A text in lines.
  mutating func broken(_ text: String, by end: String) -> [UInt8] {
    guard random.chance(50) else { return Array(text.utf8) }
    let letters = Array(text.utf8)
    let lines = stride(from: 0, to: letters.count, by: 76).map { letters[$0...].prefix(76) }
    return Array(lines.joined(separator: end.utf8))
  }

  mutating func preferences() -> [UInt8] {
    func escaped(_ text: String) -> String {
      text.replacingOccurrences(of: "&", with: "&amp;")
        .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
    let declaration =
      random.chance(hostility) ? "<?xml version='1.0' \(escaped(spelled())) ?>\n" : ""
    let blob = String(
      decoding: broken(Base64.text(of: dotNet(), .standard), by: "&#10;"), as: UTF8.self)
    var others = ""
    for _ in 0..<3 {
      let kind = ["string", "int", "boolean", "long"].randomElement(using: &random) ?? "int"
      others += "<\(kind) name=\"\(escaped(text("count")))\""
      others +=
        kind == "string"
        ? ">\(escaped(text("a b")))</string>\n" : " value=\"\(escaped(text("1")))\" />\n"
    }
    if random.chance(hostility) { others += "<!-- \(escaped(spelled())) -->" }
    return Array(
      "\(declaration)<map>\n<string name=\"cache\">\(blob)</string>\n\(others)</map>".utf8)
  }

  /// Azure PowerShell's contexts.
  mutating func context() -> [UInt8] {
    JSONValue.object([
      "DefaultContextKey": .string(text("Default")),
      "Contexts": .object([
        text("Default"): .object([
          "Account": .object(["Id": .string(text(.name)), "Type": .string(text("User"))]),
          "Tenant": .object([field("Id"): .string(text(.identifier))]),
          "TokenCache": .object(["CacheData": .string(Base64.text(of: dotNet(), .standard))]),
        ])
      ]),
    ]).encoded()
  }
}
