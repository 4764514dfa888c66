// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

@Suite struct WrappedCacheTests {
  private static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Vectors/other-adals")

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: vectors.appendingPathComponent(path)))
  }

  private func contents(_ text: String) throws -> [[UInt8]] {
    try WrappedCache(bytes: Array(text.utf8), name: "x").contents
  }

  @Test(
    "the text around a given blob",
    arguments: [
      ("base64-text/cache.txt", .base64, "5.2.9"),
      ("hex-text/cache.sql.txt", .hexadecimal, "5.2.9"),
      ("xamarin-android-preferences/cache.xml", .androidPreferences, "5.2.9"),
      ("azure-powershell-context/cache.json", .powerShellContexts, "3.19.8"),
    ] as [(String, WrappedCache.Wrapping, String)])
  func given(path: String, wrapping: WrappedCache.Wrapping, version: String) throws {
    let path = "containers-adal-net/\(path)"
    let file = try CacheFile(path: Self.vectors.appendingPathComponent(path).path)
    #expect(file.kind == .wrapped)
    let cache = try WrappedCache(bytes: file.bytes, name: file.path)
    #expect(WrappedCache.wrapping(of: file.bytes) == wrapping)
    #expect(cache.contents == [try Self.bytes("adal-net-\(version)/members/cache.dat")])
    for content in cache.contents {
      #expect(CacheFile(bytes: content, name: "").kind == .blob)
    }
  }

  @Test func rowsThatAKeystoreProtects() throws {
    let path = "containers-adal-net/refuse-android-keystore/cache.xml"
    let bytes = try Self.bytes(path)
    #expect(CacheFile(bytes: bytes, name: "x").kind == .wrapped)
    let error = #expect(throws: StoreError.self) { try WrappedCache(bytes: bytes, name: "x.xml") }
    #expect(error?.code == .notACache)
    #expect(
      error?.message
        == "x.xml is encrypted with a key of the Android keystore (A001), which never leaves the device"
    )
    let own = "<map><string name=\"a\">cE1VTAwMTEx</string></map>"
    #expect(
      try objection(own)
        == "x is encrypted with the app's own key (U001), which it does not contain")
    // Without ADAL's mark it is another value.
    #expect(
      try objection("<map><string name=\"a\">cE2VTAwMTEx</string></map>")
        == "x has Android preferences, but no cache of ADAL.NET")
  }

  private func objection(_ text: String) throws -> String {
    let error = #expect(throws: StoreError.self) { try contents(text) }
    #expect(error?.code == .notACache)
    return error?.message ?? ""
  }

  private static let blob: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0]

  @Test(arguments: [
    "AwAAAAAAAAA=", "AwAAAAAAAAA", " AwAA\r\nAAAA\tAAA=\n", "\u{FEFF}AwAAAAAAAAA=",
    "0x0300000000000000", "0X0300000000000000\n", "\u{FEFF} 0x03000000\n00000000",
    "0x0300000000000000 0x0300000000000000",
    "<map><string name=\"cache\">AwAAAAAAAAA=</string></map>",
    "<map><string name=\"b\">x</string><string name='cache'>!</string>"
      + "<string name=\"cache\">AwAAA&#10;AAAAAA=&#13;\n</string></map>",
    #"{"Contexts":{"a":{"TokenCache":{"CacheData":"AwAAAAAAAAA="}}}}"#,
    #"{"x":1,"Contexts":{"a":{"TokenCache":null},"b":[],"c":{"TokenCache":{"CacheData":null}},"#
      + #""d":{"y":{},"TokenCache":{"CacheData":"AwAAAAAAAAA="}},"#
      + #""e":{"TokenCache":{"CacheData":"AwAAAAAAAAA="}}}}"#,
  ])
  func isUnwrapped(text: String) throws {
    #expect(CacheFile(bytes: Array(text.utf8), name: "").kind == .wrapped)
    #expect(try contents(text) == [Self.blob])
  }

  @Test func severalCaches() throws {
    #expect(
      try contents("0x0300000000000000\r\n0x0200000000000000 0x0300000000000000")
        == [Self.blob, [2] + Self.blob.dropFirst()])
    let contexts =
      #"{"Contexts":{"a":{"TokenCache":{"CacheData":"AQAAAAAAAAA="}},"#
      + #""b":{"TokenCache":{"CacheData":"AwAAAAAAAAA="}}}}"#
    #expect(try contents(contexts) == [[1] + Self.blob.dropFirst(), Self.blob])
  }

  @Test func whatProtectsIsForTheReaderOfTheBlob() throws {
    #expect(try contents("CfDJ8AAA") == [[0x09, 0xF0, 0xC9, 0xF0, 0, 0]])
    #expect(try contents("0x01000000D08C9DDF") == [[1, 0, 0, 0, 0xD0, 0x8C, 0x9D, 0xDF]])
    #expect(CacheFile(bytes: [0x09, 0xF0, 0xC9, 0xF0], name: "").kind == .blob)
  }

  @Test func whatIsBroken() throws {
    #expect(try objection("AwAAAAAAAAA=x") == "x is not base64 to its end")
    #expect(try objection("0x030000000") == "x is not hexadecimal to its end")
    #expect(try objection("0x03000000 x") == "x is not hexadecimal to its end")
    #expect(try objection("<map><string name=\"cache\">AwA") == "x ends inside a text")
    #expect(try objection("<map><string name=\"cache") == "x ends inside a text")
    #expect(
      try objection("<map><string name=\"cache\">!</string>") == "x is not base64 to its end")
    #expect(
      try objection("<map><int name=\"cache\"/></map>")
        == "x has Android preferences, but no cache of ADAL.NET")
    #expect(try objection(#"{"Contexts":{"a":"#) == "x is not JSON to its end")
    #expect(
      try objection(#"{"Contexts":{"a":{}}}"#)
        == "x has saved contexts of Azure PowerShell, but no tokens")
    #expect(try objection("x") == "x contains no wrapped cache")
    // A document for its name, whatever comes after it.
    #expect(
      try objection(#"{"IdToken":  "  ", "Contexts":faltm"#) == "x contains no wrapped cache"
    )
  }

  @Test(
    "kinds",
    arguments: [
      ("\u{3}\0\0\0\0\0\0\0", .blob), ("\u{4}\0\0\0", .blob), ("\0\0\0\0\0\0\0\0", .unknown),
      ("\u{3}\0\0", .unknown), ("0x", .unknown), ("0x03000001", .unknown), ("AwAAAQAA", .unknown),
      ("AwAAAA", .unknown), ("<?xml version='1.0'?><plist/>", .unknown), ("<ma", .unknown),
      ("<html><map></map></html>", .unknown),
      (#"[{"_clientId": 1}]"#, .list), (#" [{"x": [], "_authority": ""#, .list),
      (#"[{"accessToken": "k", "servicePrincipalId": "s"}]"#, .list),
      (#"[{"accessToken": "k"}]"#, .items), (#"[{"Key": "a", "Value": []}]"#, .unifiedList),
      (#"[{"Key": "a"}]"#, .items), (#"[5, {"_clientId": 1}]"#, .list),
      (#"[null, {}, [{"Key": 1}], {"_clientId": 1}]"#, .list), (#"[5, {}, "x", nul"#, .items),
      (#"[null, {"acct": ""}, {"_clientId": 1}]"#, .items),
      (#"{"Contexts": {}, "Account": {}}"#, .document), (#"{"contexts": {}}"#, .unknown),
      (#"{"IdToken":  "  ", "Contexts":faltm"#, .document), (#"{"Contexts": {}, x"#, .wrapped),
      (#"{"Contexts": {}, "format": "keychain-items", x"#, .items), ("{}", .document),
      ("{", .unknown),
    ] as [(String, CacheFile.Kind)])
  func kinds(text: String, kind: CacheFile.Kind) {
    #expect(CacheFile(bytes: Array(text.utf8), name: "").kind == kind)
  }

  @Test func everyGivenCacheIsKnown() throws {
    var kinds: [CacheFile.Kind: Int] = [:]
    let files = FileManager.default
    for path in try files.subpathsOfDirectory(atPath: Self.vectors.path) {
      let name = path.split(separator: "/").last ?? ""
      guard name.hasPrefix("cache.") || name.hasPrefix("unified.") else { continue }
      kinds[try CacheFile(path: Self.vectors.appendingPathComponent(path).path).kind, default: 0] +=
        1
    }
    // MachineKey leaves no sign.
    #expect(kinds[.blob] == 65 && kinds[.wrapped] == 5 && kinds[.unknown] == 1)
    // Beside Xamarin's item there are two empty lists, which are items files without items, too.
    #expect(kinds[.list] == 45 && kinds[.items] == 3)
    #expect(kinds[.document] == 15 && kinds[.unifiedList] == 30)
  }
}
