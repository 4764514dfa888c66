// SPDX-License-Identifier: MIT
import DocumentStoreConformance
import Foundation
import KeychainItems
import Testing

@Suite struct MemoryDocumentTests {
  @Test(arguments: DocumentStoreConformance.Check.allCases)
  func passesTheExam(check: DocumentStoreConformance.Check) throws {
    try DocumentStoreConformance { MemoryDocument() }.run(check)
  }
}

/// The exam itself: a store that breaks a promise must fail.
@Suite struct DocumentStoreConformanceTests {
  typealias Check = DocumentStoreConformance.Check

  private final class Broken: DocumentStore, @unchecked Sendable {
    // Guarded by `lock`, but for a store that is to lose what another thread writes.
    private var bytes: [UInt8] = []
    private let lock = NSLock()
    var onRead: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var onOld: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var onWrite: @Sendable ([UInt8], [UInt8]) -> [UInt8] = { $1 }
    var isAtOnce = true
    var swallows = false
    var writesFirst = false

    func read() -> [UInt8] { onRead(lock.withLock { bytes }) }

    func update(_ change: ([UInt8]) throws -> [UInt8]) throws {
      do {
        guard isAtOnce else {
          let new = try change(onOld(lock.withLock { bytes }))
          usleep(20_000)
          lock.withLock { bytes = new }
          return
        }
        try lock.withLock {
          let old = bytes
          if writesFirst { bytes = [1] }
          bytes = onWrite(old, try change(onOld(old)))
        }
      } catch  where swallows {}
    }
  }

  private func failures(_ spoil: @escaping (Broken) -> Void) -> Set<Check> {
    let exam = DocumentStoreConformance {
      let store = Broken()
      spoil(store)
      return store
    }
    return Set(
      Check.allCases.filter { check in
        do {
          try exam.run(check)
          return false
        } catch {
          return true
        }
      })
  }

  @Test func passesAnHonestStore() {
    #expect(failures { _ in } == [])
  }

  @Test func noticesBrokenPromises() {
    #expect(
      failures { $0.onRead = { $0.isEmpty ? Array("{}".utf8) : $0 } }
        .isSuperset(of: [.aNewStoreHasNothing, .nothingFromNothingStaysNothing]))
    #expect(failures { $0.onOld = { _ in [] } }.contains(.aChangeGetsWhatIsThere))
    #expect(failures { $0.onOld = { _ in [] } }.contains(.sameBytesStay))
    #expect(failures { $0.onWrite = { old, _ in old } }.contains(.whatIsWrittenIsRead))
    // Writing in place without making the file shorter.
    #expect(
      failures { $0.onWrite = { old, new in new + old.dropFirst(new.count) } }
        .contains(.aDocumentCanBecomeShorter))
    #expect(
      failures { $0.onWrite = { $1.filter { $0 < 0x80 } } } == [.bytesOfAnyKindAreKept])
    #expect(
      failures { $0.onWrite = { Array($1.prefix(1 << 20)) } } == [.aBigDocumentIsKept])
    #expect(
      failures { $0.swallows = true } == [.whatAChangeThrowsIsThrownAndNothingIsWritten])
    #expect(
      failures { $0.writesFirst = true } == [.whatAChangeThrowsIsThrownAndNothingIsWritten])
    #expect(failures { $0.isAtOnce = false } == [.changesAtTheSameTimeAreAllKept])
    #expect(
      failures { $0.onRead = { $0.count == 200_011 ? Array($0.dropLast()) : $0 } }
        == [.aReaderMeetsNoHalfDocument])
  }
}
