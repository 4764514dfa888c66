// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation

extension Policy {
  /// The policy of a JSON file, which is that of `--policy` (contract §1), with any of the keys `clientIds`,
  /// `accessTokens`, `accountMap`, `allowedHosts`, `minimumConfidence` and `joinGuests`. An unknown key is an
  /// error, so that a typing mistake is found.
  ///
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` if the bytes are not a JSON object, or have an unknown key or a value of another type.
  public init(json bytes: [UInt8]) throws {
    let file: PolicyFile
    do {
      file = try JSONDecoder().decode(PolicyFile.self, from: Data(bytes))
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
    self.init(
      clientIDs: file.clientIds, accessTokens: file.accessTokens ?? true,
      accountMap: try AccountMap(file.accountMap ?? []), allowedHosts: file.allowedHosts ?? [],
      minimumConfidence: try Self.confidence(file.minimumConfidence),
      joinsGuests: file.joinGuests ?? false)
  }

  private static func confidence(_ name: String?) throws -> Confidence {
    guard let name else { return .joined }
    // Below `joined` nothing is converted, by any policy (D1).
    guard let level = Confidence(rawValue: name), level >= .joined else {
      let known = Confidence.allCases.filter { $0 >= .joined }.map(\.rawValue)
      throw MigrationError.invalidPolicy(
        "the policy's minimumConfidence must be one of \(known.joined(separator: ", "))")
    }
    return level
  }
}

struct PolicyFile: Decodable {
  var clientIds: [String]?
  var accessTokens: Bool?
  var accountMap: [AccountMap.Entry]?
  var allowedHosts: [String]?
  var minimumConfidence: String?
  var joinGuests: Bool?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case clientIds, accessTokens, accountMap, allowedHosts, minimumConfidence, joinGuests
  }

  init(from decoder: any Decoder) throws {
    try UnknownKeys.refuse(
      in: decoder, known: CodingKeys.allCases.map(\.rawValue), of: "the policy")
    let values = try decoder.container(keyedBy: CodingKeys.self)
    clientIds = try values.decodeIfPresent([String].self, forKey: .clientIds)
    accessTokens = try values.decodeIfPresent(Bool.self, forKey: .accessTokens)
    accountMap = try values.decodeIfPresent([AccountMap.Entry].self, forKey: .accountMap)
    allowedHosts = try values.decodeIfPresent([String].self, forKey: .allowedHosts)
    minimumConfidence = try values.decodeIfPresent(String.self, forKey: .minimumConfidence)
    joinGuests = try values.decodeIfPresent(Bool.self, forKey: .joinGuests)
  }
}

/// The check that a JSON object has no unknown key.
enum UnknownKeys {
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  static func refuse(in decoder: any Decoder, known: [String], of what: String) throws {
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
    throw MigrationError.invalidPolicy(
      "\(what) has an unknown key \"\(unknown)\"; known are \(known.joined(separator: ", "))")
  }
}
