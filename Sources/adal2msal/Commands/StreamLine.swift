// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

/// Why a line has no report: a sentence of a fixed list with a place, and nothing of what came in.
struct LineFault: Error {
  var status: ExitStatus
  var sentence: String

  init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }
}

/// A line of a stream: a cache, or the question who is there.
struct StreamLine {
  /// The id as it is spelled, as soon as it is read.
  private(set) var id: ArraySlice<UInt8>?
  private(set) var cache: [UInt8] = []
  /// What the target holds now, or nil when that is not said.
  private(set) var target: [UInt8]?
  private(set) var accountMap: AccountMap?
  private(set) var intoGroup: String?
  /// Whether it asks who is there.
  private(set) var isHello = false

  // Shorter ones first.
  private static let keys = JSONKeys([
    "id", "cache", "hello", "target", "intoGroup", "accountMap",
  ])

  /// Reads a line. What was read before a fault stays.
  mutating func read(_ bytes: [UInt8]) throws(LineFault) {
    do {
      try readMembers(bytes)
    } catch let fault as LineFault {
      throw fault
    } catch let error as JSONError {
      throw LineFault(.usage, "the line is not a JSON object: \(error)")
    } catch {
      throw LineFault(.bug, LineFault.bug)
    }
  }

  private mutating func readMembers(_ bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes)
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw LineFault(.usage, "the line is not a JSON object, at byte \(scanner.offset)")
    }
    var seen: Set<Int> = []
    var isMore = try scanner.opensObject()
    while isMore {
      _ = scanner.peek()
      let start = scanner.offset
      let key = try scanner.keyText()
      guard let key = scanner.position(of: key, among: Self.keys) else {
        throw LineFault(.usage, "the line has an unknown key, at byte \(start)")
      }
      guard seen.insert(key).inserted else {
        throw LineFault(.usage, "the line has a key twice, at byte \(start)")
      }
      try readMember(Self.keys[key].description, &scanner, bytes)
      isMore = try scanner.continuesObject()
    }
    try scanner.expectEnd()
    if isHello {
      guard seen.count == 1 else { throw LineFault(.usage, "a hello has no other keys") }
    } else {
      guard id != nil else { throw LineFault(.usage, "the line has no id") }
      guard seen.contains(1) else { throw LineFault(.usage, "the line has no cache") }
    }
  }

  private mutating func readMember(
    _ key: String, _ scanner: inout JSONScanner, _ bytes: [UInt8]
  ) throws {
    switch key {
    case "id": id = try Self.id(&scanner, bytes)
    case "hello":
      guard try scanner.number() == "1" else {
        throw LineFault(.usage, "the hello is of another version than 1")
      }
      isHello = true
    case "cache": cache = try Self.base64(&scanner)
    case "target":
      if !(try Self.isNull(&scanner)) { target = try Self.base64(&scanner) }
    case "intoGroup":
      if try Self.isNull(&scanner) { break }
      let group = try scanner.string()
      guard !group.isEmpty else { throw LineFault(.usage, "the line's intoGroup is empty") }
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
        throw LineFault(
          .usage, "the line's id is neither a text nor a whole number, at byte \(start)")
      }
    }
    return bytes[start..<scanner.offset]
  }

  private static func base64(_ scanner: inout JSONScanner) throws -> [UInt8] {
    _ = scanner.peek()
    let start = scanner.offset
    let text = try scanner.text()
    guard let decoded = scanner.base64(of: text, .standard) else {
      throw LineFault(.usage, "a value of the line is not base64, at byte \(start)")
    }
    return decoded
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

  /// The rows of a line's map.
  fileprivate init(_ scanner: inout JSONScanner) throws {
    var entries: [Entry] = []
    try scanner.array { scanner in
      entries.append(try Self.entry(&scanner))
    }
    do {
      try self.init(entries)
    } catch MigrationError.invalidPolicy(let sentence) {
      throw LineFault(.usage, sentence)
    }
  }

  private static func entry(_ scanner: inout JSONScanner) throws -> Entry {
    var values = [String?](repeating: nil, count: columns.count)
    var seen: Set<Int> = []
    var isMore = try scanner.opensObject()
    while isMore {
      _ = scanner.peek()
      let start = scanner.offset
      let key = try scanner.keyText()
      guard let column = scanner.position(of: key, among: columns), seen.insert(column).inserted
      else {
        throw LineFault(
          .usage, "the line's accountMap has a column that is unknown or twice, at byte \(start)")
      }
      if !(try StreamLine.isNull(&scanner)) { values[column] = try scanner.string() }
      isMore = try scanner.continuesObject()
    }
    return Entry(
      homeOID: values[3] ?? "", homeTID: values[4] ?? "", tid: values[1], oid: values[0],
      upn: values[2], usernameOverride: values[6], environment: values[5])
  }
}

extension LineFault {
  static let bug = "a bug in adal2msal: this line could not be read"
}
