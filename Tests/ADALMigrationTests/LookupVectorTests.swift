// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import Foundation
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup
import Testing

@testable import ADALMigration

/// The answers of MSAL's own code about caches with single changes, with ADAL's rows as its second source.
@Suite struct LookupVectorTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Vectors")

  private static func json(_ file: URL) throws -> JSONValue {
    try JSONValue(Array(try Data(contentsOf: file)))
  }

  @Test("every recorded answer is given")
  func recorded() throws {
    let folder = Self.root.appendingPathComponent("lookup/public")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    #expect(files.count == 68)
    var agreeing = 0
    for file in files {
      let recorded = try Self.json(file)
      let items = recorded.member("items").elements.map { KeychainItem(vector: $0) }
        .filter { $0.accessGroup == "ABCDE12345.com.microsoft.adalcache" }
      let rows = ADALFallbackRow.rows(of: items)
      let now = try #require(recorded.member("now").stringOrNumber.flatMap(Double.init))
      let lookup = Lookup(
        MSALIndex(items: items), fallbackRows: rows, now: now,
        knowsClouds: recorded.member("metadata") == .bool(true))
      for (index, query) in recorded.member("queries").elements.enumerated() {
        let answer = lookup.answer(try LookupQuery(query)).json { secret in
          ("secret", secret.revealText() ?? "?")
        }
        if RecordedAnswer(query).agrees(with: answer) {
          agreeing += 1
        } else {
          Issue.record(
            "\(file.lastPathComponent) \(index): \(query.text) is answered \(answer.text)")
        }
      }
    }
    #expect(agreeing == 843)
  }
}

extension JSONValue {
  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  func member(_ name: String) -> JSONValue { object?[name] ?? .null }

  fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension KeychainItem {
  init(vector: JSONValue) {
    func bytes(_ name: String) -> [UInt8]? {
      vector.member(name).string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }
    self.init(
      accessGroup: vector.member("agrp").string ?? "", account: vector.member("acct").string ?? "",
      service: vector.member("svce").string ?? "", generic: bytes("gena"),
      type: vector.member("type").stringOrNumber.flatMap { Int($0) },
      accessibility: vector.member("pdmn").string, data: bytes("data").map { TokenSecret($0) })
  }
}
