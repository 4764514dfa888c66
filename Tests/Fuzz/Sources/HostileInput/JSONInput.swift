// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation

/// Reads `bytes` as JSON, and sees that Foundation reads the same.
func readJSON(_ bytes: [UInt8]) throws {
  // Foundation takes zero bytes for another encoding than JSON's.
  guard !bytes.contains(0) else {
    return try promise((try? JSONValue(bytes)) == nil, "a zero byte is read")
  }
  let theirs = try? JSONSerialization.jsonObject(
    with: Data(bytes), options: [.fragmentsAllowed])
  let ours: JSONValue
  do {
    ours = try JSONValue(bytes)
  } catch {
    switch error.code {
    // JSON that Foundation accepts and a cache to be written again must not contain, and this package's own limits.
    case .byteOrderMark, .notUTF8, .duplicateKey, .loneSurrogate, .trailingComma, .tooDeep,
      .tooManyValues:
      return
    case .empty, .syntax, .trailingBytes:
      try promise(theirs == nil, "Foundation reads what is called \(error.code)")
      return
    }
  }
  guard let theirs else {
    try promise(hasDigits(ours), "Foundation does not read it")
    return
  }
  try promise(isSame(ours, theirs), "Foundation reads something else")
}

/// Whether a number is in it that only keeps its digits: Foundation refuses what no double comes near.
private func hasDigits(_ value: JSONValue) -> Bool {
  switch value {
  case .digits: true
  case .array(let elements): elements.contains(where: hasDigits)
  case .object(let members): members.values.contains(where: hasDigits)
  case .null, .bool, .integer, .number, .string: false
  }
}

/// Foundation rounds more often than once.
private func isAlmost(_ ours: Double, _ theirs: Any) -> Bool {
  guard let theirs = (theirs as? NSNumber)?.doubleValue else { return false }
  return !ours.isFinite || abs(ours - theirs) <= 1e-12 * abs(ours)
}

private func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
  switch ours {
  case .null: theirs is NSNull
  case .bool(let value): (theirs as? Bool) == value
  case .integer(let value): (theirs as? NSNumber)?.int64Value == value
  case .number(let value): isAlmost(value, theirs)
  case .digits(let text): isAlmost(Double(text) ?? .infinity, theirs)
  // As bytes: two texts that are spelled otherwise can be equal.
  case .string(let text): (theirs as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
  case .array(let elements):
    (theirs as? [Any]).map { list in
      list.count == elements.count && zip(elements, list).allSatisfy { isSame($0, $1) }
    } ?? false
  case .object(let members):
    (theirs as? [String: Any]).map { found in
      found.count == members.count
        && members.allSatisfy { key, value in found[key].map { isSame(value, $0) } ?? false }
    } ?? false
  }
}
