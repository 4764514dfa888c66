// SPDX-License-Identifier: MIT

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

    /// How they are spelled, in the same order.
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
