// SPDX-License-Identifier: MIT
import CacheJSON

// Anonymizes the output of macOS's `security dump-keychain`. Values are replaced and spelled as the tool spells bytes.
// Names of attributes, classes, dates and numbers stay.
extension CacheScrub {
  mutating func dump(_ bytes: [UInt8]) -> [UInt8]? {
    guard DumpLine.beginsDump(bytes) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var item: [DumpLine] = []
    var isDataNext = false
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = DumpLine(line, isData: isDataNext)
      isDataNext = line.announcesData
      if line.beginsItem {
        write(item, to: &result)
        item = []
      }
      item.append(line)
    }
    write(item, to: &result)
    // Between lines, and not behind the last.
    return Array(result.dropLast())
  }

  private mutating func write(_ lines: [DumpLine], to result: inout [UInt8]) {
    func value(_ name: String) -> [UInt8]? { lines.first { $0.name == name }?.value }
    let facts = ItemFacts(
      generic: value("gena"), claims: claims(of: lines.first { $0.isData }?.value))
    for line in lines {
      result += spelled(line, facts)
      result.append(0x0A)
    }
  }

  private mutating func spelled(_ line: DumpLine, _ facts: ItemFacts) -> [UInt8] {
    guard let value = line.value else { return line.isFrame ? line.bytes : bytes(line.bytes) }
    if line.isKept { return line.bytes }
    return line.start + DumpLine.printed(changed(value, named: line.name ?? "", facts))
  }

  private mutating func changed(_ value: [UInt8], named name: String, _ facts: ItemFacts)
    -> [UInt8]
  {
    guard let text = String(validatingUTF8Bytes: value) else { return bytes(value) }
    switch name {
    case "acct": return Array(account(text, facts).utf8)
    case "svce": return Array(service(text, facts).utf8)
    case "labl": return Array(self.text(text, .name).utf8)
    default: return bytes(value)
    }
  }
}

/// A line of a dump: its value, and the text before it.
struct DumpLine {
  let bytes: [UInt8]
  let isData: Bool
  private(set) var name: String?
  private(set) var start: [UInt8] = []
  private(set) var value: [UInt8]?
  /// Whether the value says nothing of a user: a date, a number, a kind.
  private(set) var isKept = false

  private static let keychain = Array("keychain: ".utf8)
  private static let itemClass = Array("class: ".utf8)
  private static let indent = Array("    ".utf8)
  private static let quote = UInt8(ascii: "\"")
  /// The label has a number in the place of a name.
  private static let label = "0x00000007 "
  /// The names of attributes, as the tool spells them: of a generic or an Internet password, a key or a
  /// certificate.
  static let attributes: Set<String> = Set(
    """
    acct agrp atyp cdat cenc crtr ctyp cusi desc gena hpky icmt invi issu mdat nega pdmn port prot
    ptcl path sdmn labl scrp skid snbr srvr subj svce sync tomb type UUID vers
    """.split(whereSeparator: \.isWhitespace).map { "\"\($0)\"" }
      + (UInt8(0)...0x1B).map { "0x000000\(Hexadecimal.text(of: [$0]).uppercased()) " })
  static let types: Set<String> = ["blob", "timedate", "uint32", "sint32"]

  static func beginsDump(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: keychain + [quote]) || bytes.starts(with: keychain + Array("0x".utf8))
  }

  init(_ line: ArraySlice<UInt8>, isData: Bool) {
    bytes = Array(line)
    self.isData = isData
    let place: Int
    var type = ""
    if isData {
      place = line.startIndex
    } else if line.starts(with: Self.keychain) {
      place = line.startIndex + Self.keychain.count
    } else if line.starts(with: Self.itemClass) {
      place = line.startIndex + Self.itemClass.count
      type = "class"
    } else if line.starts(with: Self.indent), let open = line.firstIndex(of: UInt8(ascii: "<")),
      let close = line[open...].firstIndex(of: UInt8(ascii: ">")),
      line[(close + 1)...].first == UInt8(ascii: "=")
    {
      let spelled = String(decoding: line[(line.startIndex + 4)..<open], as: UTF8.self)
      type = String(decoding: line[(open + 1)..<close], as: UTF8.self)
      guard Self.attributes.contains(spelled), Self.types.contains(type) else { return }
      name = spelled == Self.label ? "labl" : spelled.filter { $0 != "\"" }
      place = close + 2
    } else {
      return
    }
    start = Array(line[..<place])
    value = Self.value(line[place...])
    isKept = value.map { Self.isKept($0, type) } ?? false
  }

  /// A date of the keychain's, a number that is no text, or a kind.
  private static func isKept(_ value: [UInt8], _ type: String) -> Bool {
    switch type {
    case "timedate":
      value.count == 16 && value.last == 0
        && Datum.isOne(String(decoding: value.dropLast(), as: UTF8.self))
    case "class", "uint32", "sint32":
      value.count == 4
        && (Datum.isOne(String(decoding: value, as: UTF8.self))
          || type != "class" && !value.allSatisfy { (0x20...0x7E).contains($0) })
    default: false
    }
  }

  var beginsItem: Bool { bytes.starts(with: Self.keychain) && !isData }
  var announcesData: Bool { bytes == Array("data:".utf8) && !isData }

  /// Whether it is the same in every dump.
  var isFrame: Bool {
    let isNull = bytes.dropFirst(start.count).elementsEqual("<NULL>".utf8)
    return announcesData || name != nil && isNull
      || ["", "attributes:", "version: 512", "version: 256"]
        .contains { bytes.elementsEqual($0.utf8) }
  }

  /// The bytes of a value as `security` prints them; nil for other text.
  private static func value(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.first == quote {
      return text.count > 1 && text.last == quote ? Array(text.dropFirst().dropLast()) : nil
    }
    guard text.starts(with: "0x".utf8) else { return nil }
    return Hexadecimal.bytes(text.dropFirst(2).prefix { $0 != 0x20 })
  }

  /// Bytes as `security` prints them: printable ASCII in quotation marks; anything else in hexadecimal digits, followed
  /// by a readable text with octal escapes.
  static func printed(_ bytes: [UInt8]) -> [UInt8] {
    func isText(_ byte: UInt8) -> Bool {
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
    }
    let hasText = bytes.contains(where: isText)
    var result: [UInt8] = []
    if !bytes.allSatisfy(isText) {
      result += "0x\(Hexadecimal.text(of: bytes).uppercased())\(hasText ? "  " : " ")".utf8
    }
    guard hasText else { return result }
    result.append(quote)
    for byte in bytes {
      if isText(byte) {
        result.append(byte)
      } else {
        let digits = String(byte, radix: 8)
        result += "\\\(String(repeating: "0", count: 3 - digits.count))\(digits)".utf8
      }
    }
    return result + [quote]
  }
}
