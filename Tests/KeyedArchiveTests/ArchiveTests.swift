// SPDX-License-Identifier: MIT
import ArchiveBytes
import KeyedArchive
import Testing

/// The values of an archive, and the archives that are refused.
@Suite struct ArchiveTests {
  /// An archive, and the reference to its root.
  private struct Opened {
    var archive: KeyedArchiveReader
    let root: KeyedArchiveReader.Reference

    /// The archive whose root `body` makes.
    init(_ body: (inout ArchiveBytes) -> Int) throws {
      var bytes = ArchiveBytes()
      let index = body(&bytes)
      archive = try KeyedArchiveReader(bytes.bytes(root: index))
      root = try archive.root()
    }

    mutating func content() throws -> KeyedArchiveReader.Content { try archive.content(of: root) }
  }

  private func content(_ body: (inout ArchiveBytes) -> Int) throws -> KeyedArchiveReader.Content {
    var opened = try Opened(body)
    return try opened.content()
  }

  /// Why the value that `body` makes is refused; nil when it is not.
  private func refusal(_ body: (inout ArchiveBytes) -> Int) -> KeyedArchiveError.Code? {
    do {
      _ = try content(body)
      return nil
    } catch { return (error as? KeyedArchiveError)?.code }
  }

  private func text(_ body: (inout ArchiveBytes) -> Int) throws -> String? {
    var opened = try Opened(body)
    guard case .string(let value) = try opened.content() else { return nil }
    return try opened.archive.text(of: value)
  }

  private func object(
    _ name: String, _ key: String, _ value: [UInt8]
  ) -> (inout ArchiveBytes) -> Int {
    { $0.object(name, [(key, $0.add(value))]) }
  }

  private let half: [UInt8] = [0x23, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0]

  @Test func scalars() throws {
    #expect(try content { $0.add([0x00]) } == .null)
    #expect(try content { $0.object("NSNull", []) } == .null)
    #expect(try content { $0.add([0x08]) } == .boolean(false))
    #expect(try content { $0.add([0x09]) } == .boolean(true))
    #expect(try content { $0.add(half) } == .real(0.5))
    #expect(try content { $0.add([0x33] + half.dropFirst()) } == .date(0.5))
    #expect(try content(object("NSDate", "NS.time", half)) == .date(0.5))
    #expect(try content(object("NSDate", "NS.time", [0x10, 7])) == .date(7))
    #expect(try content(object("NSNumber", "NS.boolval", [0x09])) == .boolean(true))
    #expect(try content(object("NSNumber", "NS.dblval", half)) == .real(0.5))
    for make in [{ $0.add([0x10, 7]) }, object("NSNumber", "NS.intval", [0x10, 7])] {
      var opened = try Opened(make)
      guard case .integer(let value) = try opened.content() else {
        Issue.record("no integer")
        continue
      }
      #expect(try opened.archive.integer(of: value) == 7)
    }
  }

  @Test func texts() throws {
    #expect(try text { $0.string("text") } == "text")
    #expect(try text { $0.add([0x61, 0, 0xFC]) } == "ü")
    #expect(try text(object("NSString", "NS.string", [0x51, 0x61])) == "a")
    #expect(try text(object("NSMutableString", "NS.string", [0x61, 0, 0xFC])) == "ü")
    #expect(try text(object("NSString", "NS.bytes", [0x42, 0xC3, 0xBC])) == "ü")
    #expect(throws: KeyedArchiveError(.malformedString, at: 0)) {
      try text(object("NSString", "NS.bytes", [0x42, 0xC3, 0x28]))
    }
    // The text of `$null` is a null only where UID 0 says so.
    #expect(try text { $0.string("$null") } == "$null")
  }

  /// References whose bytes are the letters of `$null` are a list all the same.
  @Test func aListIsNoNull() throws {
    let letters = Array("$null".utf8)
    var archive = ArchiveBytes(width: 1)
    for _ in 0..<117 { _ = archive.add([0x09]) }
    var list = archive.list(root: archive.string("text"))
    let uid = try #require(list.objects.firstIndex { $0.first == 0x80 })
    list.objects[uid] = [0x80, 0]
    let null = try #require(list.objects.firstIndex(of: PropertyListBytes.ascii("$null")))
    list.objects[null] = [0xA0 | UInt8(letters.count)] + letters
    var reader = try KeyedArchiveReader(list.bytes)
    let root = try reader.root()
    guard case .array(let array) = try reader.content(of: root) else {
      Issue.record("no array")
      return
    }
    #expect(array.count == letters.count)
  }

  /// A key is the same key in every object, and of two that are spelled the same the first counts in each.
  @Test func theFirstOfTwoKeysCounts() throws {
    var opened = try Opened { archive in
      let yes = archive.add([0x09])
      let other = archive.add([0x66] + "$class".utf8.flatMap { [0, $0] })
      let key = archive.string("$class")
      let (first, second) = (archive.record("First"), archive.record("Second"))
      let one = archive.container(0xD0, [key, first])
      let both = archive.container(0xD0, [other, key, archive.string("is"), second, first, yes])
      return archive.container(0xA0, [archive.uid(one), archive.uid(both)])
    }
    guard case .array(let array) = try opened.content() else {
      Issue.record("no array")
      return
    }
    for (position, name) in ["First", "Second"].enumerated() {
      let element = try opened.archive.element(position, of: array)
      guard case .object(_, .other(name)) = try opened.archive.content(of: element) else {
        Issue.record("the class is not \(name)")
        continue
      }
    }
  }

  @Test func data() throws {
    for make in [
      { $0.add([0x42, 1, 2]) }, object("NSData", "NS.data", [0x42, 1, 2]),
      object("NSMutableData", "NS.bytes", [0x42, 1, 2]),
    ] {
      var opened = try Opened(make)
      guard case .data(let value) = try opened.content() else {
        Issue.record("no data")
        continue
      }
      #expect(try opened.archive.slice(of: value) == [1, 2])
    }
  }

  @Test func containers() throws {
    var opened = try Opened { archive in
      let list = archive.container(
        0xA0, [archive.uid(archive.string("b")), archive.uid(number: 0)])
      let values = [
        archive.uid(archive.object("NSArray", [("NS.objects", list)])),
        archive.uid(archive.object("NSMutableSet", [("NS.objects", list)])),
        archive.container(0xC0, [archive.string("b"), archive.uid(number: 0)]),
      ]
      return archive.dictionary(keys: values, values: values)
    }
    guard case .dictionary(let dictionary) = try opened.content() else {
      Issue.record("no dictionary")
      return
    }
    #expect(dictionary.count == 3 && !dictionary.isMutable)
    for position in 0..<3 {
      let pair = try opened.archive.pair(position, of: dictionary)
      #expect(pair.key == pair.value)
      let elements: KeyedArchiveReader.Value
      switch try opened.archive.content(of: pair.value) {
      case .array(let value) where position == 0: elements = value
      case .set(let value) where position > 0: elements = value
      default:
        Issue.record("no container")
        continue
      }
      #expect(elements.count == 2)
      let first = try opened.archive.element(0, of: elements)
      guard case .string(let text) = try opened.archive.content(of: first) else {
        Issue.record("no string")
        continue
      }
      #expect(try opened.archive.text(of: text) == "b")
      let second = try opened.archive.element(1, of: elements)
      #expect(try opened.archive.content(of: second) == .null)
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try opened.archive.element(2, of: elements)
      }
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try opened.archive.fields(of: elements)
      }
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try opened.archive.slice(of: elements)
      }
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try opened.archive.text(of: elements)
      }
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try opened.archive.integer(of: elements)
      }
    }
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
      try opened.archive.pair(3, of: dictionary)
    }
  }

  @Test func objects() throws {
    var opened = try Opened { archive in
      let name = archive.add([0x51, 0xFF])
      let keys = [archive.string("token"), name, archive.string("$class")]
      let values = [archive.add([0x09]), archive.add([0x08]), archive.record("Token")]
      return archive.container(0xD0, keys + values)
    }
    guard case .object(let object, let className) = try opened.content() else {
      Issue.record("no object")
      return
    }
    #expect(opened.archive.text(of: className) == "Token")
    let fields = try opened.archive.fields(of: object)
    #expect(fields.map { $0.name } == ["token", nil, "$class"])
    #expect(try opened.archive.content(of: fields[0].value) == .boolean(true))
    #expect(opened.archive.maximumDepth == 64)
    #expect(throws: KeyedArchiveError(.tooMuchMemory, at: 0)) {
      try opened.archive.keep(1 << 40, at: 0)
    }
  }

  @Test func classRecords() throws {
    func className(_ record: (inout ArchiveBytes) -> Int) throws -> String? {
      var opened = try Opened { archive in
        let record = record(&archive)
        return archive.container(0xD0, [archive.string("$class"), record])
      }
      guard case .object(_, let className) = try opened.content() else { return nil }
      return opened.archive.text(of: className)
    }
    #expect(try className { $0.record("Token") } == "Token")
    #expect(
      try className {
        let names = $0.container(0xA0, [$0.string("First"), $0.string("Second")])
        return $0.uid($0.container(0xD0, [$0.string("$classes"), names]))
      } == "First")
    let broken: [(inout ArchiveBytes) -> Int] = [
      { $0.uid(number: 0) }, { $0.uid($0.string("Token")) }, { $0.uid($0.container(0xD0, [])) },
      { $0.uid($0.container(0xD0, [$0.string("$classes"), $0.container(0xA0, [])])) },
    ]
    for record in broken {
      #expect(throws: KeyedArchiveError(.notAKeyedArchive, at: 0)) { try className(record) }
    }
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
      try className { $0.uid($0.container(0xD0, [$0.string("$classname"), $0.add([0x09])])) }
    }
  }

  @Test func oddValues() {
    #expect(
      refusal { $0.container(0xD0, [$0.string("key"), $0.string("value")]) } == .notAKeyedArchive)
    for (name, key, value) in [
      ("NSString", "NS.string", [0x40]), ("NSString", "NS.bytes", [0x50]),
      ("NSString", "x", [0x50]),
      ("NSData", "NS.data", [0x50]), ("NSDate", "NS.time", [0x50]), ("NSDate", "x", [0x09]),
      ("NSArray", "NS.objects", [0x09]), ("NSSet", "x", [0xA0]), ("NSURL", "NS.base", [0x50]),
      ("NSDictionary", "NS.keys", [0xA0]), ("NSDictionary", "NS.objects", [0xA0]),
      ("NSNumber", "NS.number", [0x50]), ("NSNumber", "x", [0x09]),
    ] as [(String, String, [UInt8])] {
      #expect(refusal(object(name, key, value)) == .wrongKind, "\(name) \(key)")
    }
    let huge = [0x14] + [UInt8](repeating: 0x7F, count: 16)
    #expect(refusal(object("NSDate", "NS.time", huge)) == .integerOutOfRange)
    #expect(
      refusal {
        let keys = $0.container(0xA0, [$0.string("key")])
        return $0.object(
          "NSDictionary", [("NS.keys", keys), ("NS.objects", $0.container(0xA0, []))])
      } == .wrongKind)
  }

  @Test func references() throws {
    #expect(refusal { $0.uid(number: 99) } == .wrongKind)
    func root(_ uid: [UInt8]) throws -> KeyedArchiveError.Code? {
      var bytes = ArchiveBytes()
      var list = bytes.list(root: bytes.string("text"))
      let place = try #require(list.objects.firstIndex { $0.first == 0x83 })
      list.objects[place] = uid
      var archive = try KeyedArchiveReader(list.bytes)
      let root = try archive.root()
      do { _ = try archive.content(of: root) } catch { return error.code }
      return nil
    }
    #expect(try root([0x80, 1]) == nil)
    #expect(try root([0x80, 0]) == nil)
    #expect(try root([0x80, 2]) == .referenceOutOfRange)
    // It would end in the next object.
    #expect(try root([0x81, 1]) == .overlappingObjects)
    #expect(try root([0x87] + [UInt8](repeating: 0, count: 7) + [1]) == nil)
    #expect(try root([0x87] + [UInt8](repeating: 0, count: 7) + [2]) == .referenceOutOfRange)
    #expect(try root([0x87] + [UInt8](repeating: 0xFF, count: 8)) == .integerOutOfRange)
    #expect(try root([0x88] + [UInt8](repeating: 0, count: 9)) == .unknownMarker)
  }

  @Test func wholeArchives() throws {
    typealias Plist = PropertyListBytes
    func code(_ objects: [[UInt8]]) -> KeyedArchiveError.Code? {
      do {
        var archive = try KeyedArchiveReader(Plist(objects, referenceWidth: 1).bytes)
        _ = try archive.root()
        return nil
      } catch { return error.code }
    }
    let names = [Plist.ascii("$objects"), Plist.ascii("$top"), Plist.ascii("root")]
    #expect(code([[0xD2, 1, 2, 4, 5]] + names + [[0xA0], [0xD1, 3, 3]]) == nil)
    #expect(code([[0xD2, 1, 2, 4, 5]] + names + [[0xA0], [0xD0]]) == .notAKeyedArchive)
    #expect(code([[0xD2, 1, 2, 5, 5]] + names + [[0xA0], [0xD0]]) == .notAKeyedArchive)
    #expect(code([[0xD2, 1, 2, 4, 4]] + names + [[0xA0], [0xD0]]) == .notAKeyedArchive)
    #expect(code([[0xD1, 1, 4]] + names + [[0xA0]]) == .notAKeyedArchive)
    #expect(code([[0xA0]]) == .notAKeyedArchive)
    #expect(code([[0xD1, 9, 9]]) == .referenceOutOfRange)
  }
}
