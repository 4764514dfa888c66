// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// The vectors of this repository, and those that lie beside it and belong to others.
enum Vectors {
  static let tests = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = tests.appendingPathComponent("Vectors")
  /// Test data of ADAL and of IdentityCore: read where it is, never copied.
  static let recorded = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/vectors/recorded")

  /// Names of the caches that ADAL's own code wrote for a platform.
  static func adal(_ platform: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("adal").path)
      .filter { $0.hasPrefix(platform + "-") }.sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.appendingPathComponent(path)), options: [.fragmentsAllowed])
  }

  /// The keychain items of a file, or none when there is no such file.
  static func items(_ path: String) throws -> [KeychainItem] {
    guard FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path) else {
      return []
    }
    return items(try json(path))
  }

  /// The keychain items that JSON describes.
  static func items(_ json: Any?) -> [KeychainItem] {
    (json as? [[String: Any]] ?? []).map { item in
      func bytes(_ name: String) -> [UInt8]? {
        (item[name] as? String).flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
      }
      return KeychainItem(
        accessGroup: item["agrp"] as? String ?? "", account: item["acct"] as? String ?? "",
        service: item["svce"] as? String ?? "", generic: bytes("gena"), type: item["type"] as? Int,
        accessibility: item["pdmn"] as? String, isInvisible: item["invi"] as? Bool,
        modified: item["mdat"] as? Double, data: bytes("data").map { TokenSecret($0) })
    }
  }
}
