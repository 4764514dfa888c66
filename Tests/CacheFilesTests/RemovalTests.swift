// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import Testing

/// Taking items out of files.
@Suite struct RemovalTests {
  private func items(_ count: Int) -> [KeychainItem] {
    (0..<count).map {
      KeychainItem(
        accessGroup: "g", account: "a\($0)", service: "s", data: TokenSecret([UInt8($0)]))
    }
  }

  private func path(_ name: String) -> String {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("adal2msal-\(UUID().uuidString)-\(name)").path
  }

  @Test(arguments: ["x.items.json", "x.sqlite"]) func exactlyWhatIsMeantGoes(name: String) throws {
    let path = path(name)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store: any RemovableStore =
      name.hasSuffix("sqlite")
      ? SnapshotFile(path: path, missing: .isEmpty) : ItemFile(path: path, missing: .isEmpty)
    let all = items(5)
    _ = try store.add(all)
    let some = Set([all[0], all[2], all[4]].map(\.key))
    let unknown = KeychainItem.Key(accessGroup: "g", account: "z", service: "s")
    let removed = try store.remove(some.union([unknown])) { $0.account != "a2" }
    #expect(removed == Set([all[0], all[4]].map(\.key)))
    #expect(try store.items() == [all[1], all[2], all[3]])
    #expect(try store.remove(some) { _ in false } == [])
    #expect(try store.remove([]) { _ in true } == [])
    #expect(try store.remove(Set(all.map(\.key))) { _ in true }.count == 3)
    #expect(try store.items() == [])
    #expect(try store.add(all).isEmpty)
    #expect(try store.items() == all)
  }

  @Test func nothingOfWhatGoesStaysInTheFile() throws {
    let path = path("z.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = SnapshotFile(path: path, missing: .isEmpty)
    let secrets = (0..<200).map { "token-\($0)-of-which-nothing-stays" }
    let items = secrets.enumerated().map { number, text in
      KeychainItem(accessGroup: "g", account: "a\(number)", service: "s", data: TokenSecret(text))
    }
    _ = try store.add(items)
    _ = try store.remove(Set(items.dropFirst().map(\.key))) { _ in true }
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    let found = secrets.filter { file.range(of: Data($0.utf8)) != nil }
    #expect(found == [secrets[0]])
  }

  /// Whatever is there before, adding and removing leaves the same bytes.
  @Test(arguments: [
    #"[]"#, "[ ]\n", #"{"format":"keychain-items","version":1,"items":[]}"#,
    #"{"format": "keychain-items", "items": [ {"class":"inet","x":1} ], "version": 1, "more": [1, {}]}"#,
    #"[{"class":"genp","agrp":"g","acct":"q","svce":"s"} , {"class":"cert"}]"#,
  ])
  func nothingElseChanges(text: String) throws {
    let path = path("y.items.json")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let file = ItemFile(path: path)
    for count in 1...3 {
      let added = items(count)
      _ = try file.add(added)
      #expect(try file.remove(Set(added.map(\.key))) { _ in true }.count == count)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8), "\(count)")
    }
  }
}
