// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import MigrationReports
import Testing

@testable import ADALMigration
import MigrationDocuments

/// One cache in memory to a report and a new target.
@Suite struct MemoryTests {
  private func run(_ document: MemoryDocument) throws -> Report {
    let vector = try #require(Vectors.adal.first { $0.name == "mac-2.6.6-mrrt-many-resources" })
    return try Migration(
      from: .blob(try vector.blob()), into: .document(document),
      now: { Date(timeIntervalSince1970: 1_700_000_000) }
    ).run()
  }

  @Test("a document in memory is written once") func document() throws {
    let document = MemoryDocument()
    let before = document.read()
    #expect(before == [])
    let first = try run(document)
    #expect(first.summary.written > 0)
    let bytes = document.bytes
    #expect(try JSONValue(bytes).object?.keys.contains("RefreshToken") == true)
    let second = try run(document)
    #expect(second.summary.written == 0)
    #expect(document.bytes == bytes)
  }

  @Test("an error inside a change leaves the document as it was") func failure() {
    let document = MemoryDocument([1, 2])
    #expect(throws: CancellationError.self) {
      try document.update { _ in throw CancellationError() }
    }
    #expect(document.bytes == [1, 2])
  }

  @Test("a report on one line has the contents of the report", arguments: Vectors.adal.prefix(40))
  func line(_ vector: ADALVector) throws {
    let (migration, _) = try vector.migration()
    let report = try migration.plan()
    for shown in [report.masked(), report.unmasked()] {
      var writer = JSONWriter()
      writer.write(shown, .full)
      #expect(!writer.bytes.contains(0x0A))
      let read = try JSONValue(writer.bytes)
      #expect(try read == JSONValue(Array(shown.json().utf8)))
      // Keys are in the order of their bytes.
      #expect(writer.bytes == read.encoded())
    }
  }

  @Test("a large report in JSON comes in pieces, which are the report") func pieces() throws {
    var report = try run(MemoryDocument())
    let name = "a::b##c\u{1B}"
    report.accounts[0].userID = name
    let entry = try #require(report.entries.first)
    report.entries = (0..<1000).map { number in
      var entry = entry
      entry.row = number
      entry.userID = "\(name)\(number)"
      return entry
    }
    let shown = report.unmasked()
    var writer = JSONWriter()
    writer.write(shown, .full, .lines)
    var pieces: [[UInt8]] = []
    ReportFormat.json.write(shown) { pieces.append($0) }
    #expect(Array(pieces.joined()) == writer.bytes + [0x0A])
    #expect(pieces.count > 3 && pieces.allSatisfy { $0.count < 100_000 })
  }

  @Test("a summary has counts and reasons, and no user name") func summary() throws {
    let vector = try #require(Vectors.adal.first { $0.name == "ios-2.6.6-guest-user" })
    let (migration, _) = try vector.migration()
    let report = try migration.plan()
    var writer = JSONWriter()
    writer.write(report.unmasked(), .summary)
    let members = try #require(try JSONValue(writer.bytes).object)
    #expect(Set(members.keys) == ["applied", "findings", "summary", "tool", "version"])
    guard case .array(let findings)? = members["findings"] else {
      Issue.record("no findings")
      return
    }
    #expect(!findings.isEmpty)
    for finding in findings {
      #expect(Set((finding.object ?? [:]).keys) == ["reason", "rows", "severity"])
    }
  }

  @Test("characters that a terminal or a build log acts on are escaped") func harmless() throws {
    var report = try run(MemoryDocument())
    report.accounts[0].userID = "\u{202E}a::b\u{1B}[31m"
    var writer = JSONWriter()
    writer.write(report.unmasked(), .full)
    #expect(writer.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("::"))
    #expect(try JSONValue(writer.bytes) == JSONValue(Array(report.unmasked().json().utf8)))
  }
}
