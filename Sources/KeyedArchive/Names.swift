// SPDX-License-Identifier: MIT

/// The names of keys and classes that a reader knows by number: the archiver's own, which are those of
/// ``KeyedArchiveReader/Name``, and from ``first`` on a caller's.
package struct Names: Sendable {
  /// The caller's names, in their order.
  private let texts: [String]
  private let spellings: [Spelling]
  // One more than the position of a spelling, or 0; it is in the first place from its hash on that was free.
  private let places: [UInt8]

  /// The number of an object that has not been looked at.
  static let unknown = 0
  /// The number of a sound text that is not one of the names.
  static let other = 1
  /// The number of an object that is not a readable text.
  static let damaged = 2
  /// The number of the first of the caller's names.
  static let first = KeyedArchiveReader.Name.null.rawValue + KeyedArchiveReader.Name.spellings.count

  /// The archiver's names alone.
  package static let none = Names([])

  /// The archiver's names, and behind them these, which have at most 24 ASCII letters each.
  package init(_ names: [String]) {
    texts = names
    precondition(names.allSatisfy { $0.utf8.count <= Spelling.limit })
    spellings = (KeyedArchiveReader.Name.spellings + names).compactMap { Spelling(Array($0.utf8)) }
    // Names are few and known when the code is written, so that no input makes them collide.
    var places = [UInt8](repeating: 0, count: 256)
    for (position, spelling) in spellings.enumerated() {
      var place = spelling.hash
      while places[place] != 0 { place = (place + 1) & 0xFF }
      places[place] = UInt8(position + 1)
    }
    self.places = places
  }

  /// The number of the name with this spelling; nil for another text.
  @inline(__always)
  func number(of spelling: Spelling) -> Int? {
    var place = spelling.hash
    while places[place] != 0 {
      let position = Int(places[place]) &- 1
      if spellings[position] == spelling {
        return KeyedArchiveReader.Name.null.rawValue &+ position
      }
      place = (place &+ 1) & 0xFF
    }
    return nil
  }

  /// The caller's name of this number; empty for another number.
  func text(_ number: Int) -> String {
    number < Self.first ? "" : texts[number &- Self.first]
  }
}

/// At most 24 letters, as integers that are compared at once.
struct Spelling: Sendable, Equatable {
  fileprivate static let limit = 24

  private let length: Int
  /// The first eight letters, with zeros behind the end.
  private let beginning: UInt64
  /// The ninth to the sixteenth letter where there are more than sixteen, else zero.
  private let middle: UInt64
  /// The last eight letters where there are more than eight, else zero.
  private let ending: UInt64

  /// A spelling of these letters; nil for more than 24.
  init?(_ letters: [UInt8]) {
    guard letters.count <= Self.limit else { return nil }
    func word(_ letters: ArraySlice<UInt8>) -> UInt64 {
      letters.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(64 - 8 * letters.count)
    }
    length = letters.count
    beginning = word(letters.prefix(8))
    middle = letters.count > 16 ? word(letters[8..<16]) : 0
    ending = letters.count > 8 ? word(letters.suffix(8)) : 0
  }

  /// The `length` bytes at `start`; nil for more than 24.
  @inline(__always)
  init?(_ reader: ByteReader, at start: Int, length: Int) throws(KeyedArchiveError) {
    guard length <= Self.limit else { return nil }
    self.length = length
    let first = try reader.word(at: start)
    if length > 8 {
      beginning = first
      middle = length > 16 ? try reader.word(at: start &+ 8) : 0
      ending = try reader.word(at: start &+ length &- 8)
    } else {
      beginning = first & (UInt64.max << UInt64(truncatingIfNeeded: 64 &- 8 &* length))
      (middle, ending) = (0, 0)
    }
  }

  var isASCII: Bool { (beginning | middle | ending) & 0x8080_8080_8080_8080 == 0 }

  /// A number below 256.
  @inline(__always)
  fileprivate var hash: Int {
    let mixed = (beginning ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 56)
  }
}

extension KeyedArchiveReader {
  /// The names that archivers write, by their numbers in ``Names``: the text that stands for nil, the keys of
  /// their objects, and Foundation's classes.
  enum Name: Int {
    case null = 3
    case `class`, string, bytes, data, time, keys, values, relative, base
    case className, classNames, objects, top, root
    case number, boolean, integer, double
    case stringClass, mutableStringClass, dateClass, dictionaryClass, mutableDictionaryClass
    case urlClass, numberClass, nullClass, dataClass, mutableDataClass
    case arrayClass, mutableArrayClass, setClass, mutableSetClass

    /// Their spellings, in the same order.
    static let spellings = [
      "$null",
      "$class", "NS.string", "NS.bytes", "NS.data", "NS.time", "NS.keys", "NS.objects",
      "NS.relative", "NS.base", "$classname", "$classes", "$objects", "$top", "root",
      "NS.number", "NS.boolval", "NS.intval", "NS.dblval",
      "NSString", "NSMutableString", "NSDate", "NSDictionary", "NSMutableDictionary",
      "NSURL", "NSNumber", "NSNull", "NSData", "NSMutableData",
      "NSArray", "NSMutableArray", "NSSet", "NSMutableSet",
    ]
  }
}
