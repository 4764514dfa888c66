// SPDX-License-Identifier: MIT

extension KeyedArchiveReader {
  /// The keys that archivers and Foundation's classes write.
  enum Key: Int, CaseIterable {
    case `class`, string, bytes, data, time, keys, values, relative, base
    case className, classNames, objects, top, root
    case number, boolean, integer, double

    static let null: StaticString = "$null"

    var name: StaticString {
      switch self {
      case .class: "$class"
      case .string: "NS.string"
      case .bytes: "NS.bytes"
      case .data: "NS.data"
      case .time: "NS.time"
      case .keys: "NS.keys"
      case .values: "NS.objects"
      case .relative: "NS.relative"
      case .base: "NS.base"
      case .className: "$classname"
      case .classNames: "$classes"
      case .objects: "$objects"
      case .top: "$top"
      case .root: "root"
      case .number: "NS.number"
      case .boolean: "NS.boolval"
      case .integer: "NS.intval"
      case .double: "NS.dblval"
      }
    }
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
  }
}

extension KeyedArchiveReader.ClassRecord.Kind {
  /// How an object is read whose class has the name `name`.
  static func of(_ name: KeyedArchiveReader.Value, in list: inout BinaryPropertyList) -> Self {
    func isNamed(_ spelling: StaticString) -> Bool { list.isSpelled(name, spelling) }
    switch name.count {
    case 5: return isNamed("NSURL") ? .url : isNamed("NSSet") ? .set : .other
    case 6:
      return isNamed("NSDate")
        ? .date : isNamed("NSData") ? .data : isNamed("NSNull") ? .null : .other
    case 7: return isNamed("NSArray") ? .array : .other
    case 8: return isNamed("NSString") ? .string : isNamed("NSNumber") ? .number : .other
    case 12:
      return isNamed("NSDictionary")
        ? .dictionary(isMutable: false) : isNamed("NSMutableSet") ? .set : .other
    case 13: return isNamed("NSMutableData") ? .data : .other
    case 14: return isNamed("NSMutableArray") ? .array : .other
    case 15: return isNamed("NSMutableString") ? .string : .other
    case 19: return isNamed("NSMutableDictionary") ? .dictionary(isMutable: true) : .other
    default: return .other
    }
  }
}
