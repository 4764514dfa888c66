// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

// The list that ADAL.NET 4 and 5 wrote beside their own blob for MSAL.NET 2: `{"Key": NAME, "Value": [TEXT, …]}`, each
// text the JSON of one entry with the fields of the portable document (other-adals §2.9).
extension CacheDocument {
  /// Whether these are the bytes of a list rather than of a document, by how they begin.
  package static func isUnifiedList(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes)
    return scanner.peek() == UInt8(ascii: "[")
  }

  /// The document that this list would be in the portable form; an entry that cannot be read is among the
  /// unreadable ones.
  ///
  /// - Throws: ``MSALCacheError`` when the bytes are not such a list.
  package init(unifiedList bytes: [UInt8]) throws(MSALCacheError) {
    let root: JSONValue
    do { root = try JSONValue(bytes) } catch { throw MSALCacheError(error) }
    guard case .array(let parts) = root else { throw Self.notAList }
    var sections: [String: [String: JSONValue]] = [:]
    for part in parts {
      guard case .string(let name)? = part.object?["Key"],
        case .array(let texts)? = part.object?["Value"]
      else { throw Self.notAList }
      guard let section = Self.sectionsByName[name] else { continue }
      for (index, text) in texts.enumerated() {
        // A text that is no JSON is an entry that is no object.
        let entry = text.string.flatMap { try? JSONValue(Array($0.utf8)) } ?? .null
        let key =
          entry.object.flatMap { try? section.entry(of: $0).documentKey }
          ?? "\(name)[\(index)]"
        sections[section.rawValue, default: [:]][key] = entry
      }
    }
    try self.init(members: sections.mapValues { .object($0) })
  }

  private static let notAList = MSALCacheError(
    "ADAL.NET's data for MSAL.NET is not a list of keys and values")

  private static let sectionsByName: [String: DocumentSection] = [
    "access_tokens": .accessToken, "refresh_tokens": .refreshToken, "id_tokens": .idToken,
    "accounts": .account,
  ]
}
