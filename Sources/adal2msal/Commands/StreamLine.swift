// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON
import MigrationPolicies

/// A line of a stream: a cache, or the question who is there.
struct StreamLine {
  /// The id as it is spelled, as soon as it is read.
  private(set) var id: ArraySlice<UInt8>?
  private(set) var cache: [UInt8] = []
  /// The current content of the target, or nil if the line does not have it.
  private(set) var target: [UInt8]?
  private(set) var accountMap: AccountMap?
  private(set) var intoGroup: String?
  /// Whether it asks who is there.
  private(set) var isHello = false

  // Shorter ones first.
  private static let keys = JSONKeys([
    "id", "cache", "hello", "target", "intoGroup", "accountMap",
  ])

  /// Reads a line. Members read before a failure stay.
  ///
  /// - Throws: a sentence of a fixed list with a place, and nothing of the input.
  mutating func read(_ bytes: [UInt8]) throws(Failure) {
    do {
      try readMembers(bytes)
    } catch let failure as Failure {
      throw failure
    } catch let error as JSONError {
      throw Failure(.usage, "the line is not a JSON object: \(error)")
    } catch {
      throw Failure.ofLine
    }
  }

  private mutating func readMembers(_ bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes)
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Failure(.usage, "the line is not a JSON object, at byte \(scanner.offset)")
    }
    var seen: Set<Int> = []
    try scanner.members(Self.keys) { scanner, key, start in
      guard let key else {
        throw Failure(.usage, "the line has an unknown key, at byte \(start)")
      }
      guard seen.insert(key).inserted else {
        throw Failure(.usage, "the line has a key twice, at byte \(start)")
      }
      try readMember(Self.keys[key].description, &scanner, bytes)
    }
    try scanner.expectEnd()
    if isHello {
      guard seen.count == 1 else { throw Failure(.usage, "a hello has no other keys") }
    } else {
      guard id != nil else { throw Failure(.usage, "the line has no id") }
      guard seen.contains(1) else { throw Failure(.usage, "the line has no cache") }
    }
  }

  private mutating func readMember(
    _ key: String, _ scanner: inout JSONScanner, _ bytes: [UInt8]
  ) throws {
    switch key {
    case "id": id = try Self.id(&scanner, bytes)
    case "hello":
      guard try scanner.number() == "1" else {
        throw Failure(.usage, "the hello is of another version than 1")
      }
      isHello = true
    case "cache": cache = try Self.base64(&scanner)
    case "target":
      if !(try Self.isNull(&scanner)) { target = try Self.base64(&scanner) }
    case "intoGroup":
      if try Self.isNull(&scanner) { break }
      let group = try scanner.string()
      guard !group.isEmpty else { throw Failure(.usage, "the line's intoGroup is empty") }
      intoGroup = group
    default:
      if !(try Self.isNull(&scanner)) { accountMap = try AccountMap(&scanner) }
    }
  }

  private static func id(_ scanner: inout JSONScanner, _ bytes: [UInt8]) throws -> ArraySlice<UInt8>
  {
    let first = scanner.peek()
    let start = scanner.offset
    if first == UInt8(ascii: "\"") {
      _ = try scanner.text()
    } else {
      let isWhole = try scanner.number().utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0)
      }
      guard isWhole else {
        throw Failure(
          .usage, "the line's id is neither a text nor a whole number, at byte \(start)")
      }
    }
    return bytes[start..<scanner.offset]
  }

  private static func base64(_ scanner: inout JSONScanner) throws -> [UInt8] {
    _ = scanner.peek()
    let start = scanner.offset
    let (text, isBase64) = try scanner.base64Text()
    guard isBase64 else {
      throw Failure(.usage, "a value of the line is not base64, at byte \(start)")
    }
    return scanner.bytes(ofBase64: text)
  }

  fileprivate static func isNull(_ scanner: inout JSONScanner) throws -> Bool {
    guard scanner.peek() == UInt8(ascii: "n") else { return false }
    try scanner.null()
    return true
  }
}

extension AccountMap {
  // Shorter ones first.
  private static let columns = JSONKeys([
    "oid", "tid", "upn", "home_oid", "home_tid", "environment", "username_override",
  ])

  fileprivate init(_ scanner: inout JSONScanner) throws {
    var entries: [Entry] = []
    try scanner.array { scanner in
      entries.append(try Self.entry(&scanner))
    }
    do {
      try self.init(entries)
    } catch MigrationError.invalidPolicy(let sentence) {
      throw Failure(.usage, sentence)
    }
  }

  private static func entry(_ scanner: inout JSONScanner) throws -> Entry {
    var values: [String: String] = [:]
    var seen: Set<Int> = []
    try scanner.members(columns) { scanner, column, start in
      guard let column, seen.insert(column).inserted else {
        throw Failure(
          .usage, "the line's accountMap has a column that is unknown or twice, at byte \(start)")
      }
      if !(try StreamLine.isNull(&scanner)) {
        values[columns[column].description] = try scanner.string()
      }
    }
    return Entry { values[$0.rawValue] }
  }
}

extension JSONScanner {
  /// Reads an object; `member` gets which of the keys it is and where it stands, and consumes the value.
  fileprivate mutating func members(
    _ keys: JSONKeys, _ member: (inout JSONScanner, _ key: Int?, _ start: Int) throws -> Void
  ) throws {
    var isMore = try opensObject()
    while isMore {
      _ = peek()
      let start = offset
      let key = try keyText()
      try member(&self, position(of: key, among: keys), start)
      isMore = try continuesObject()
    }
  }
}
