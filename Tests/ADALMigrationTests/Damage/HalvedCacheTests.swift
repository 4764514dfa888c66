// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import Foundation
import KeychainItems
import KeyedArchive
import Testing

@testable import ADALMigration

/// D42 where a cache is one file: each row of a macOS blob, of a blob of ADAL.NET's and of a list is spoiled
/// alone, and no dry run calls it fine unless another row keeps that user's client signed in.
@Suite struct HalvedCacheTests {
  // MARK: Blobs of macOS

  /// All rows are in one archive, so that a row cannot be cut off: the second half of its object, which refers
  /// to its values, is overwritten.
  @Test("each row of each macOS blob, half overwritten")
  func mac() throws {
    var counts = HalvedRows()
    for vector in Vectors.adal where vector.isMac {
      let blob = try vector.blob()
      let whole = try plan(.blob(blob), vector.now)
      let rows = try Self.rows(of: blob)
      #expect(rows.count == vector.tokenCount, "\(vector.name)")
      for row in rows {
        var spoiled = blob
        for position in (row.lowerBound + row.count / 2)..<row.upperBound {
          spoiled[position] = 0xFF
        }
        try counts.count(try plan(.blob(spoiled), vector.now), beside: whole, vector.name)
      }
    }
    #expect(counts == HalvedRows(errors: 68, kept: 191))
  }

  /// Where the objects of an archive's rows are.
  private static func rows(of blob: [UInt8]) throws -> [Range<Int>] {
    var list = try BinaryPropertyList(blob)
    var archive = try KeyedArchiveReader(blob)
    return try (0..<list.objectCount).compactMap { index in
      let object = try list.object(at: index)
      guard case .object(_, let name)? = try? archive.content(of: object),
        ["ADTokenCacheItem", "ADTokenCacheStoreItem"].contains(archive.text(of: name))
      else { return nil }
      return object.range
    }
  }

  private func plan(_ source: Source, _ now: Double) throws -> Report {
    try Migration(
      from: [source], into: .items(MemoryStore(), accessGroup: ADALVector.macGroup),
      now: { Date(timeIntervalSince1970: now) }
    ).plan()
  }

  // MARK: Blobs of ADAL.NET and lists

  @Test("each row of each blob of ADAL.NET's and of each list, cut in half")
  func others() throws {
    var blobs = HalvedRows()
    var lists = HalvedRows()
    for vector in OtherADALVector.all {
      let cache = try vector.cache
      let whole = try plan(vector.source, vector.now)
      let rows = try Self.rows(of: vector)
      #expect(rows.count == vector.rowCount, "\(vector.name)")
      for row in rows {
        let half = Array(cache[row.value].prefix(row.value.count / 2))
        // The rest of an object becomes text, so that the list stays a list.
        let rest: [UInt8] =
          vector.isBlob
          ? Self.string(half) : JSONValue.string(String(decoding: half, as: UTF8.self)).encoded()
        var halved = cache
        halved.replaceSubrange(row.start..<row.value.upperBound, with: rest)
        let report = try plan(vector.source(of: halved), vector.now)
        if vector.isBlob {
          try blobs.count(report, beside: whole, vector.name)
        } else {
          try lists.count(report, beside: whole, vector.name)
        }
      }
    }
    #expect(blobs == HalvedRows(errors: 162))
    #expect(lists == HalvedRows(errors: 128))
  }

  @Test("each of these files, ending in the middle of each row")
  func cutOff() throws {
    var counts = HalvedRows()
    for vector in OtherADALVector.all {
      let cache = try vector.cache
      for row in try Self.rows(of: vector) {
        let end = row.value.lowerBound + row.value.count / 2
        let report = try plan(vector.source(of: Array(cache[..<end])), vector.now)
        try counts.count(report, beside: nil, vector.name)
        #expect(report.findings.contains { $0.reason == .sourceCutOff && $0.severity == .error })
      }
    }
    #expect(counts == HalvedRows(errors: 290))
  }

  /// A row: where its value is, and where in front of that its length begins.
  private struct Row {
    var start: Int
    var value: Range<Int>
  }

  private static func rows(of vector: OtherADALVector) throws -> [Row] {
    let cache = try vector.cache
    return vector.isBlob ? rows(ofBlob: cache) : try rows(ofList: cache)
  }

  /// Two strings for each row, behind a schema and a count (other-adals §2).
  private static func rows(ofBlob cache: [UInt8]) -> [Row] {
    guard cache.count > 8 else { return [] }
    var offset = 8
    func string() -> Row {
      let start = offset
      var (length, shift) = (0, 0)
      repeat {
        length |= Int(cache[offset] & 0x7F) << shift
        shift += 7
        offset += 1
      } while cache[offset - 1] >= 0x80
      offset += length
      return Row(start: start, value: offset - length..<offset)
    }
    var rows: [Row] = []
    while offset < cache.count {
      _ = string()
      rows.append(string())
    }
    return rows
  }

  /// Bytes behind their length, seven bits to a byte, lowest first.
  private static func string(_ bytes: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = bytes.count
    while rest >= 0x80 {
      length.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return length + [UInt8(rest)] + bytes
  }

  /// The objects of a list; azure-cli keeps service principals among them, which are no rows.
  private static func rows(ofList cache: [UInt8]) throws -> [Row] {
    var scanner = JSONScanner(cache)
    var rows: [Row] = []
    var isMore = try scanner.opensArray()
    while isMore {
      _ = scanner.peek()
      let start = scanner.offset
      try scanner.skipValue()
      let text = String(decoding: cache[start..<scanner.offset], as: UTF8.self)
      if !text.contains("servicePrincipalId") {
        rows.append(Row(start: start, value: start..<scanner.offset))
      }
      isMore = try scanner.continuesArray()
    }
    return rows
  }
}
