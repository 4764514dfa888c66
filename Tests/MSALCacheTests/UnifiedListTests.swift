// SPDX-License-Identifier: MIT
import Foundation
import MSALCache
import MigrationDocuments
import Testing

/// The list that ADAL.NET 4 and 5 wrote for MSAL.NET 2, as the portable document that it stands for.
@Suite struct UnifiedListTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Vectors/other-adals")

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  private static func scenarios(_ library: String) throws -> [String] {
    try FileManager.default
      .contentsOfDirectory(atPath: folder.appendingPathComponent(library).path).sorted()
      .map { "\(library)/\($0)" }
  }

  @Test("is read as ADAL.NET wrote it for MSAL.NET 3", arguments: try scenarios("adal-net-5.2.9"))
  func bothForms(name: String) throws {
    let list = try CacheDocument(unifiedList: Self.bytes("\(name)/unified.msalv2.json"))
    let document = try CacheDocument(Self.bytes("\(name)/unified.msalv3.json"))
    #expect(list.accounts.map(\.key) == document.accounts.map(\.key))
    #expect(list.accounts.map(\.value) == document.accounts.map(\.value))
    #expect(list.credentials.map(\.key) == document.credentials.map(\.key))
    #expect(list.credentials.map(\.value) == document.credentials.map(\.value))
    #expect(list.unreadable.isEmpty && document.unreadable.isEmpty)
  }

  @Test func peopleWithClientInfoAreInIt() throws {
    let list = try CacheDocument(
      unifiedList: Self.bytes("adal-net-5.2.9/guests/unified.msalv2.json"))
    #expect(
      list.accounts.map(\.value.homeAccountID) == [
        "7cd32f09-2fc4-5226-a9a2-8072e1e1d128.7ef07497-8ed9-53f1-9f73-9dcb67e7aaa8",
        "f3d86d04-186e-59e6-b8d0-d66fb30e3d61.d42d0063-125b-5c94-8aa2-60829eb263a2",
        "f3d86d04-186e-59e6-b8d0-d66fb30e3d61.d42d0063-125b-5c94-8aa2-60829eb263a2",
      ])
    #expect(list.credentials.map(\.value.kind) == [.refreshToken, .refreshToken])
  }

  @Test("of ADAL.NET 4 too", arguments: try scenarios("adal-net-4.5.1"))
  func olderForm(name: String) throws {
    let old = try CacheDocument(unifiedList: Self.bytes("\(name)/unified.msalv2.json"))
    let new = try CacheDocument(
      unifiedList: Self.bytes(
        "\(name.replacingOccurrences(of: "4.5.1", with: "5.2.9"))/unified.msalv2.json"))
    #expect(old.accounts.map(\.value.homeAccountID) == new.accounts.map(\.value.homeAccountID))
    #expect(old.credentials.map(\.key) == new.credentials.map(\.key))
    #expect(old.credentials.map(\.value.secret) == new.credentials.map(\.value.secret))
    #expect(old.unreadable.isEmpty)
  }

  @Test func whatIsNoSuchList() {
    for text in ["{}", "[1]", "[{}]", #"[{"Key": 1, "Value": []}]"#, #"[{"Key": "a"}]"#] {
      #expect(throws: MSALCacheError.self, "\(text)") {
        try CacheDocument(unifiedList: Array(text.utf8))
      }
    }
  }

  @Test func whatCannotBeReadIsKept() throws {
    let text = #"[{"Key": "accounts", "Value": ["x", "{}", 5]}, {"Key": "else", "Value": [1]}]"#
    let list = try CacheDocument(unifiedList: Array(text.utf8))
    #expect(list.unreadable.map(\.key) == ["accounts[0]", "accounts[1]", "accounts[2]"])
    #expect(list.accounts.isEmpty)
    #expect(try CacheDocument(unifiedList: Array("[]".utf8)) == CacheDocument())
  }
}
