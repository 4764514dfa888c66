// SPDX-License-Identifier: MIT
import Foundation

/// A document of MSAL's in the words of its JSON: sections, keys, entries.
public struct SyntheticDocument: @unchecked Sendable {
  /// A text of JSON values.
  public internal(set) var sections: [String: [String: Any]] = [:]
  /// The users whose entries a damaged one keeps out: home account ID and environment.
  public internal(set) var blocked: Set<[String]> = []

  /// The file; nothing where there is no document.
  public var bytes: [UInt8] {
    guard !sections.isEmpty,
      let data = try? JSONSerialization.data(withJSONObject: sections, options: [.sortedKeys])
    else { return [] }
    return [UInt8](data)
  }

  /// Adds an entry unless its key is taken.
  mutating func add(_ entry: SyntheticEntry, under key: String? = nil) -> Bool {
    let key = key ?? entry.documentKey
    guard sections[entry.section]?[key] == nil else { return false }
    sections[entry.section, default: [:]][key] = entry.payload
    return true
  }
}

extension SyntheticEntry {
  /// The section of a document.
  public var section: String {
    self["credential_type"] ?? (self["authority_type"] == nil ? "AppMetadata" : "Account")
  }

  /// The key in a document, as MSAL.NET and Java write it.
  public var documentKey: String {
    let home = self["home_account_id"] ?? ""
    let environment = self["environment"] ?? ""
    let client = self["client_id"] ?? ""
    let realm = self["realm"] ?? ""
    let key =
      switch section {
      case "Account": "\(home)-\(environment)-\(realm)"
      case "AppMetadata": "appmetadata-\(environment)-\(client)"
      case "RefreshToken":
        "\(home)-\(environment)-refreshtoken-\(self["family_id"] ?? client)--"
      default:
        "\(home)-\(environment)-\(section)-\(client)-\(realm)-\(self["target"] ?? "")"
      }
    return key.lowercased()
  }
}

/// Documents that a migration may be made into.
extension SyntheticCache {
  /// People who have used MSAL for Python, .NET or Java already.
  mutating func addDocumentEntries() {
    for person in somePeople(50) {
      let client = random.one(of: clients)
      let host = random.chance(60) ? person.cloud.environment : random.one(of: person.cloud.hosts)
      let isInFamily = client.isInFamily && random.chance(70)
      let name = person.names[person.names.count - 1]
      var token = SyntheticEntry.refreshToken(
        random.secret(), home: person.home, client: client.id, environment: host)
      let key = token.documentKey
      // MSAL for Python keeps the family in the client's own entry.
      if isInFamily { token.payload["family_id"] = "1" }
      if random.chance(80), document.add(token, under: key) { own(token, person) }
      if random.chance(80) {
        _ = document.add(
          .account(
            name, home: person.home, realm: person.utid, localID: person.uid, environment: host))
      }
      if random.chance(60) {
        _ = document.add(
          .appMetadata(client: client.id, family: isInFamily ? "1" : nil, environment: host))
      }
    }
    if random.chance(30), !document.sections.isEmpty {
      // Alone it would make no cache.
      document.sections["Later"] = ["anything": ["number": 1]]
    }
  }

  /// Puts something that is no entry where a migration would write one.
  mutating func damageDocument() {
    for person in somePeople(40) where person.cloud.isKnown {
      let entry = anEntry(of: person, random.one(of: clients))
      guard document.add(entry) else { continue }
      document.blocked.insert([person.home, person.cloud.environment])
      let damage = damaged(entry)
      document.sections[entry.section]?[entry.documentKey] = damage
    }
  }

  private mutating func damaged(_ entry: SyntheticEntry) -> Any {
    var payload: [String: Any] = entry.payload
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return NSNull()
    case 1: return "text"
    case 2: return [1, 2]
    case 3: return [String: Any]()
    case 4:
      for field in ["home_account_id", "environment"] { payload[field] = nil }
      return payload
    case 5:
      // Somebody else's entry, which belongs under another key.
      let (uid, utid) = (random.guid(), random.guid())
      payload["home_account_id"] = "\(uid).\(utid)"
      for (field, value) in [("local_account_id", uid), ("realm", utid)]
      where payload[field] != nil {
        payload[field] = value
      }
      strangers.insert(["\(uid).\(utid)", entry["environment"] ?? ""])
      return payload
    case 6:
      payload["environment"] = 7
      strangers.insert([entry["home_account_id"] ?? "", "7"])
      return payload
    default:
      for field in ["environment", "secret", "authority_type"] where payload[field] != nil {
        payload[field] = NSNull()
      }
      return payload
    }
  }
}
