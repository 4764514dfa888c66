// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import Testing

@testable import ADALMigration

/// The vectors under `Tests/Vectors`, and caches made of them.
enum Vectors {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors")

  /// Every folder of `adal`, in name order.
  static let adal: [ADALVector] = {
    let root = folder.appendingPathComponent("adal")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().compactMap { ADALVector(root.appendingPathComponent($0)) }
  }()

  /// The items that MSAL's own code wrote for a scenario, or nil where there is no such folder.
  static func reference(_ scenario: String) throws -> [KeychainItem]? {
    let file = folder.appendingPathComponent("msal-reference/\(scenario)/msal-items-v1.json")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try ItemFile(path: file.path).items()
  }
}

/// A cache that ADAL's own code wrote.
struct ADALVector: Sendable, CustomTestStringConvertible {
  let folder: URL
  let isMac: Bool
  let scenario: String
  /// The `now` of the last step.
  let now: Double
  let tokenCount: Int

  static let macGroup = "ABCDE12345.com.microsoft.adalcache"

  var name: String { folder.lastPathComponent }
  var testDescription: String { name }

  init?(_ folder: URL) {
    self.folder = folder
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("expected.json")),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let scenario = json["scenario"] as? String
    else { return nil }
    self.scenario = scenario
    isMac = json["platform"] as? String == "macos" || folder.lastPathComponent.hasPrefix("mac-")
    let steps = json["steps"] as? [[String: Any]] ?? []
    now = (steps.last?["now"] as? NSNumber ?? json["clock"] as? NSNumber ?? 0).doubleValue
    tokenCount = (json["tokens"] as? [Any])?.count ?? 0
  }

  /// The keychain items, the team id hint among them; nothing for a blob.
  func items() throws -> [KeychainItem] {
    guard !isMac else { return [] }
    var items = try ItemFile(path: folder.appendingPathComponent("items.json").path).items()
    let others = folder.appendingPathComponent("other-items.json").path
    if FileManager.default.fileExists(atPath: others) {
      items += try ItemFile(path: others).items()
    }
    return items
  }

  func blob() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("cache.bin")))
  }

  var clock: @Sendable () -> Date {
    let now = now
    return { Date(timeIntervalSince1970: now) }
  }

  /// A migration as the command makes it: items in place, a blob into an empty store.
  func migration(policy: Policy = Policy()) throws -> (Migration, MemoryStore) {
    if isMac {
      let target = MemoryStore()
      return (
        Migration(
          from: [.blob(try blob())], into: .items(target, accessGroup: Self.macGroup),
          policy: policy, now: clock), target
      )
    }
    let store = MemoryStore(try items())
    return (
      Migration(from: [.items(store)], into: .items(store), policy: policy, now: clock), store
    )
  }
}
