// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems

/// Reads a snapshot whose schema says anything. The input is the schema's statements with a NUL between them; the
/// first is for the table of items, whose four rows are there.
func readSchema(_ bytes: [UInt8]) throws {
  let statements = bytes.split(separator: 0, maxSplits: 31, omittingEmptySubsequences: false)
  guard bytes.count <= SchemaFile.longest else { return }
  try readSnapshot(SchemaFile(statements: statements.map(Array.init)).bytes)
}

/// A SQLite file, written byte by byte, so that it can have a schema that SQLite would not make
/// (SQLite's file format, sections 1.3 to 2.6).
private struct SchemaFile {
  /// The longest schema that has room in its page.
  static let longest = 6000
  private static let pageSize = 8192
  private static let headerSize = 100
  private static let rows = 4

  private enum Page: UInt8 {
    case index = 0x0A
    case table = 0x0D
  }

  private enum Value {
    case null
    case integer(Int)
    case text([UInt8])
  }

  let statements: [[UInt8]]

  var bytes: [UInt8] {
    let keys = (0..<Self.rows).map { row in
      [Value.text(Array("G".utf8)), .text(Array("account\(row)".utf8)), .text(Array("s".utf8))]
    }
    var pages = [
      page(.table, keys.map { $0 + Array(repeating: .null, count: 9) + [.text([1])] }),
      page(.index, keys.enumerated().map { $1 + [.integer($0 + 1)] }),
    ]
    var entries: [[Value]] = []
    for (index, statement) in statements.enumerated() {
      let kind = Self.kind(of: statement)
      let name = Array((index == 0 ? "items" : "t\(index)").utf8)
      var root = 0
      if index == 0 {
        root = 2
      } else if let kind = kind.page {
        pages.append(page(kind, (0..<Self.rows).map { [.text([0x61]), .integer($0 + 1)] }))
        root = pages.count + 1
      }
      entries.append([
        .text(Array(kind.name.utf8)), .text(name), .text(index == 0 ? name : Array("items".utf8)),
        .integer(root), .text(statement),
      ])
      guard index == 0 else { continue }
      entries.append([
        .text(Array("index".utf8)), .text(Array("sqlite_autoindex_items_1".utf8)), .text(name),
        .integer(3), .null,
      ])
    }
    var file = header(pages: pages.count + 1)
    file.reserveCapacity(Self.pageSize * (pages.count + 1))
    file += page(.table, entries, after: Self.headerSize)[Self.headerSize...]
    for page in pages { file += page }
    return file
  }

  /// SQLite's name for a statement, and its page.
  private static func kind(of statement: [UInt8]) -> (name: String, page: Page?) {
    let start = String(decoding: statement.prefix(16), as: UTF8.self).lowercased()
    if start.hasPrefix("create view") { return ("view", nil) }
    if start.hasPrefix("create trigger") { return ("trigger", nil) }
    if start.hasPrefix("create index") || start.hasPrefix("create unique") {
      return ("index", .index)
    }
    return ("table", start.hasPrefix("create virtual") ? nil : .table)
  }

  private func header(pages: Int) -> [UInt8] {
    let application: [UInt8] = [0x41, 0x32, 0x4D, 0x53]
    var header = Array("SQLite format 3\0".utf8) + Self.big(Self.pageSize, 2)
    header += [1, 1, 0, 64, 32, 32] + Self.big(1, 4) + Self.big(pages, 4) + Self.big(0, 8)
    header += Self.big(1, 4) + Self.big(4, 4) + Self.big(0, 8) + Self.big(1, 4) + Self.big(1, 4)
    header +=
      Self.big(0, 4) + application + Self.big(0, 20) + Self.big(1, 4) + Self.big(3_040_001, 4)
    return header
  }

  /// A leaf of a tree with these records, whose rows have the numbers from 1 on.
  private func page(_ kind: Page, _ records: [[Value]], after start: Int = 0) -> [UInt8] {
    var content: [UInt8] = []
    var places: [UInt8] = []
    for (index, record) in records.enumerated() {
      let payload = Self.record(record)
      let number = kind == .table ? Self.variable(index + 1) : []
      content = Self.variable(payload.count) + number + payload + content
      places += Self.big(Self.pageSize - content.count, 2)
    }
    let head =
      [kind.rawValue, 0, 0] + Self.big(records.count, 2)
      + Self.big(Self.pageSize - content.count, 2) + [0] + places
    let gap = max(0, Self.pageSize - start - head.count - content.count)
    let whole =
      [UInt8](repeating: 0, count: start) + head + [UInt8](repeating: 0, count: gap) + content
    return Array(whole.prefix(Self.pageSize))
  }

  private static func record(_ values: [Value]) -> [UInt8] {
    var types: [UInt8] = []
    var content: [UInt8] = []
    for value in values {
      switch value {
      case .null: types.append(0)
      case .integer(let value):
        types.append(1)
        content.append(UInt8(truncatingIfNeeded: value))
      case .text(let bytes):
        types += variable(13 + 2 * bytes.count)
        content += bytes
      }
    }
    // The header counts itself, in one byte as long as it is short.
    let isShort = types.count + 1 < 0x80
    return variable(types.count + (isShort ? 1 : 2)) + types + content
  }

  /// A number as SQLite has it in records, below 2^14.
  private static func variable(_ value: Int) -> [UInt8] {
    value < 0x80
      ? [UInt8(value)]
      : [UInt8(truncatingIfNeeded: value >> 7) | 0x80, UInt8(truncatingIfNeeded: value) & 0x7F]
  }

  private static func big(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
  }
}
