// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MigrationDocuments
import Testing

/// Features of lists of ADAL for Python or Node that the given ones do not have.
@Suite struct TokenListTests {
  private func list(_ text: String, localTime: LocalTime = .utc) throws -> TokenList {
    try TokenList(Array(text.utf8), localTime: localTime)
  }

  private func row(_ members: String = "") -> String {
    "{\"_clientId\":\"c\",\"_authority\":\"a\"\(members)}"
  }

  private func faults(_ list: TokenList) -> [String] {
    list.unreadable.map { "\($0.archiveError ?? $0.code.description)@\($0.offset ?? -1)" }
  }

  @Test func whatIsNoList() {
    for text in ["", " ", "{}", "null", "\"[]\"", "x"] {
      #expect(throws: LegacyCacheError(.notAList, at: 0)) { try list(text) }
    }
  }

  @Test func anEmptyList() throws {
    for text in ["[]", " [ ] \n", "\u{FEFF}[]"] {
      let list = try list(text)
      #expect(list.tokens == [] && list.unreadable == [])
    }
  }

  @Test func whatEndsTheReading() throws {
    let row = row()
    for (rest, fault) in [
      ("", "truncated@1"), ("]x", "trailing-bytes@2"), (",]", "malformed-json@1"),
      (",{\"a\":}]", "malformed-json@7"), (",\"\u{1}\"]", "malformed-json@3"),
    ] {
      let list = try list("[\(row)\(rest)")
      let parts = fault.split(separator: "@")
      let offset = (Int(parts[1]) ?? 0) + row.utf8.count
      #expect(faults(list) == ["\(parts[0])@\(offset)"], "\(rest)")
      #expect(list.tokens.count == 1)
      #expect(list.unreadable.map(\.place) == [.row(LegacyPlace.RowKey(index: 1))])
    }
  }

  @Test func whatCostsOneRow() throws {
    for (bad, code, offset) in [
      ("5", "wrong-type", 0), ("[]", "wrong-type", 0), ("null", "wrong-type", 0),
      ("{}", "malformed", 0), ("{\"_clientId\":\"c\"}", "malformed", 0),
      ("{\"_authority\":\"a\"}", "malformed", 0),
      ("{\"accessToken\":\"s\"}", "malformed", 0), (row(",\"isMRRT\":\"true\""), "wrong-type", 43),
      (row(",\"userId\":5"), "wrong-type", 43),
      (row(",\"_clientId\":\"d\""), "duplicate-member", 35),
      ("{\"x\":[[[[[[[[]]]]]]]]}", "too-deep", 12),
      (row(",\"refreshToken\":{}"), "wrong-type", 49),
    ] {
      let list = try list("[\(row()), \(bad),\(row())]")
      #expect(faults(list) == ["\(code)@\(row().utf8.count + 3 + offset)"], "\(bad)")
      #expect(list.tokens.count == 2, "\(bad)")
    }
  }

  @Test func servicePrincipals() throws {
    let text = """
      [{"accessToken": "s3cr3t-of-an-app", "servicePrincipalId": "sp"}, \
      {"servicePrincipalId": null, "_clientId": "c", "_authority": "a", "accessToken": "s3cr3t"}, \
      {"servicePrincipalId": 5, "certificateFile": "f", "thumbprint": "s3cr3t"}]
      """
    let list = try list(text)
    #expect(list.tokens == [])
    #expect(
      list.unreadable.map(\.code) == [.servicePrincipal, .servicePrincipal, .servicePrincipal])
    #expect(list.unreadable.map(\.clientID) == ["sp", nil, nil])
    #expect(list.unreadable.map(\.offset) == [1, 66, 158])
    var dumped = ""
    dump(list, to: &dumped)
    #expect(!dumped.contains("s3cr3t") && !"\(list)".contains("s3cr3t"))
  }

  @Test func noTokenIsPrinted() throws {
    let list = try list("[\(row(",\"accessToken\":\"s3cr3t\",\"refreshToken\":\"s3cr3t\""))]")
    var dumped = ""
    dump(list, to: &dumped)
    #expect(!dumped.contains("s3cr3t"))
    #expect(list.tokens.first?.accessToken == TokenSecret("s3cr3t"))
    #expect(list.tokens.first?.refreshToken == TokenSecret("s3cr3t"))
  }

  @Test(
    "times",
    arguments: [
      ("2023-11-14 23:03:19", 1_700_002_999.0), ("2023-11-14 23:03:19.5", 1_700_002_999.5),
      ("2023-11-14 23:03:19.123456", 1_700_002_999.123456),
      ("2023-11-14T23:03:19.191Z", 1_700_002_999.191), ("2023-11-14T23:03:19Z", 1_700_002_999),
      ("0001-01-01 00:00:00", -62_135_596_800), ("9999-12-31 23:59:59", 253_402_300_799),
      ("2024-02-29 00:00:00", 1_709_164_800),
    ])
  func times(text: String, seconds: Double) throws {
    let token = try list("[\(row(",\"expiresOn\":\"\(text)\""))]").tokens.first
    #expect(token?.expiresOn == seconds)
    #expect(token?.origin == (text.hasSuffix("Z") ? .node : .python))
    #expect(token?.droppedFields == [])
  }

  @Test(
    "a text that is no time counts as expired",
    arguments: [
      "\"\"", "\"2023-02-29 00:00:00\"", "\"2023-11-14 24:00:00\"", "\"2023-11-14T23:03:19\"",
      "\"2023-11-14 23:03:19Z\"", "\"2023-11-14T23:03:19+01:00\"", "\"2023-11-14 23:03:19.\"",
      "\"2023-11-14 23:03:19,5\"", "\"2023-11-14 23:03:19.5x\"", "\"2023-11-14T23:03:19.5Y\"",
      "\"2023-11-14 23:03:19.1234567891\"", "\"+2023-11-14 23:03:19\"", "\"1700002999\"",
      "1700002999", "[]", "\"２023-11-14 23:03:19\"", "\"Nov 14, 2023 11:03:19 PM\"", "true",
    ])
  func noTimes(value: String) throws {
    let token = try list("[\(row(",\"expiresOn\":\(value)"))]").tokens.first
    #expect(token != nil && token?.expiresOn == nil)
    #expect(token?.droppedFields == ["expiresOn"])
  }

  private func berlin() throws -> LocalTime {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    return LocalTime { zone.secondsFromGMT(for: Date(timeIntervalSince1970: $0)) }
  }

  @Test(
    "where clocks change",
    arguments: [
      // Summer time ended on 2023-10-29 at 01:00 UTC.
      ("2023-10-29 01:59:59", nil, "2023-10-28T23:59:59Z"),
      ("2023-10-29 02:00:00", nil, "2023-10-29T00:00:00Z"),
      ("2023-10-29 02:59:59", nil, "2023-10-29T00:59:59Z"),
      ("2023-10-29 03:00:00", nil, "2023-10-29T02:00:00Z"),
      // Summer time began on 2023-03-26 at 01:00 UTC.
      ("2023-03-26 01:59:59", nil, "2023-03-26T00:59:59Z"),
      ("2023-03-26 02:30:00", nil, "2023-03-26T00:30:00Z"),
      ("2023-03-26 03:00:00", nil, "2023-03-26T01:00:00Z"),
      // Python adds the lifetime to what the clock shows.
      ("2023-10-29 03:30:00", 3600, "2023-10-29T01:30:00Z"),
      ("2023-10-29 02:30:00", 3600, "2023-10-29T00:30:00Z"),
      ("2023-03-26 02:30:00", 3600, "2023-03-26T01:30:00Z"),
      ("2023-10-29 12:00:00", 86400, "2023-10-29T10:00:00Z"),
      ("2023-07-01 12:00:00", 3599, "2023-07-01T10:00:00Z"),
      ("2023-07-01 12:00:00", -5, "2023-07-01T10:00:00Z"),
    ] as [(String, Int?, String)])
  func clockChanges(local: String, lifetime: Int?, utc: String) throws {
    let members =
      ",\"expiresOn\":\"\(local)\"" + (lifetime.map { ",\"expiresIn\":\($0)" } ?? "")
    let token = try list("[\(row(members))]", localTime: berlin()).tokens.first
    let expected = try list("[\(row(",\"expiresOn\":\"\(utc)\""))]").tokens.first
    #expect(token?.expiresOn == expected?.expiresOn)
    #expect(token?.expiresIn == lifetime)
    // A time in UTC does not depend on the zone.
    let node = try list(
      "[\(row(",\"expiresOn\":\"\(utc)\",\"expiresIn\":3600"))]", localTime: berlin())
    #expect(node.tokens.first?.expiresOn == expected?.expiresOn)
  }

  @Test func datesOfCreationAreLocalToo() throws {
    let members = ",\"createdOn\":\"2023-07-01 12:00:00\""
    let token = try list("[\(row(members))]", localTime: berlin()).tokens.first
    #expect(token?.cachedAt == 1_688_205_600)
  }

  @Test func blanksAreNothing() throws {
    let members =
      ",\"refreshToken\":\" \",\"accessToken\":\"\",\"resource\":\"\\t\",\"userId\":\"\""
    let token = try #require(try list("[\(row(members))]").tokens.first)
    #expect(token.refreshToken == nil && token.accessToken == nil && token.resource == nil)
    #expect(token.userID == nil)
  }

  @Test func unknownFieldsAreIgnored() throws {
    let members = ",\"x\":{\"accessToken\":\"no\",\"y\":[1,2,{}]},\"_clientid\":5"
    let list = try list("[\(row(members))]")
    #expect(list.tokens.count == 1 && list.unreadable == [])
    #expect(list.tokens.first?.accessToken == nil)
  }
}
