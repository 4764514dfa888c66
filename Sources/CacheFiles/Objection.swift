// SPDX-License-Identifier: MIT
import CacheJSON

/// The reason why bytes cannot be read as something.
struct Objection: Error {
  /// The rest of a sentence. It contains nothing of the bytes.
  var words: String
}

extension Objection {
  /// The value of an item's attribute has another type than contract §3 requires. The text before names the item.
  static func unusable(_ attribute: String) -> Objection {
    Objection(words: "has an unusable \(attribute)")
  }

  /// An error of a JSON reader as an objection; nil if it is another error.
  init(_ error: any Error) {
    let place = (error as? JSONError).map { " at byte \($0.offset)" } ?? ""
    self = error as? Objection ?? Objection(words: "malformed JSON" + place)
  }
}

extension JSONScanner {
  /// Reads a value; nil for an object or an array, which is passed over.
  mutating func scalarIfAny() throws(JSONError) -> Scalar? {
    let next = peek()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else { return try scalar() }
    try skipValue()
    return nil
  }

  /// The keys of the first object of an array that has some; of a broken one, those before the break.
  static func keys(ofFirstIn bytes: [UInt8]) -> Set<String> {
    var reader = JSONScanner(bytes)
    var keys: Set<String> = []
    var isMore = (try? reader.opensArray()) ?? false
    while isMore, keys.isEmpty {
      // Any other content is damaged, and the reader of the list reports it.
      if reader.peek() == UInt8(ascii: "{") {
        try? reader.object { reader, key in
          keys.insert(key)
          try reader.skipValue()
        }
      } else {
        _ = try? reader.skipValue()
      }
      isMore = (try? reader.continuesArray()) ?? false
    }
    return keys
  }
}
