// SPDX-License-Identifier: MIT
import ADALCache
import ArchiveBytes
import KeychainItems
import Testing

/// The parts of a row that come from the service's answer (adal-cache-format §2.5).
@Suite struct ServerAnswerTests {
  enum Value: Sendable {
    case text(String)
    case date(Double)
    case number
    case inside(String, String)
  }

  /// An item whose `additionalServer` has these entries, and whose `clientInfo` is this.
  private func token(_ entries: [(String, Value)], clientInfo: String? = nil) throws -> LegacyToken
  {
    var archive = ArchiveBytes(width: 1)
    func add(_ value: Value) -> Int {
      switch value {
      case .text(let text): archive.uid(archive.string(text))
      case .date(let seconds):
        archive.uid(
          archive.object(
            "NSDate",
            [
              (
                "NS.time",
                archive.add([0x23] + PropertyListBytes.integer(seconds.bitPattern, width: 8))
              )
            ]
          ))
      case .number: archive.uid(archive.add([0x10, 60]))
      case .inside(let name, let text):
        archive.uid(
          archive.dictionary(
            keys: [archive.uid(archive.string(name))], values: [archive.uid(archive.string(text))]))
      }
    }
    let keys = entries.map { archive.uid(archive.string($0.0)) }
    let values = entries.map { add($0.1) }
    var fields = [("additionalServer", archive.uid(archive.dictionary(keys: keys, values: values)))]
    if let clientInfo { fields.append(("clientInfo", archive.uid(archive.string(clientInfo)))) }
    let root = archive.object("ADTokenCacheStoreItem", fields)
    guard case .token(let token) = LegacyItem(archive: archive.bytes(root: root)) else {
      throw NoToken()
    }
    return token
  }

  private struct NoToken: Error {}

  @Test(
    arguments: [
      ([], nil),
      ([("extended_expires_on", .date(1))], 978_307_201),
      ([("ext_expires_on", .date(1))], 978_307_201),
      ([("ext_expires_on", .date(1)), ("extended_expires_on", .date(2))], 978_307_202),
      ([("extended_expires_on", .date(2)), ("ext_expires_on", .date(1))], 978_307_202),
      ([("extended_expires_on", .date(1)), ("extended_expires_on", .date(2))], 978_307_202),
      ([("extended_expires_on", .date(1)), ("extended_expires_on", .number)], nil),
      ([("extended_expires_on", .number), ("ext_expires_on", .date(1))], 978_307_201),
      ([("extended_expires_on", .text("1"))], nil), ([("ext_expires_in", .date(1))], nil),
    ] as [([(String, Value)], Double?)])
  func extendedExpiry(entries: [(String, Value)], expected: Double?) throws {
    let token = try token(entries)
    #expect(token.extendedExpiresOn == expected)
    #expect(token.droppedFields == [])
  }

  @Test(
    arguments: [
      ([("client_info", .text("a"))], nil, "a"), ([("client_info", .text("a"))], "own", "own"),
      ([("client_info", .text("a")), ("client_info", .text("b"))], nil, "b"),
      ([("client_info", .text("a")), ("client_info", .number)], nil, nil),
      ([("client_info", .date(1))], nil, nil),
      ([("scope", .inside("client_info", "a"))], nil, nil),
      ([("scope", .text("client_info"))], nil, nil),
    ] as [([(String, Value)], String?, String?)])
  func clientInfo(entries: [(String, Value)], own: String?, expected: String?) throws {
    #expect(try token(entries, clientInfo: own).clientInfo == expected)
  }
}
