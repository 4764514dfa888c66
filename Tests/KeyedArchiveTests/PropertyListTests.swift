// SPDX-License-Identifier: MIT
import ArchiveBytes
import KeyedArchive
import Testing

/// What a well-formed property list holds, and what is refused about one that is not.
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
    #expect(throws: KeyedArchiveError(.wrongKind, at: 0)) { try list.bytes(of: object) }
    (list, object) = try self.object([0x62, 0xD8, 0x3D, 0xDE, 0x00])
    #expect(try list.text(of: object) == "😀")
    (list, object) = try self.object([0x61, 0xD8, 0x3D])
    #expect(throws: KeyedArchiveError(.malformedString, at: 0)) { try list.text(of: object) }
    (list, object) = try self.object([0x51, 0x80])
    #expect(throws: KeyedArchiveError(.malformedString, at: 0)) { try list.text(of: object) }
    (list, object) = try self.object([0x42, 1, 2])
    #expect(try list.bytes(of: object) == [1, 2])
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

  @Test("offsets outside the objects", arguments: [0, 7, 12, 1 << 31] as [UInt64])
  func offsetOutOfRange(offset: UInt64) throws {
    var plist = Plist([[0x08], [0x09], [0x10, 1]])
    plist.offsets = [1: offset]
    var list = try BinaryPropertyList(plist.bytes)
    #expect(throws: KeyedArchiveError(.offsetOutOfRange, at: 0)) { try list.object(at: 1) }
    #expect(try list.object(at: 0).kind == .boolean)
    #expect(try list.object(at: 2).kind == .integer)
  }
}
