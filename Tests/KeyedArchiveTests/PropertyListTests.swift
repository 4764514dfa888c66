// SPDX-License-Identifier: MIT
import ArchiveBytes
import KeyedArchive
import Testing

/// The content of a well-formed property list, and the refusals of a malformed one.
@Suite struct PropertyListTests {
  private typealias Plist = PropertyListBytes

  private func object(_ bytes: [UInt8]) throws -> (BinaryPropertyList, BinaryPropertyList.Object) {
    var list = try BinaryPropertyList(Plist([bytes]).bytes)
    let object = try list.object(at: list.topIndex)
    return (list, object)
  }

  @Test(
    "integers of every width",
    arguments: [
      ([0x10, 0xFF], 255), ([0x11, 0xFF, 0xFE], 65534), ([0x12, 0x80, 0, 0, 0], 0x8000_0000),
      ([0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], -2),
      ([0x14] + Array(repeating: 0xFF, count: 15) + [0xFD], -3),
      ([0x14] + Array(repeating: 0, count: 15) + [7], 7),
      ([0x80, 200], 200),
    ] as [([UInt8], Int64)])
  func integers(bytes: [UInt8], value: Int64) throws {
    let (list, object) = try object(bytes)
    #expect(try list.integer(of: object) == value)
  }

  @Test func wideIntegers() throws {
    let (list, object) = try object(
      [0x14, 0, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0xFF, count: 8))
    #expect(try list.wideInteger(of: object) == (0, UInt64.max))
    #expect(throws: KeyedArchiveError(.integerOutOfRange, at: 0)) { try list.integer(of: object) }
  }

  @Test func reals() throws {
    var (list, object) = try object([0x22, 0x3F, 0xC0, 0, 0])
    #expect(try list.real(of: object) == 1.5)
    (list, object) = try self.object([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0])
    #expect(try list.real(of: object) == 1.5)
    (list, object) = try self.object([0x33, 0xC1, 0xCD, 0x27, 0xE4, 0x40, 0, 0, 0])
    #expect(try list.real(of: object) == -978_307_200)
  }

  @Test func texts() throws {
    var (list, object) = try object(Plist.ascii("authority"))
    #expect(try list.text(of: object) == "authority")
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) { try list.slice(of: object) }
    (list, object) = try self.object([0x62, 0xD8, 0x3D, 0xDE, 0x00])
    #expect(try list.text(of: object) == "😀")
    (list, object) = try self.object([0x61, 0xD8, 0x3D])
    #expect(throws: KeyedArchiveError(.malformedString, at: 0)) { try list.text(of: object) }
    for lone in [[0x61, 0xDE, 0x00], [0x62, 0xD8, 0x3D, 0, 0x20]] as [[UInt8]] {
      (list, object) = try self.object(lone)
      #expect(throws: KeyedArchiveError(.malformedString, at: 0)) { try list.text(of: object) }
    }
    (list, object) = try self.object([0x51, 0x80])
    #expect(throws: KeyedArchiveError(.malformedString, at: 0)) { try list.text(of: object) }
    (list, object) = try self.object([0x42, 1, 2])
    #expect(try list.slice(of: object) == [1, 2])
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) { try list.text(of: object) }
  }

  @Test func truncation() throws {
    let whole = Plist([Plist.container(0xA0, [1]), Plist.ascii("text")]).bytes
    for count in 0..<whole.count {
      #expect(throws: KeyedArchiveError.self) {
        var list = try BinaryPropertyList(Array(whole.prefix(count)))
        _ = try list.object(at: list.topIndex)
      }
    }
  }

  @Test func overlap() throws {
    // The string claims the bytes of the next object.
    var plist = Plist([[0x53, 0x61], [0x52, 0x62, 0x63]])
    var list = try BinaryPropertyList(plist.bytes)
    #expect(throws: KeyedArchiveError(.overlappingObjects, at: 0)) { try list.object(at: 0) }
    _ = try list.object(at: 1)
    // The same with a table that does not ascend.
    plist.offsets = [0: 10, 1: 8]
    list = try BinaryPropertyList(plist.bytes)
    _ = try list.object(at: 0)
    #expect(throws: KeyedArchiveError(.overlappingObjects, at: 0)) { try list.object(at: 1) }
    // Two entries for one object.
    plist.offsets = [0: 10, 1: 10]
    list = try BinaryPropertyList(plist.bytes)
    #expect(throws: KeyedArchiveError(.overlappingObjects, at: 0)) { try list.object(at: 0) }
  }

  @Test func aTextInsideATextIsNotShown() throws {
    // The capital R announces two letters of the text that it belongs to.
    let token = Plist.ascii("synthetic-Refresh")
    var plist = Plist([[0x51, 0x61], token, [0x51, 0x62], [0x08], [0x09]])
    func text(_ index: Int, _ offset: UInt64) throws -> String {
      plist.offsets = [index: offset]
      var list = try BinaryPropertyList(plist.bytes)
      return try list.text(of: try list.object(at: index))
    }
    let inside = UInt64(10 + token.count - 7)
    // The table still ascends, or it does not.
    for index in [2, 0, 3, 4] {
      #expect(throws: KeyedArchiveError(.overlappingObjects, at: 0)) { try text(index, inside) }
    }
    #expect(try text(2, UInt64(10 + token.count)) == "b")
    #expect(try text(0, 8) == "a")
  }

  @Test("offsets outside the objects", arguments: [0, 7, 12, 1 << 31] as [UInt64])
  func offsetOutOfRange(offset: UInt64) throws {
    var plist = Plist([[0x08], [0x09], [0x10, 1]])
    plist.offsets = [1: offset]
    var list = try BinaryPropertyList(plist.bytes)
    #expect(throws: KeyedArchiveError(.offsetOutOfRange, at: 0)) { try list.object(at: 1) }
    #expect(try list.object(at: 0).kind == .boolean)
    #expect(try list.object(at: 2).kind == .integer)
  }

  @Test(
    "markers that no property list has",
    arguments: [
      [0x01], [0x0F], [0x15], [0x1F], [0x20], [0x24], [0x30], [0x32], [0x70], [0x88], [0x90],
      [0xB0],
      [0xE0], [0xF0], [0x5F, 0x20, 0], [0x5F, 0x14, 0], [0x4F],
    ] as [[UInt8]])
  func unknownMarkers(bytes: [UInt8]) throws {
    var list = try BinaryPropertyList(Plist([bytes, [0x33], Array(repeating: 0, count: 20)]).bytes)
    #expect(throws: KeyedArchiveError(.unknownMarker, at: 0)) { try list.object(at: 0) }
  }

  @Test("headers and trailers that lie")
  func trailers() throws {
    func code(_ change: (inout [UInt8]) -> Void) -> KeyedArchiveError.Code? {
      var bytes = Plist([[0x09]]).bytes
      change(&bytes)
      do {
        _ = try BinaryPropertyList(bytes)
        return nil
      } catch { return error.code }
    }
    let size = Plist([[0x09]]).bytes.count
    #expect(code { _ in } == nil)
    #expect(code { $0[7] = 0x31 } == .notAPropertyList)
    #expect(code { $0 = Array($0.prefix(12)) } == .truncated)
    for (place, value) in [
      (-26, 0), (-26, 9), (-25, 0), (-25, 9), (-17, 0), (-17, 2), (-24, 0x80),
      (-9, 1), (-16, 0x80), (-1, 8), (-1, 10), (-1, 255), (-8, 0x80),
    ] as [(Int, UInt8)] {
      #expect(code { $0[size + place] = value } == .malformedTrailer, "\(place) \(value)")
    }
  }

  @Test func references() throws {
    var list = try BinaryPropertyList(Plist([Plist.container(0xD0, [1, 9]), [0x09]]).bytes)
    let dictionary = try list.object(at: 0)
    #expect(try list.reference(0, of: dictionary) == 1)
    #expect(throws: KeyedArchiveError(.referenceOutOfRange, at: 0)) {
      try list.reference(1, of: dictionary)
    }
    for position in [-1, 2] {
      #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) {
        try list.reference(position, of: dictionary)
      }
    }
    for index in [-1, 2] {
      #expect(throws: KeyedArchiveError(.referenceOutOfRange, at: 0)) { try list.object(at: index) }
    }
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) { try list.real(of: dictionary) }
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) { try list.integer(of: dictionary) }
  }

  @Test("an offset table in any order, of any width", arguments: 1...8)
  func tables(width: Int) throws {
    var plist = Plist([[0x10, 7], Plist.ascii("a longer text"), [0x09]])
    plist.offsetWidth = width
    var list = try BinaryPropertyList(plist.bytes)
    #expect(try list.integer(of: try list.object(at: 0)) == 7)
    plist.offsets = [0: 10, 1: 8]
    list = try BinaryPropertyList(plist.bytes)
    var object = try list.object(at: 0)
    #expect(try list.text(of: object) == "a longer text")
    object = try list.object(at: 1)
    #expect(try list.integer(of: object) == 7)
  }

  @Test func objectsOverAWordOfStarts() throws {
    // A string of 200 bytes, and another object that claims to begin inside it.
    let text = Plist.ascii(String(repeating: "t", count: 200))
    var plist = Plist([[0x09], text, [0x08], [0x08]])
    plist.offsets = [0: 9, 1: 8]
    plist.offsets = [2: 190]
    var list = try BinaryPropertyList(plist.bytes)
    #expect(throws: KeyedArchiveError(.overlappingObjects, at: 0)) { try list.object(at: 1) }
    plist.offsets = [2: 8, 0: 219]
    list = try BinaryPropertyList(plist.bytes)
    let object = try list.object(at: 1)
    #expect(try list.text(of: object).count == 200)
  }

  @Test("counts of more than there is", arguments: [0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0] as [UInt8])
  func announcedCounts(kind: UInt8) throws {
    for count in [100, 1 << 32, 1 << 60, 1 << 63, .max] as [UInt64] {
      var list = try BinaryPropertyList(Plist([Plist.head(kind, count)]).bytes)
      #expect(throws: KeyedArchiveError(.truncated, at: 0)) { try list.object(at: 0) }
    }
    // Into the offset table, but not beyond the input.
    var list = try BinaryPropertyList(Plist([[kind | 3]]).bytes)
    #expect(throws: KeyedArchiveError(.truncated, at: 0)) { try list.object(at: 0) }
  }

  @Test func anOffsetThatNoIntHolds() throws {
    var plist = Plist([[0x09], [0x08]])
    plist.offsetWidth = 8
    plist.offsets = [1: .max]
    var list = try BinaryPropertyList(plist.bytes)
    #expect(try list.object(at: 0).count == 1)
    #expect(throws: KeyedArchiveError(.offsetOutOfRange, at: 0)) { try list.object(at: 1) }
  }
}
