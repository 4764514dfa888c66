// SPDX-License-Identifier: MIT
import Foundation
import KeyedArchive

/// Prints what KeyedArchive reads, for a judge that reads the same bytes with other code.
///
/// The one argument names a file of inputs, each behind its length in four bytes, most significant
/// first. Each input gives two lines of JSON: the property list, and the archive behind it; where there
/// is none, an error's code. Numbers are told as text, reals and dates as their bits.
@main struct PlistDump {
  static func main() throws {
    guard let path = CommandLine.arguments.dropFirst().first else {
      FileHandle.standardError.write(Data("usage: plist-dump FILE\n".utf8))
      exit(64)
    }
    var rest = try Data(contentsOf: URL(fileURLWithPath: path))[...]
    while rest.count >= 4 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let bytes = [UInt8](rest.dropFirst(4).prefix(length))
      rest = rest.dropFirst(4 + length)
      print(try line { try PropertyListDump(bytes).value() })
      print(try line { try ArchiveDump(bytes).value() })
    }
  }

  private static func line(_ body: () throws -> Any) throws -> String {
    let value: Any
    do { value = try body() } catch let error as KeyedArchiveError {
      value = ["error": error.code.description]
    }
    let json = try JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    return String(decoding: json, as: UTF8.self)
  }
}

/// Every object of a property list that its outermost object leads to.
struct PropertyListDump {
  private var list: BinaryPropertyList
  private var path: [Int] = []

  init(_ bytes: [UInt8]) throws {
    list = try BinaryPropertyList(bytes)
  }

  consuming func value() throws -> Any {
    try value(at: list.topIndex)
  }

  private mutating func value(at index: Int) throws -> Any {
    let object = try list.object(at: index)
    switch object.kind {
    case .null: return ["null": true]
    case .boolean: return ["bool": object.count == 1]
    case .integer: return ["int": integer(try list.wideInteger(of: object))]
    case .uid: return ["uid": integer(try list.wideInteger(of: object))]
    case .real: return ["real": String(try list.real(of: object).bitPattern, radix: 16)]
    case .date: return ["date": String(try list.real(of: object).bitPattern, radix: 16)]
    case .data: return ["data": Data(try list.slice(of: object)).base64EncodedString()]
    case .ascii, .utf16: return ["text": try list.text(of: object)]
    case .array: return ["array": try elements(0..<object.count, of: object)]
    case .set: return ["set": try elements(0..<object.count, of: object)]
    case .dictionary:
      let all = try elements(0..<2 * object.count, of: object)
      return [
        "keys": Array(all.prefix(object.count)), "values": Array(all.dropFirst(object.count)),
      ]
    }
  }

  private mutating func elements(
    _ positions: Range<Int>, of container: BinaryPropertyList.Object
  ) throws -> [Any] {
    guard !path.contains(container.index) else { throw KeyedArchiveError(.cycle, at: 0) }
    guard path.count < list.limits.depth else { throw KeyedArchiveError(.tooDeep, at: 0) }
    path.append(container.index)
    defer { path.removeLast() }
    return try positions.map { try value(at: try list.reference($0, of: container)) }
  }

  /// The decimal digits of 128 bits with a sign.
  private func integer(_ value: (high: Int64, low: UInt64)) -> String {
    guard value.high < 0 else { return digits(UInt64(value.high), value.low) }
    let (low, carry) = (~value.low).addingReportingOverflow(1)
    return "-" + digits(UInt64(bitPattern: ~value.high) &+ (carry ? 1 : 0), low)
  }

  private func digits(_ high: UInt64, _ low: UInt64) -> String {
    guard high > 0 else { return String(low) }
    let (upper, rest) = high.quotientAndRemainder(dividingBy: 10)
    let (lower, digit) = UInt64(10).dividingFullWidth((rest, low))
    return digits(upper, lower) + String(digit)
  }
}

/// Every value of an archive that its root leads to, as ADAL's reader would see it.
struct ArchiveDump {
  private var archive: KeyedArchiveReader
  private var path: [Int] = []

  init(_ bytes: [UInt8]) throws {
    archive = try KeyedArchiveReader(bytes)
  }

  consuming func value() throws -> Any {
    try value(of: try archive.root())
  }

  private mutating func value(of reference: KeyedArchiveReader.Reference) throws -> Any {
    switch try archive.content(of: reference) {
    case .null: return ["null": true]
    case .boolean(let value): return ["bool": value]
    case .integer(let value): return ["int": String(try archive.integer(of: value))]
    case .real(let value): return ["real": String(value.bitPattern, radix: 16)]
    case .date(let value): return ["date": String(value.bitPattern, radix: 16)]
    case .string(let value): return ["text": try archive.text(of: value)]
    case .data(let value): return ["data": Data(try archive.slice(of: value)).base64EncodedString()]
    case .url(let relative, let base):
      try enter(reference.index)
      defer { path.removeLast() }
      return [
        "url": try value(of: relative),
        "base": try base.map { try value(of: $0) } ?? ["null": true],
      ]
    case .array(let value): return ["array": try elements(of: value)]
    case .set(let value): return ["set": try elements(of: value)]
    case .dictionary(let dictionary):
      try enter(dictionary.object.index)
      defer { path.removeLast() }
      var pairs: [Any] = []
      for position in 0..<dictionary.count {
        let pair = try archive.pair(position, of: dictionary)
        pairs.append([try value(of: pair.key), try value(of: pair.value)])
      }
      return ["pairs": pairs, "mutable": dictionary.isMutable]
    case .object(let object, let className):
      try enter(object.index)
      defer { path.removeLast() }
      var fields: [String: Any] = [:]
      for field in try archive.fields(of: object) where field.name != "$class" {
        guard let name = field.name else { throw KeyedArchiveError(.malformedString, at: 0) }
        if fields[name] == nil { fields[name] = try value(of: field.value) }
      }
      return ["class": archive.text(of: className), "fields": fields]
    }
  }

  private mutating func elements(of container: KeyedArchiveReader.Value) throws -> [Any] {
    try enter(container.index)
    defer { path.removeLast() }
    return try (0..<container.count).map { try value(of: try archive.element($0, of: container)) }
  }

  private mutating func enter(_ container: Int) throws {
    guard !path.contains(container) else { throw KeyedArchiveError(.cycle, at: 0) }
    guard path.count < archive.maximumDepth else { throw KeyedArchiveError(.tooDeep, at: 0) }
    path.append(container)
  }
}
