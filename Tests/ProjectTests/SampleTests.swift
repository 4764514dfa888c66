// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import Foundation
import KeychainItems
import Testing

/// The sample caches: what they hold, and that the script that made them still makes them.
@Suite struct SampleTests {
  private static let folder = "\(SourceFile.root)/Samples/Caches"
  private let now = 1_700_000_000.0

  private func tokens(_ items: [KeychainItem]) -> [LegacyToken] {
    items.compactMap { item in
      guard case .token(let token) = LegacyItem(item) else { return nil }
      return token
    }
  }

  /// The kind of a token, in words.
  private func summary(_ token: LegacyToken) -> String {
    let kind =
      token.isTombstone
      ? "tombstone"
      : [token.accessToken.map { _ in "AT" }, token.refreshToken.map { _ in "RT" }]
        .compactMap { $0 }.joined(separator: "+")
    let isLive = token.expiresOn.map { $0 > now + 300 ? "live" : "expired" }
    return [token.userID ?? "-", token.familyID.map { "family \($0)" }, kind, isLive]
      .compactMap { $0 }.joined(separator: " ")
  }

  private let contoso = [
    "adele@contoso.com family 1 AT expired", "adele@contoso.com family 1 AT live",
    "adele@contoso.com family 1 AT live", "adele@contoso.com family 1 RT",
    "adele@contoso.com family 1 RT", "adele@contoso.com family 1 RT", "alex@fabrikam.com AT live",
    "alex@fabrikam.com RT", "lynne@fabrikam.com AT live", "lynne@fabrikam.com RT",
    "megan@contoso.com AT live", "megan@contoso.com RT",
  ]

  @Test func theSnapshotHoldsFourPeople() throws {
    let items = try SnapshotFile(path: "\(Self.folder)/contoso.sqlite").items()
    #expect(items.count == 13)
    #expect(tokens(items).map(summary).sorted() == contoso)
  }

  @Test func theBlobHoldsTheSame() throws {
    let file = try CacheFile(path: "\(Self.folder)/contoso.adalcache")
    #expect(file.kind == .archive)
    let blob = try LegacyBlob(file.bytes)
    #expect(blob.unreadable.isEmpty)
    #expect(blob.tokens.map(summary).sorted() == contoso)
  }

  @Test func theLeftoversHoldOneOfEachKind() throws {
    let items = try ItemFile(path: "\(Self.folder)/leftovers.items.json").items()
    #expect(
      tokens(items).map(summary).sorted() == [
        "- RT", "diego@fabrikam.com RT", "joni@contoso.com AT live", "joni@contoso.com RT",
        "patti@contoso.com AT+RT live", "pradeep@contoso.com tombstone",
      ])
    let unreadable = items.filter { item in
      if case .unreadable = LegacyItem(item) { true } else { false }
    }
    #expect(unreadable.count == 1)
    #expect(items.count == 9)
  }

  @Test func objectionsDumpIsTheSnapshot() throws {
    let bytes = try CacheFile.bytes(of: "\(Self.folder)/contoso.objection.json")
    #expect(CacheFile(bytes: bytes, name: "").kind == .dump)
    #expect(
      try KeychainDump(bytes: bytes, name: "").items()
        == SnapshotFile(path: "\(Self.folder)/contoso.sqlite").items())
  }

  @Test func securitysDumpHoldsTheBlob() throws {
    let bytes = try CacheFile.bytes(of: "\(Self.folder)/contoso.keychain.txt")
    #expect(CacheFile(bytes: bytes, name: "").kind == .dump)
    let items = try KeychainDump(bytes: bytes, name: "").items()
    #expect(items.map(\.service) == ["ADALCache", "notes", "AirPort"])
    let blob = try CacheFile.bytes(of: "\(Self.folder)/contoso.adalcache")
    #expect(items.first?.data?.reveal() == blob)
  }

  @Test func theItemsAreADevicesHistory() throws {
    let items = try ItemFile(path: "\(Self.folder)/contoso.items.json").items()
    #expect(Set(tokens(items).map(\.userID)) == ["jane.doe@contoso.com", "bob@contoso.com"])
    #expect(items.contains { $0.type == 2002 })
  }

  @Test func theScriptMakesThem() throws {
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("adal2msal-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-B", "\(Self.folder)/make.py", copy]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    for name in [
      "contoso.adalcache", "contoso.items.json", "contoso.keychain.txt", "contoso.objection.json",
      "leftovers.items.json",
    ] {
      #expect(
        try CacheFile.bytes(of: "\(copy)/\(name)") == CacheFile.bytes(of: "\(Self.folder)/\(name)"),
        "\(name)")
    }
    // SQLite's bytes depend on its version.
    #expect(
      try SnapshotFile(path: "\(copy)/contoso.sqlite").items()
        == SnapshotFile(path: "\(Self.folder)/contoso.sqlite").items())
  }
}
