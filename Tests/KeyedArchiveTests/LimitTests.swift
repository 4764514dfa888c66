// SPDX-License-Identifier: MIT
import ArchiveBytes
import KeyedArchive
import Testing

/// Each limit, at its edge.
@Suite struct LimitTests {
  private typealias Plist = PropertyListBytes

  @Test func size() throws {
    let bytes = Plist([[0x09]]).bytes
    var limits = Limits()
    limits.size = bytes.count
    _ = try BinaryPropertyList(bytes, limits: limits)
    limits.size -= 1
    #expect(throws: KeyedArchiveError(.tooLarge, at: 0)) {
      try BinaryPropertyList(bytes, limits: limits)
    }
  }

  @Test func objects() throws {
    let bytes = Plist([[0x09], [0x08]]).bytes
    var limits = Limits()
    limits.objects = 2
    _ = try BinaryPropertyList(bytes, limits: limits)
    limits.objects = 1
    #expect(throws: KeyedArchiveError(.tooManyObjects, at: 0)) {
      try BinaryPropertyList(bytes, limits: limits)
    }
  }

  @Test func fields() throws {
    var bytes = ArchiveBytes()
    let fields = (1...10).map { ("field\($0)", 2) }
    let root = bytes.object("Token", fields)
    let whole = bytes.bytes(root: root)
    for (limit, error) in [(11, nil), (10, KeyedArchiveError(.tooManyFields, at: 0))] {
      var limits = Limits()
      limits.fields = limit
      var archive = try KeyedArchiveReader(whole, limits: limits)
      let root = try archive.root()
      guard case .object(let object, _) = try archive.content(of: root) else {
        Issue.record("no object")
        return
      }
      do {
        #expect(try archive.fields(of: object).count == 11)
        #expect(error == nil)
      } catch let thrown { #expect(thrown == error) }
    }
  }

  @Test func work() throws {
    var list = try BinaryPropertyList(Plist([Plist.container(0xA0, [1]), [0x09]]).bytes)
    let all = list.remainingWork
    #expect(
      all == Limits().work(forSize: 0) + 32
        * Plist([Plist.container(0xA0, [1]), [0x09]]).bytes.count)
    let array = try list.object(at: 0)
    var steps = 0
    #expect(throws: KeyedArchiveError(.tooMuchWork, at: 0)) {
      while true {
        _ = try list.reference(0, of: array)
        steps += 1
      }
    }
    #expect(steps > 1_000_000 && list.remainingWork < 4)
    #expect(throws: KeyedArchiveError(.tooMuchWork, at: 0)) { try list.object(at: 1) }
  }

  @Test func memory() throws {
    let text = Plist.head(0x60, 100_000) + [UInt8](repeating: 0x20, count: 200_000)
    var list = try BinaryPropertyList(Plist([text]).bytes)
    let object = try list.object(at: 0)
    var copies = 0
    #expect(throws: KeyedArchiveError(.tooMuchMemory, at: 0)) {
      while true {
        _ = try list.text(of: object)
        copies += 1
      }
    }
    #expect(copies == 4)
    #expect(KeyedArchiveError(.tooMuchMemory, at: 0).isFinal)
    #expect(!KeyedArchiveError(.truncated, at: 0).isFinal)
  }

  @Test func budgets() {
    let limits = Limits()
    #expect(limits.work(forSize: 0) == 4 << 20)
    #expect(limits.work(forSize: 1000) == 4 << 20 + 32_000)
    #expect(limits.work(forSize: .max) == 512 << 20)
    #expect(limits.memory(forSize: 0) == 4 << 20)
    #expect(limits.memory(forSize: 1000) == 4 << 20 + 8000)
    #expect(limits.memory(forSize: .max) == 96 << 20)
  }

  @Test func description() {
    #expect("\(KeyedArchiveError(.tooDeep, at: 7))" == "too-deep at byte 7")
    #expect(KeyedArchiveError(.tooDeep, at: 7) == KeyedArchiveError(.tooDeep, at: 8))
    #expect(KeyedArchiveError(.tooDeep, at: 7) != KeyedArchiveError(.cycle, at: 7))
  }
}
