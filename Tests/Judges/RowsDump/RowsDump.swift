// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MigrationDocuments

/// Prints what ADALCache reads of caches of ADAL for .NET, Python and Node, for a judge that reads the same
/// bytes with other code. Never give it anybody's cache: it prints tokens.
///
///     rows-dump blob FILE
///     rows-dump list FILE ZONE
///
/// The file has inputs, each behind its length in four bytes, most significant first. Each gives a line of
/// JSON: its rows and those that could not be read, or an error's code.
@main struct RowsDump {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2,
      let zone = TimeZone(identifier: arguments.dropFirst(3).first ?? "UTC")
    else {
      FileHandle.standardError.write(Data("usage: rows-dump blob FILE | list FILE ZONE\n".utf8))
      exit(64)
    }
    let localTime = LocalTime { zone.secondsFromGMT(for: Date(timeIntervalSince1970: $0)) }
    var rest = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))[...]
    while rest.count >= 4 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let bytes = [UInt8](rest.dropFirst(4).prefix(length))
      rest = rest.dropFirst(4 + length)
      let result = arguments[1] == "blob" ? blob(bytes) : list(bytes, localTime)
      let json = try JSONSerialization.data(withJSONObject: result, options: [.sortedKeys])
      print(String(decoding: json, as: UTF8.self))
    }
  }

  private static func blob(_ bytes: [UInt8]) -> Any {
    do {
      let blob = try DotNetBlob(bytes)
      return rows(blob.tokens, blob.unreadable)
    } catch { return ["error": error.code.description] }
  }

  private static func list(_ bytes: [UInt8], _ localTime: LocalTime) -> Any {
    do {
      let list = try TokenList(bytes, localTime: localTime)
      return rows(list.tokens, list.unreadable)
    } catch { return ["error": error.code.description] }
  }

  private static func rows(_ tokens: [LegacyToken], _ unreadable: [UnreadableToken]) -> Any {
    [
      "rows": tokens.map { facts($0).compactMapValues { $0 } },
      "unreadable": unreadable.map { row in
        let facts: [String: Any?] = [
          "index": index(row.place), "code": row.archiveError ?? row.code.description,
          "offset": row.offset, "client": row.clientID,
        ]
        return facts.compactMapValues { $0 }
      },
    ]
  }

  private static func index(_ place: LegacyPlace) -> Int? {
    guard case .row(let key) = place else { return nil }
    return key.index
  }

  private static func facts(_ token: LegacyToken) -> [String: Any?] {
    [
      "index": index(token.place), "origin": "\(token.origin)", "authority": token.authority,
      "resource": token.resource, "client": token.clientID, "user": token.userID,
      "object": token.objectID, "tenant": token.tenantID, "provider": token.identityProvider,
      "given": token.givenName, "family": token.familyName,
      "access": token.accessToken?.revealText(), "refresh": token.refreshToken?.revealText(),
      "id": token.rawIDToken?.revealText(), "type": token.accessTokenType,
      "expires": token.expiresOn, "extended": token.extendedExpiresOn, "created": token.cachedAt,
      "lifetime": token.expiresIn, "info": token.clientInfo, "hash": token.assertionHash,
      "subject": token.subjectType?.rawValue, "answered": token.resourceInResponse,
      "multi": token.isMultiResource, "displayable": token.hasDisplayableUserID,
      "dropped": token.droppedFields,
    ]
  }
}
