// SPDX-License-Identifier: MIT
import CacheJSON

/// Why bytes are not what they are read as.
struct Objection: Error {
  /// The rest of a sentence; says nothing of what the bytes hold.
  var words: String

  init(words: String) {
    self.words = words
  }

  /// What a reader of JSON threw: an objection, or that it is none.
  init(_ error: any Error) {
    let place = (error as? JSONError).map { " at byte \($0.offset)" } ?? ""
    self = error as? Objection ?? Objection(words: "malformed JSON" + place)
  }
}

/// An attribute of a keychain item whose value is of another type than contract §3 says.
struct UnusableAttribute: Error {
  let name: String
}

extension JSONScanner {
  /// Reads a value; nil for an object or an array, which is passed over.
  mutating func scalarIfAny() throws(JSONError) -> Scalar? {
    let next = peek()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else { return try scalar() }
    try skipValue()
    return nil
  }

  /// The keys of the object that an array begins with; of a broken one, those before the break.
  static func keys(ofFirstIn bytes: [UInt8]) -> Set<String> {
    var reader = JSONScanner(bytes)
    var keys: Set<String> = []
    guard (try? reader.opensArray()) == true else { return [] }
    try? reader.object { reader, key in
      keys.insert(key)
      try reader.skipValue()
    }
    return keys
  }
}
