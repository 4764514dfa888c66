// SPDX-License-Identifier: MIT

/// An archive put together by hand: objects of a property list, and which of them UIDs can name.
public struct ArchiveBytes {
  /// Marker and content of each object; 0 is the outermost, 1 `$objects`, 2 the string `$null`.
  public var objects: [[UInt8]] = [[], [], PropertyListBytes.ascii("$null")]
  /// The objects that UIDs count, by index of the property list.
  public var named = [2]
  private var strings: [String: Int] = [:]
  /// Bytes of a reference and of a UID.
  private let width: Int

  public init(width: Int = 4) {
    self.width = width
  }

  /// Adds an object and returns its index.
  public mutating func add(_ bytes: [UInt8]) -> Int {
    objects.append(bytes)
    return objects.count - 1
  }

  public mutating func string(_ text: String) -> Int {
    if let known = strings[text] { return known }
    strings[text] = add(PropertyListBytes.ascii(text))
    return objects.count - 1
  }

  /// Adds a UID that names the object at `index`.
  public mutating func uid(_ index: Int) -> Int {
    named.append(index)
    return uid(number: named.count - 1)
  }

  /// Adds a UID of this number, which may name nothing.
  public mutating func uid(number: Int) -> Int {
    add([0x80 | UInt8(width - 1)] + PropertyListBytes.integer(UInt64(number), width: width))
  }

  public mutating func container(_ kind: UInt8, _ references: [Int]) -> Int {
    add(PropertyListBytes.container(kind, references, width: width))
  }

  /// Adds a class record and returns the index of a UID that names it.
  public mutating func record(_ className: String) -> Int {
    uid(container(0xD0, [string("$classname"), string(className)]))
  }

  /// Adds an archived object, its fields by index; a class record can be shared.
  public mutating func object(record: Int, _ fields: [(String, Int)]) -> Int {
    let keys = fields.map { string($0.0) } + [string("$class")]
    return container(0xD0, keys + fields.map(\.1) + [record])
  }

  public mutating func object(_ className: String, _ fields: [(String, Int)]) -> Int {
    object(record: record(className), fields)
  }

  public mutating func dictionary(keys: [Int], values: [Int]) -> Int {
    object(
      "NSDictionary",
      [("NS.keys", container(0xA0, keys)), ("NS.objects", container(0xA0, values))])
  }

  /// The archive whose root is the object at `root`.
  public func list(root: Int) -> PropertyListBytes {
    var copy = self
    let top = copy.container(0xD0, [copy.string("root"), copy.uid(root)])
    copy.objects[0] = PropertyListBytes.container(
      0xD0, [copy.string("$objects"), copy.string("$top"), 1, top], width: width)
    copy.objects[1] = PropertyListBytes.container(0xA0, copy.named, width: width)
    var list = PropertyListBytes(copy.objects, referenceWidth: width)
    list.offsetWidth = min(2 * width, 4)
    return list
  }

  public func bytes(root: Int) -> [UInt8] { list(root: root).bytes }
}
