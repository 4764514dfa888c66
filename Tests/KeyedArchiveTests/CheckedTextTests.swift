// SPDX-License-Identifier: MIT
import ArchiveBytes
import Testing

@testable import KeyedArchive

/// A text that nobody needs is checked as one that is made.
@Suite struct CheckedTextTests {
  /// Fifteen letters, from which on a text is not made, and fewer.
  @Test(
    arguments: [
      PropertyListBytes.ascii("fifteen letters"), PropertyListBytes.ascii("fourteen chars"),
      PropertyListBytes.ascii(""), [0x51, 0xC3],
      [0x5F, 0x10, 15] + [UInt8](repeating: 0xC3, count: 15),
      [0x62, 0, 0x65, 0xD8, 0x3D], [0x62, 0, 0x65, 0, 0x66], [0x41, 0xC3], [0x41, 0x65],
      [0x4F, 0x10, 16] + [UInt8](repeating: 0x65, count: 16), [0x10, 5],
    ])
  func isCheckedAsItIsRead(string: [UInt8]) throws {
    var archive = ArchiveBytes(width: 1)
    let index = archive.add(string)
    let bytes = archive.bytes(root: index)
    func outcome(
      _ body: (inout KeyedArchiveReader, KeyedArchiveReader.Value) throws -> Void
    ) throws -> String {
      var reader = try KeyedArchiveReader(bytes)
      let value = try #require(try reader.value(of: reader.root()))
      var fault = ""
      do { try body(&reader, value) } catch { fault = "\(error)" }
      // Then it is read as bytes, too, so that it is a text that is kept secret.
      _ = try? reader.utf8(of: value)
      return "\(fault) \(reader.list.remainingMemory) \(reader.textsKeptSecret.map { Array($0) })"
    }
    let read = try outcome { reader, value in _ = try reader.text(of: value) }
    let checked = try outcome { reader, value in try reader.check(value) }
    #expect(checked == read)
  }
}
