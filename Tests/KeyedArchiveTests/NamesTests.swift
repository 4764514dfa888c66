// SPDX-License-Identifier: MIT
import ArchiveBytes
import Testing

@testable import KeyedArchive

/// Keys and classes that are known by number, at every length that a spelling can have.
@Suite struct NamesTests {
  private static let letters = "abcdefghijklmnopqrstuvwxyz"
  private static let lengths = Array(1...24)
  private static let names = Names(lengths.map { String(letters.prefix($0)) })

  /// The fields of an object with these keys, each with the number of its key for a value.
  private func fields(_ keys: [String]) throws -> (fields: [Int?], isDamaged: Bool) {
    var archive = ArchiveBytes(width: 1)
    let values = keys.map { ($0, archive.uid(archive.string("value of \($0)"))) }
    let root = archive.object("ADTokenCacheItem", values)
    var reader = try KeyedArchiveReader(archive.bytes(root: root), names: Self.names)
    guard
      case .object(let object, .other("ADTokenCacheItem")) = try reader.content(of: reader.root())
    else { throw KeyedArchiveError(.wrongKind, at: 0) }
    var references = [KeyedArchiveReader.Reference?](repeating: nil, count: 24)
    let isDamaged = try reader.readFields(of: object, into: &references)
    let found = references.map { reference in values.firstIndex { $0.1 == reference?.index } }
    return (found, isDamaged)
  }

  @Test func aNameOfAnyLengthIsFound() throws {
    let found = try fields(Self.lengths.reversed().map { String(Self.letters.prefix($0)) })
    #expect(found.fields == Array((0..<24).reversed()))
    #expect(!found.isDamaged)
  }

  /// A letter that is another, at any place of a name of any length, makes it another name.
  @Test(arguments: lengths)
  func oneThatIsSpelledAlmostSoIsNot(length: Int) throws {
    let others = (0..<length).map { place in
      Self.letters.prefix(place) + "_" + Self.letters.prefix(length).dropFirst(place + 1)
    }
    let found = try fields(others.map { String($0) } + [Self.letters])
    #expect(found.fields == [Int?](repeating: nil, count: 24))
    #expect(!found.isDamaged)
  }
}
