// SPDX-License-Identifier: MIT
import ADALMigration
import PlatformFoundation

extension Policy {
  /// The policy of a JSON file, which is that of `--policy` (contract §1), with any of the keys `clientIds`,
  /// `accessTokens`, `accountMap`, `allowedHosts`, `minimumConfidence` and `joinGuests`. An unknown key is an
  /// error, so that a typing mistake is found.
  ///
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` if the bytes are not a JSON object, or have an unknown key or a value of another type.
  public init(json bytes: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(PolicyFile.self, from: Data(bytes)).policy
    } catch let error as MigrationError {
      throw error
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw MigrationError.invalidPolicy(
        "the policy's \(path.isEmpty ? "top level" : path) has the wrong type")
    } catch {
      throw MigrationError.invalidPolicy("the policy is not a JSON object")
    }
  }
}

struct PolicyFile: Decodable {
  let policy: Policy

  enum CodingKeys: String, CodingKey, CaseIterable {
    case clientIds, accessTokens, accountMap, allowedHosts, minimumConfidence, joinGuests
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(onlyOf: CodingKeys.self, in: "the policy")
    let clientIDs = try values.decodeIfPresent([String].self, forKey: .clientIds)
    let accessTokens = try values.decodeIfPresent(Bool.self, forKey: .accessTokens)
    let lines = try values.decodeIfPresent([AccountMap.Entry].self, forKey: .accountMap)
    let allowedHosts = try values.decodeIfPresent([String].self, forKey: .allowedHosts)
    let confidence = try values.decodeIfPresent(String.self, forKey: .minimumConfidence)
    let joinsGuests = try values.decodeIfPresent(Bool.self, forKey: .joinGuests)
    if let other = allowedHosts?.first(where: { !Policy.isHost($0) }) {
      throw MigrationError.invalidPolicy(
        "the policy's allowedHosts must be hosts, such as login.contoso.example; "
          + "\"\(other)\" is none")
    }
    policy = Policy(
      clientIDs: clientIDs, accessTokens: accessTokens ?? true,
      accountMap: try AccountMap(lines ?? []), allowedHosts: allowedHosts ?? [],
      minimumConfidence: try Self.confidence(confidence), joinsGuests: joinsGuests ?? false)
  }

  private static func confidence(_ name: String?) throws -> Confidence {
    guard let name else { return .joined }
    // No policy converts a row below `joined` (D1).
    guard let level = Confidence(rawValue: name), level >= .joined else {
      let known = Confidence.allCases.filter { $0 >= .joined }.map(\.rawValue)
      throw MigrationError.invalidPolicy(
        "the policy's minimumConfidence must be one of \(known.joined(separator: ", "))")
    }
    return level
  }
}

extension Decoder {
  /// The members of an object that has no unknown key.
  func container<Key: CodingKey & CaseIterable>(
    onlyOf keys: Key.Type, in what: String
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = found.filter({ !known.contains($0) }).min() {
      throw MigrationError.invalidPolicy(
        "\(what) has an unknown key \"\(unknown)\"; known are \(known.joined(separator: ", "))")
    }
    return try container(keyedBy: keys)
  }
}

private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
