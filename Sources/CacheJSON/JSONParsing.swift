// SPDX-License-Identifier: MIT

extension JSONValue {
  /// The rules for input that the standard leaves open.
  package enum Rules: Sendable {
    /// The value will be written again. A key that one object names twice is refused, because one of its values would
    /// be lost. A byte order mark is refused too.
    case strict
    /// NSJSONSerialization's: the last value of a key wins, a byte order mark is skipped.
    case apple
  }

  // A value takes up to a hundred bytes of memory and can have two in the text. Honest caches have at
  // least sixteen for each; this many may be as short as they like.
  package static let shortValueLimit = 1 << 18

  /// The value of this JSON text, by these rules.
  package init(_ bytes: [UInt8], rules: Rules = .strict) throws(JSONError) {
    guard bytes.withUnsafeBufferPointer(\.isUTF8) else {
      throw JSONError(code: .notUTF8, offset: 0)
    }
    if rules == .strict, bytes.starts(with: JSONScanner.byteOrderMark) {
      throw JSONError(code: .byteOrderMark, offset: 0)
    }
    var scanner = JSONScanner(bytes)
    guard scanner.peek() != nil else { throw scanner.error(.empty) }
    var valuesLeft = max(bytes.count / 16, Self.shortValueLimit)
    self = try scanner.value(rules, depth: 0, &valuesLeft)
    try scanner.expectEnd()
  }
}

extension JSONScanner {
  /// Reads a value inside of so many others.
  fileprivate mutating func value(
    _ rules: JSONValue.Rules, depth: Int, _ valuesLeft: inout Int
  ) throws(JSONError) -> JSONValue {
    let first = peek()
    guard depth < Self.depthLimit else { throw error(.tooDeep) }
    guard valuesLeft > 0 else { throw error(.tooManyValues) }
    valuesLeft -= 1
    switch first {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      var isMore = try opensObject()
      while isMore {
        let start = offset
        let key = try key()
        let value = try value(rules, depth: depth + 1, &valuesLeft)
        if members.updateValue(value, forKey: key) != nil, rules == .strict {
          throw JSONError(code: .duplicateKey, offset: start)
        }
        isMore = try continuesObject()
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      var isMore = try opensArray()
      while isMore {
        elements.append(try value(rules, depth: depth + 1, &valuesLeft))
        isMore = try continuesArray()
      }
      return .array(elements)
    default:
      switch try scalar() {
      case .null: return .null
      case .bool(let flag): return .bool(flag)
      case .number(let digits): return JSONValue(number: digits)
      case .string(let text): return .string(text)
      }
    }
  }
}

extension JSONValue {
  /// The number that JSON spells so, in the case that holds it exactly.
  package init(number text: String) {
    let utf8 = text.utf8
    if utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isDigit }) {
      self = Int64(text).map { .integer($0) } ?? .digits(text)
      return
    }
    // A double holds any 15 significant digits, which zeros at the ends are not; more may not survive.
    let mantissa = utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    var digits = mantissa.filter(\.isDigit)[...].drop { $0 == UInt8(ascii: "0") }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.count <= 15, let number = Double(text), number.isFinite,
      number != 0 || digits.isEmpty
    {
      self = .number(number)
    } else {
      self = .digits(text)
    }
  }
}
