// SPDX-License-Identifier: MIT

extension KeyedArchiveReader {
  /// The keys that archivers and Foundation's classes write, by their numbers in ``Names``.
  enum Key: Int, CaseIterable {
    case `class` = 3, string, bytes, data, time, keys, values, relative, base
    case className, classNames, objects, top, root
    case number, boolean, integer, double

    /// How they are spelled, in the same order.
    static let spellings: [StaticString] = [
      "$class", "NS.string", "NS.bytes", "NS.data", "NS.time", "NS.keys", "NS.objects",
      "NS.relative", "NS.base", "$classname", "$classes", "$objects", "$top", "root",
      "NS.number", "NS.boolval", "NS.intval", "NS.dblval",
    ]
    static let null: StaticString = "$null"
  }

  /// A class record that has been read.
  struct ClassRecord: Sendable {
    /// How an object of the class is read.
    enum Kind: Sendable {
      case string, data, date, dictionary(isMutable: Bool), array, set, url, number, null
      /// None of Foundation's.
      case other
    }

    /// How many are kept, since they are looked through one by one.
    static let limit = 32

    let index: Int
    let kind: Kind
    /// Empty for Foundation's.
    let name: String

    /// Foundation's classes.
    static let kinds: [(name: StaticString, kind: Kind)] = [
      ("NSString", .string), ("NSMutableString", .string), ("NSDate", .date),
      ("NSDictionary", .dictionary(isMutable: false)),
      ("NSMutableDictionary", .dictionary(isMutable: true)), ("NSURL", .url),
      ("NSNumber", .number), ("NSNull", .null), ("NSData", .data), ("NSMutableData", .data),
      ("NSArray", .array), ("NSMutableArray", .array), ("NSSet", .set), ("NSMutableSet", .set),
    ]
  }
}
