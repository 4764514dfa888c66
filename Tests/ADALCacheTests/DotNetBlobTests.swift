// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import SyntheticCaches
import Testing

/// Features of ADAL.NET's blobs that the given ones do not have.
@Suite struct DotNetBlobTests {
  /// Where the first row's value begins: after two integers, a length, a key and a length.
  private static let value = 8 + 1 + BlobBytes.key.utf8.count + 1

  private func blob(_ bytes: BlobBytes) throws -> DotNetBlob { try DotNetBlob(bytes.bytes) }

  /// The code and the offset of what could not be read.
  private func faults(_ blob: DotNetBlob) -> [String] {
    blob.unreadable.map { "\($0.archiveError ?? "")@\($0.offset ?? -1)" }
  }

  private func error(_ bytes: [UInt8]) -> String? {
    do {
      _ = try DotNetBlob(bytes)
      return nil
    } catch { return "\(error)" }
  }

  @Test func containersThatAreRefused() {
    #expect(error([1]) == "truncated at byte 1")
    #expect(error([1, 0, 0, 0, 0, 0, 0]) == "truncated at byte 7")
    #expect(error([3, 0, 0, 0, 1, 0, 0, 0]) == "malformed-count at byte 4")
    #expect(error([3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]) == "malformed-count at byte 4")
    #expect(error([3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]) == "malformed-count at byte 4")
    #expect(error([0, 0, 0, 0, 0, 0, 0, 0]) == "unknown-schema at byte 0")
    #expect(error([255, 0, 0, 0, 0, 0, 0, 0]) == "unknown-schema at byte 0")
    #expect(error([0, 1, 0, 0, 0, 0, 0, 0]) == "not-a-blob at byte 0")
    #expect(error(Array("{\"a\":1}".utf8)) == "not-a-blob at byte 0")
    #expect(error([0x09, 0xF0, 0xC9, 0xF0, 1]) == "protected-by-data-protection at byte 0")
    // DPAPI's version and provider; half a provider is a count.
    let provider: [UInt8] = [
      0xD0, 0x8C, 0x9D, 0xDF, 1, 0x15, 0xD1, 0x11, 0x8C, 0x7A, 0, 0xC0, 0x4F, 0xC2, 0x97, 0xEB,
    ]
    #expect(error([1, 0, 0, 0] + provider) == "protected-by-windows at byte 4")
    #expect(error([1, 0, 0, 0] + provider.dropLast()) == "malformed-count at byte 4")
    #expect(error([2, 0, 0, 0] + provider) == "malformed-count at byte 4")
  }

  @Test func aBlobOfMoreThanTheLimit() {
    let bytes = [UInt8](repeating: 0, count: 64 << 20)
    #expect(error([3, 0, 0, 0, 0] + bytes) == "too-large at byte 67108864")
  }

  @Test func emptyCaches() throws {
    let nothing = try DotNetBlob([])
    #expect(nothing.schema == nil && nothing.tokens == [] && nothing.unreadable == [])
    for schema in 1...3 as ClosedRange<Int32> {
      let empty = try blob(BlobBytes(schema: schema))
      #expect(empty.schema == Int(schema) && empty.tokens == [] && empty.unreadable == [])
    }
  }

  @Test func bytesAfterTheLastRow() throws {
    let bytes = BlobBytes("{}", "{}").bytes
    let blob = try DotNetBlob(bytes + [1, 2, 3])
    #expect(blob.tokens.count == 2)
    #expect(faults(blob) == ["trailing-bytes@\(bytes.count)"])
    #expect(blob.unreadable.map(\.place) == [.row(LegacyPlace.RowKey(index: 2))])
    #expect(blob.unreadable.map(\.code) == [.undecodable])
  }

  @Test func moreRowsThanAreThere() throws {
    var bytes = BlobBytes("{}")
    bytes.announced = 20
    #expect(faults(try blob(bytes)) == ["truncated@\(bytes.bytes.count)"])
    #expect(try blob(bytes).tokens.count == 1)
    #expect(try blob(bytes).announced == 20)
  }

  @Test func lengths() throws {
    let start = BlobBytes.integer(3) + BlobBytes.integer(1)
    func fault(_ rest: [UInt8]) throws -> [String] { faults(try DotNetBlob(start + rest)) }
    #expect(try fault([0x85, 0x80, 0x80, 0x80, 0x80, 0x00]) == ["malformed-length@8"])
    #expect(try fault([0xFF, 0xFF, 0xFF, 0xFF, 0x08]) == ["malformed-length@8"])
    #expect(try fault([0xFF, 0xFF, 0xFF, 0xFF, 0x07]) == ["truncated@13"])
    #expect(try fault([0x80, 0x80]) == ["truncated@10"])
    #expect(try fault([1, 0x41]) == ["truncated@10"])
    // A length may have more groups than it needs.
    let key = Array(BlobBytes.key.utf8)
    let long =
      [UInt8(key.count) | 0x80, 0x80, 0x80, 0x80, 0] + key + BlobBytes.string([0x7B, 0x7D])
    #expect(try DotNetBlob(start + long).tokens.count == 1)
  }

  @Test func aStringOfMoreThanAMegabyteCostsItsRow() throws {
    let filler = String(repeating: " ", count: 1 << 20)
    let blob = try blob(BlobBytes("{}\(filler)", "{}", "{}\(filler.dropLast(2))"))
    #expect(blob.tokens.count == 2)
    #expect(faults(blob) == ["too-long@\(Self.value + 2)"])
  }

  @Test(
    "keys",
    arguments: [
      ("a:::r:::c:::0", "a|r|c|user"), ("a:::r:::c:::1", "a|r|c|client"),
      ("a:::r:::c:::2", "a|r|c|userWithClient"), (":::::::::0", "|-||user"),
      ("a:::r:::s:::c:::0", "a|r:::s|c|user"), ("a:::b:::::::::c:::0", "a|b::::::|c|user"),
      ("a:::r::::c:::0", "a|r:|c|user"), ("a:::x y \u{0} z:::c:::0", "a|x y \u{0} z|c|user"),
      ("a:::  :::c:::0", "a|-|c|user"), ("ä:::ö:::ü:::0", "ä|ö|ü|user"),
    ])
  func keys(key: String, parts: String) throws {
    let blob = try blob(BlobBytes("{}", key: key))
    let token = try #require(blob.tokens.first, "\(blob.unreadable)")
    let subject = token.subjectType.map { "\($0)" } ?? "-"
    #expect(
      "\(token.authority ?? "-")|\(token.resource ?? "-")|\(token.clientID ?? "-")|\(subject)"
        == parts)
  }

  @Test(
    "keys of nothing",
    arguments: [
      "", "a", "a:::r:::c", "a:::r:::0", "a:::r:::c:::", "a:::r:::c:::3", "a:::r:::c:::00",
      "a:::r:::c:::x", "a:::r:::c:::0 ", "::::::::0", "a:::r:::c:::0\u{0}",
    ])
  func malformedKeys(key: String) throws {
    #expect(faults(try blob(BlobBytes("{}", key: key))) == ["malformed-key@9"])
  }

  @Test func aKeyThatIsNotUTF8() throws {
    var bytes = BlobBytes("{}", "{}")
    bytes.rows[0].key[3] = 0xFF
    let blob = try blob(bytes)
    #expect(faults(blob) == ["malformed-text@9"])
    #expect(blob.tokens.count == 1)
  }

  @Test(
    "values that are refused",
    arguments: [
      ("", "wrong-type", 0), ("null", "wrong-type", 0), ("[]", "wrong-type", 0),
      ("{", "malformed-json", 1), ("{}x", "trailing-bytes", 2), ("{} {}", "trailing-bytes", 3),
      ("{\"RefreshToken\":5}", "wrong-type", 16), ("{\"RefreshToken\":[]}", "wrong-type", 16),
      ("{\"RawClientInfo\":{}}", "wrong-type", 17), ("{\"Result\":\"\"}", "wrong-type", 10),
      ("{\"Result\":{\"UserInfo\":[]}}", "wrong-type", 22),
      ("{\"Result\":{\"UserInfo\":{\"UniqueId\":1}}}", "wrong-type", 34),
      ("{\"Result\":{\"ExpiresOn\":0}}", "wrong-type", 23),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":0}}}", "wrong-type", 35),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"now\"}}}", "malformed-time", 35),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"/Date(1)\"}}}", "malformed-time", 35),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"/Date(1.5)/\"}}}", "malformed-time", 35),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"/Time(1)/\"}}}", "malformed-time", 35),
      ("{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"/Date(10]/\"}}}", "malformed-time", 35),
      (
        "{\"Result\":{\"ExpiresOn\":{\"DateTime\":\"/Date(253402300800000)/\"}}}", "malformed-time",
        35
      ),
      ("{\"RefreshToken\":\"a\",\"RefreshToken\":\"a\"}", "duplicate-member", 21),
      ("{\"RefreshToken\":\"a\",\"R\\u0065freshToken\":null}", "duplicate-member", 21),
      ("{\"x\":[[[[[[[[]]]]]]]]}", "too-deep", 12),
      ("{\"x\":{\"\":{\"\":{\"\":{\"\":{\"\":{\"\":{\"\":{}}}}}}}}}", "too-deep", 33),
      ("{\"x\":\"\\ud800\"}", "malformed-json", 6),
    ])
  func malformedValues(value: String, code: String, offset: Int) throws {
    let blob = try blob(BlobBytes(value, "{}"))
    #expect(faults(blob) == ["\(code)@\(Self.value + offset)"])
    #expect(blob.tokens.count == 1)
    let row = try #require(blob.unreadable.first)
    #expect(row.authority == "https://login.windows.net/t/")
    #expect(row.resource == "r" && row.clientID == "c")
    #expect(
      row.place
        == .row(
          LegacyPlace.RowKey(
            authority: "https://login.windows.net/t/", resource: "r", client: "c", index: 0)))
  }

  @Test func everyMemberMayBeAbsent() throws {
    for value in [
      "{}", "{\"Result\":null,\"RefreshToken\":null}", "{\"Result\":{\"UserInfo\":null}}",
    ] {
      let token = try #require(try blob(BlobBytes(value)).tokens.first)
      #expect(token.accessToken == nil && token.refreshToken == nil && token.userID == nil)
      #expect(token.isMultiResource == false)
      #expect(token.origin == .msalNet)
    }
    let deep = "{\"x\":[[[[[[[5]]]]]]],\"y\":-1.5e3,\"RefreshToken\":\"\\u0000\"}"
    #expect(try blob(BlobBytes(deep)).tokens.first?.refreshToken == TokenSecret("\u{0}"))
  }

  @Test func whatMakesARefreshTokenGoodForAll() throws {
    func isMultiResource(_ members: String) throws -> Bool? {
      try blob(BlobBytes("{\(members)}")).tokens.first?.isMultiResource
    }
    #expect(try isMultiResource("\"RefreshToken\":\"r\",\"ResourceInResponse\":\"x\"") == true)
    #expect(try isMultiResource("\"RefreshToken\":\"r\",\"ResourceInResponse\":\" \"") == false)
    #expect(try isMultiResource("\"RefreshToken\":\" \",\"ResourceInResponse\":\"x\"") == false)
    #expect(try isMultiResource("\"RefreshToken\":\"r\"") == false)
    let old = BlobBytes(schema: 2, "{\"IsMultipleResourceRefreshToken\":true}")
    #expect(try blob(old).tokens.first?.isMultiResource == true)
  }

  @Test func times() throws {
    func expiry(_ milliseconds: String) throws -> Double? {
      let date = "{\"DateTime\":\"\\/Date(\(milliseconds))\\/\",\"OffsetMinutes\":60}"
      return try blob(BlobBytes("{\"Result\":{\"ExpiresOn\":\(date)}}")).tokens.first?.expiresOn
    }
    #expect(try expiry("1700002999001") == 1_700_002_999.001)
    #expect(try expiry("-1000") == -1)
    #expect(try expiry("-62135596800000") == nil)
    #expect(try expiry("253402300799999") == 253_402_300_799.999)
  }

  @Test func schemaOneIsBase64() throws {
    let json = "{\"RefreshToken\":\"rt\",\"AccessToken\":\"at\"}"
    let text = Base64.text(of: Array(json.utf8), .standard)
    let token = try #require(try blob(BlobBytes(schema: 1, text)).tokens.first)
    #expect(token.refreshToken == TokenSecret("rt") && token.accessToken == TokenSecret("at"))
    #expect(token.origin == .dotNet(schema: 1) && token.isMultiResource == nil)
    #expect(faults(try blob(BlobBytes(schema: 1, json))) == ["malformed-base64@\(Self.value)"])
    let wrong = Base64.text(of: Array("{\"RefreshToken\":5}".utf8), .standard)
    #expect(faults(try blob(BlobBytes(schema: 1, wrong))) == ["wrong-type@\(Self.value)"])
  }

  @Test func anItemOfXamarins() throws {
    func item(_ data: [UInt8]?, account: String = "ADAL.PCL.iOS cache") -> LegacyItem {
      LegacyItem(
        KeychainItem(
          accessGroup: "g", account: account, service: "ADAL.PCL.iOS Service",
          data: data.map { TokenSecret($0) }))
    }
    let place = LegacyPlace.KeychainKey(
      accessGroup: "g", account: "ADAL.PCL.iOS cache", service: "ADAL.PCL.iOS Service")
    #expect(item(BlobBytes("{}").bytes) != item(BlobBytes("{}", "{}").bytes))
    #expect(item(nil) == item([]))
    guard case .cache(let empty) = item([]) else { throw NoCache() }
    #expect(empty.tokens == [] && empty.unreadable == [])
    #expect(
      item([1, 2])
        == .unreadable(
          UnreadableToken(
            place: .keychain(place), code: .undecodable, archiveError: "truncated", offset: 2)))
    #expect(item(BlobBytes("{}").bytes, account: "another") == .foreign)
  }

  private struct NoCache: Error {}
}
