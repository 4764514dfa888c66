// SPDX-License-Identifier: MIT
import Foundation

/// Writes NSKeyedArchiver's binary property lists, as ADAL's items are archived: what tests build their
/// caches with.
///
/// Apple's archiver cannot be used: on Linux it writes its own class names, and it would not write the
/// broken archives that tests need.
public struct ArchiveWriter {
  /// The values that can be archived.
  public indirect enum Value {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case mutableString(String)
    case data([UInt8])
    /// Unix seconds.
    case date(Double)
    case url(String)
    case dictionary([(String, Value)], mutable: Bool = true)
    case keyed([(Value, Value)])
    case array([Value])
    /// An object of a class, with its archived keys.
    case object(String, [(String, Value)])
  }

  private enum Node {
    case null, bool(Bool), integer(Int), real(Double)
    case string(String)
    case data([UInt8])
    case uid(Int)
    case array([Int])
    case dictionary([(Int, Int)])
  }

  /// The objects of the property list; references are indices.
  private var nodes: [Node] = []
  /// The `$objects` of the archive, as indices of nodes.
  private var objects: [Int] = []
  private var strings: [String: Int] = [:]
  private var classes: [String: Int] = [:]

  /// The archive of a root object.
  public static func archive(_ root: Value) -> [UInt8] {
    var writer = ArchiveWriter()
    return writer.write(root)
  }

  private mutating func write(_ root: Value) -> [UInt8] {
    let top = node(.null)
    objects.append(plainString("$null"))
    let rootUID = encode(root)
    let objectsArray = node(.array(objects))
    let topDictionary = node(.dictionary([(plainString("root"), node(.uid(rootUID)))]))
    nodes[top] = .dictionary([
      (plainString("$version"), node(.integer(100_000))),
      (plainString("$archiver"), plainString("NSKeyedArchiver")),
      (plainString("$top"), topDictionary), (plainString("$objects"), objectsArray),
    ])
    return serialise(top: top)
  }

  private mutating func node(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func plainString(_ text: String) -> Int {
    if let there = strings[text] { return there }
    let index = node(.string(text))
    strings[text] = index
    return index
  }

  /// Archives a value and gives its UID.
  private mutating func encode(_ value: Value) -> Int {
    switch value {
    case .null: return 0
    case .bool(let flag): return object(node(.bool(flag)))
    case .integer(let number): return object(node(.integer(number)))
    case .string(let text): return object(node(.string(text)))
    case .mutableString(let text):
      return keyedObject("NSMutableString", ["NSString"], [("NS.string", node(.string(text)))])
    case .data(let bytes): return object(node(.data(bytes)))
    case .date(let seconds):
      return keyedObject("NSDate", [], [("NS.time", node(.real(seconds - 978_307_200)))])
    case .url(let text):
      let relative = encode(.string(text))
      return keyedObject(
        "NSURL", [], [("NS.base", node(.uid(0))), ("NS.relative", node(.uid(relative)))])
    case .dictionary(let members, let isMutable):
      return dictionary(members.map { (.string($0.0), $0.1) }, isMutable: isMutable)
    case .keyed(let members): return dictionary(members, isMutable: true)
    case .array(let elements):
      let uids = elements.map { element in
        let uid = encode(element)
        return node(.uid(uid))
      }
      return keyedObject("NSArray", [], [("NS.objects", node(.array(uids)))])
    case .object(let name, let members):
      // The place of the object comes before those of its members, as the archiver numbers them.
      let index = node(.null)
      let uid = object(index)
      let fields = members.map { key, value -> (Int, Int) in
        if case .bool(let flag) = value { return (plainString(key), node(.bool(flag))) }
        let member = encode(value)
        return (plainString(key), node(.uid(member)))
      }
      let record = classRecord(name, [])
      nodes[index] = .dictionary(fields + [(plainString("$class"), node(.uid(record)))])
      return uid
    }
  }

  private mutating func object(_ index: Int) -> Int {
    objects.append(index)
    return objects.count - 1
  }

  private mutating func dictionary(_ members: [(Value, Value)], isMutable: Bool) -> Int {
    var keys: [Int] = []
    var values: [Int] = []
    for (key, value) in members {
      let keyUID = encode(key)
      let valueUID = encode(value)
      keys.append(node(.uid(keyUID)))
      values.append(node(.uid(valueUID)))
    }
    return keyedObject(
      isMutable ? "NSMutableDictionary" : "NSDictionary", isMutable ? ["NSDictionary"] : [],
      [("NS.keys", node(.array(keys))), ("NS.objects", node(.array(values)))])
  }

  private mutating func keyedObject(
    _ name: String, _ parents: [String], _ fields: [(String, Int)]
  ) -> Int {
    let record = classRecord(name, parents + ["NSObject"])
    let members = fields.map { (plainString($0.0), $0.1) }
    return object(node(.dictionary(members + [(plainString("$class"), node(.uid(record)))])))
  }

  private mutating func classRecord(_ name: String, _ parents: [String]) -> Int {
    if let there = classes[name] { return there }
    var fields = [(plainString("$classname"), plainString(name))]
    if !parents.isEmpty {
      let chain = ([name] + parents).map { plainString($0) }
      fields.append((plainString("$classes"), node(.array(chain))))
    }
    let uid = object(node(.dictionary(fields)))
    classes[name] = uid
    return uid
  }

  private func serialise(top: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    let referenceSize = nodes.count < 256 ? 1 : 2
    for node in nodes {
      offsets.append(bytes.count)
      append(node, to: &bytes, referenceSize)
    }
    let table = bytes.count
    for offset in offsets { append(offset, width: 4, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)]
    append(nodes.count, width: 8, to: &bytes)
    append(top, width: 8, to: &bytes)
    append(table, width: 8, to: &bytes)
    return bytes
  }

  private func append(_ node: Node, to bytes: inout [UInt8], _ referenceSize: Int) {
    switch node {
    case .null: bytes.append(0x00)
    case .bool(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .integer(let number):
      bytes.append(0x13)
      append(number, width: 8, to: &bytes)
    case .real(let number):
      bytes.append(0x23)
      append(Int(bitPattern: UInt(number.bitPattern)), width: 8, to: &bytes)
    case .string(let text):
      // A text with as many units in both is ASCII.
      if text.utf8.count == text.utf16.count {
        marker(0x50, count: text.utf8.count, to: &bytes)
        bytes += text.utf8
      } else {
        marker(0x60, count: text.utf16.count, to: &bytes)
        for unit in text.utf16 { append(Int(unit), width: 2, to: &bytes) }
      }
    case .data(let data):
      marker(0x40, count: data.count, to: &bytes)
      bytes += data
    case .uid(let uid):
      bytes.append(0x81)
      append(uid, width: 2, to: &bytes)
    case .array(let elements):
      marker(0xA0, count: elements.count, to: &bytes)
      for element in elements { append(element, width: referenceSize, to: &bytes) }
    case .dictionary(let members):
      marker(0xD0, count: members.count, to: &bytes)
      for member in members { append(member.0, width: referenceSize, to: &bytes) }
      for member in members { append(member.1, width: referenceSize, to: &bytes) }
    }
  }

  private func marker(_ kind: UInt8, count: Int, to bytes: inout [UInt8]) {
    if count < 15 {
      bytes.append(kind | UInt8(count))
    } else {
      bytes += [kind | 0x0F, 0x12]
      append(count, width: 4, to: &bytes)
    }
  }

  private func append(_ number: Int, width: Int, to bytes: inout [UInt8]) {
    var shift = 8 * width
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
