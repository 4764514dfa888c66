// SPDX-License-Identifier: MIT
import ADALCache
import CacheFiles
import Foundation
import KeychainItems
import KeyedArchive
import Testing

@testable import CacheScrub

/// A damaged archive says wrong things of its objects; a token goes all the same.
struct DamagedArchiveTests {
  /// The archive of a row, and a text in it that must go.
  private struct Sample {
    var archive: [UInt8]
    var list: BinaryPropertyList
    var secret: BinaryPropertyList.Object

    var text: [UInt8] { Array(archive[secret.contentRange]) }

    /// The archive of a sample whose longest text, but URLs and ID tokens, is the longest of all.
    static func longest() throws -> Sample {
      let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Samples/Caches/contoso.items.json").path
      // Reveal: the archive is what is damaged here.
      let archives = try ItemFile(path: path).items().compactMap { $0.data?.reveal() }
      let samples = archives.compactMap { Sample($0) }
      return try #require(samples.max { $0.secret.count < $1.secret.count })
    }

    private init?(_ archive: [UInt8]) {
      guard var list = try? BinaryPropertyList(archive) else { return nil }
      let texts = (0..<list.objectCount).compactMap { try? list.object(at: $0) }.filter {
        guard $0.kind == .ascii else { return false }
        let text = archive[$0.contentRange]
        return !text.contains(UInt8(ascii: "/")) && !text.starts(with: Array("eyJ".utf8))
      }
      guard let secret = texts.max(by: { $0.count < $1.count }) else { return nil }
      self.archive = archive
      self.list = list
      self.secret = secret
    }

    /// Where `$objects` has the secret, which is what UIDs count.
    var place: Int? {
      var list = list
      for index in 0..<list.objectCount {
        guard let array = try? list.object(at: index), array.kind == .array else { continue }
        let elements = (0..<array.count).compactMap { try? list.reference($0, of: array) }
        if let place = elements.firstIndex(of: secret.index) { return place }
      }
      return nil
    }

    /// Where the damage that lets eight bytes of the secret through begins; nil when none does.
    func firstLeak<Damage: Sequence<(Int, [UInt8])>>(_ damages: Damage) -> Int? {
      let text = text
      let needles = (0...text.count - 8).map { Data(text[$0..<$0 + 8]) }
      for (place, bytes) in damages {
        var damaged = archive
        damaged.replaceSubrange(place..<place + bytes.count, with: bytes)
        var scrub = CacheScrub(seed: ScrubLawTests.seed)
        let made = Data(scrub.archive(damaged))
        if needles.contains(where: { made.range(of: $0) != nil }) { return place }
      }
      return nil
    }
  }

  private let sample: Sample

  init() throws { sample = try Sample.longest() }

  @Test("no reference that leads to a text makes a name, or a value that stays, of it")
  func aTextIsNoName() throws {
    let place = try #require(sample.place)
    #expect(sample.secret.count >= 64 && place != sample.secret.index)
    let bytes = 8..<sample.archive.count
    let object = [UInt8(truncatingIfNeeded: sample.secret.index)]
    #expect(sample.firstLeak(bytes.lazy.map { ($0, object) }) == nil)
    // Markers of UIDs of one byte.
    let uids = bytes.filter { sample.archive[$0 - 1] == 0x80 }
    let uid = [UInt8(truncatingIfNeeded: place)]
    #expect(uids.count > 40 && sample.firstLeak(uids.lazy.map { ($0, uid) }) == nil)
  }

  @Test("a text is a text although its first bytes are those of another format")
  func aTextIsNoList() {
    for place in sample.secret.offset..<sample.secret.contentRange.lowerBound {
      #expect(sample.firstLeak((0...UInt8.max).lazy.map { (place, [$0]) }) == nil)
    }
  }

  @Test("an object that is said to be in the middle of a text changes nothing")
  func aTextHasNoParts() throws {
    let table = sample.list.tableRange
    let width = (table.count - 32) / sample.list.objectCount
    #expect(width == 2)
    let offsets = stride(from: sample.secret.offset, to: sample.secret.range.upperBound, by: 9)
      .map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let damages = (0..<sample.list.objectCount).lazy.flatMap { index in
      offsets.lazy.map { (table.lowerBound + index * width, $0) }
    }
    #expect(sample.firstLeak(damages) == nil)
  }

  @Test("a trailer that says that the text is of the offset table is not believed")
  func aTextIsNoTable() {
    let trailer = sample.archive.count - 32..<sample.archive.count
    let damages = trailer.lazy.flatMap { place in (UInt8(0)...8).lazy.map { (place, [$0]) } }
    #expect(sample.firstLeak(damages) == nil)
  }

  @Test("a table in which something else stands than where objects are says nothing")
  func aTableHasNoText() {
    let start = sample.list.tableRange.lowerBound
    let text = Array("7e3w1q5t9g2x8r4v".utf8)
    var damaged = sample.archive
    damaged.replaceSubrange(start..<start + text.count, with: text)
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let made = Data(scrub.archive(damaged))
    #expect(made.count == damaged.count && made.range(of: Data(text[..<8])) == nil)
    #expect(Data(damaged).range(of: Data(text[..<8])) != nil)
  }

  @Test(
    "a dictionary or a list that leads to no objects is a text", arguments: [0xD4, 0xA8] as [UInt8])
  func referencesHaveNoText(marker: UInt8) {
    let text = Array("2x8r4v7e".utf8)
    // The object at the top, the number 1, and a table that says where both are.
    let list = Array("bplist00".utf8) + [marker] + text + [0x10, 1, 8, 17]
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + big(2) + big(0) + big(19)
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let made = Data(scrub.archive(list + trailer))
    #expect(made.count == 53 && made.suffix(34) == Data([8, 17] + trailer))
    #expect(made.range(of: Data(text)) == nil)
  }

  @Test("a number with letters is a text, and an instant is none")
  func numbersHaveNoText() {
    func made(_ number: [UInt8]) -> [UInt8] {
      let list = Array("bplist00".utf8) + number + [8]
      let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + big(1) + big(0) + big(17)
      var scrub = CacheScrub(seed: ScrubLawTests.seed)
      return Array(scrub.archive(list + trailer)[8..<17])
    }
    let letters = Array("3w1q5t9g".utf8) + [0]
    #expect(!zip(made(letters), letters).prefix(8).contains { $0 == $1 })
    // 2023-10-23, with `stuvwx` for the last bytes.
    let instant: [UInt8] = [0x33, 0x41, 0xC5, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78]
    #expect(made(instant) == instant)
    let small: [UInt8] = [0x13] + big(100)
    #expect(made(small) == small)
  }

  private func big(_ number: UInt8) -> [UInt8] { Array(repeating: 0, count: 7) + [number] }
}
