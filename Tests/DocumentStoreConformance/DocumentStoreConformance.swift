// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

/// The exam that every ``DocumentStore`` passes.
///
/// It needs no test framework: a check throws ``Failure`` with a sentence. A suite runs all of
/// ``Check/allCases`` on its own stores:
///
/// ```swift
/// @Test(arguments: DocumentStoreConformance.Check.allCases)
/// func passesTheExam(check: DocumentStoreConformance.Check) throws {
///   try DocumentStoreConformance { MemoryDocument() }.run(check)
/// }
/// ```
public struct DocumentStoreConformance {
  /// One check of the exam.
  public enum Check: String, Sendable, CaseIterable {
    case aNewStoreHasNothing
    case nothingFromNothingStaysNothing
    case whatIsWrittenIsRead
    case aChangeGetsWhatIsThere
    case sameBytesStay
    case whatAChangeThrowsIsThrownAndNothingIsWritten
    case aDocumentCanBecomeShorter
    case bytesOfAnyKindAreKept
    case aBigDocumentIsKept
    case changesAtTheSameTimeAreAllKept
    case aReaderMeetsNoHalfDocument
  }

  /// A check that a store failed, in one sentence.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private let makeStore: () throws -> any DocumentStore

  /// An exam for the stores that `makeStore` returns: a new store without a document for each call.
  ///
  /// A store that waits for other processes must wait for at least 10 seconds.
  public init(_ makeStore: @escaping () throws -> any DocumentStore) {
    self.makeStore = makeStore
  }

  /// Runs one check on a new store.
  ///
  /// - Throws: ``Failure`` if the store fails the check, and every error of the store.
  public func run(_ check: Check) throws {
    let exam = Exam(store: try makeStore(), check: check)
    switch check {
    case .aNewStoreHasNothing:
      try exam.expect([])
      try exam.update(to: Self.document("a"), from: [])
    case .nothingFromNothingStaysNothing:
      try exam.update(to: [], from: [])
      try exam.expect([])
    case .whatIsWrittenIsRead:
      try exam.update(to: Self.document("a"))
      try exam.expect(Self.document("a"))
    case .aChangeGetsWhatIsThere:
      for (old, new) in [("", "a"), ("a", "b"), ("b", "a")] {
        try exam.update(to: Self.document(new), from: old.isEmpty ? [] : Self.document(old))
      }
      try exam.expect(Self.document("a"))
    case .sameBytesStay:
      try exam.update(to: Self.document("a"))
      try exam.update(to: Self.document("a"), from: Self.document("a"))
      try exam.expect(Self.document("a"))
    case .whatAChangeThrowsIsThrownAndNothingIsWritten: try exam.throwing()
    case .aDocumentCanBecomeShorter:
      try exam.update(to: Self.document(String(repeating: "long ", count: 10_000)))
      try exam.update(to: Self.document("short"))
      try exam.expect(Self.document("short"))
    case .bytesOfAnyKindAreKept:
      let bytes = (0...0xFF).map { UInt8(truncatingIfNeeded: $0) }
      try exam.update(to: bytes)
      try exam.expect(bytes)
    case .aBigDocumentIsKept:
      let document = Self.document(String(repeating: "0123456", count: 500_000))
      try exam.update(to: document)
      try exam.expect(document)
    case .changesAtTheSameTimeAreAllKept: try exam.changingAtTheSameTime()
    case .aReaderMeetsNoHalfDocument: try exam.readingMeanwhile()
    }
  }

  static func document(_ word: String) -> [UInt8] { Array(#"{"word":"\#(word)"}"#.utf8) }
}

/// A check that is run on a store.
private struct Exam: Sendable {
  let store: any DocumentStore
  let check: DocumentStoreConformance.Check

  private func fail(_ what: String) -> DocumentStoreConformance.Failure {
    DocumentStoreConformance.Failure(description: "\(check): \(what)")
  }

  func expect(_ document: [UInt8]) throws {
    let found = try store.read()
    guard found == document else {
      throw fail("\(found.count) bytes are read that are not the \(document.count) expected")
    }
  }

  /// Replaces the document.
  ///
  /// - Parameter old: what the change has to get; nil for whatever is there.
  func update(to new: [UInt8], from old: [UInt8]? = nil) throws {
    var seen: [[UInt8]] = []
    try store.update {
      seen.append($0)
      return new
    }
    guard let last = seen.last else { throw fail("the change was not called") }
    guard let old, last != old else { return }
    throw fail("the change got \(last.count) bytes that are not the \(old.count) expected")
  }

  func throwing() throws {
    struct Stop: Error {}
    for document in [[], DocumentStoreConformance.document("a")] {
      try update(to: document)
      do {
        try store.update { _ in throw Stop() }
        throw fail("what the change throws is lost")
      } catch is Stop {}
      try expect(document)
    }
  }

  /// Adds letters from several threads, each to what the others have written.
  func changingAtTheSameTime() throws {
    try Self.inThreads(6) { _ in
      try store.update { old in
        let word = old.dropFirst(9).dropLast(2)
        return DocumentStoreConformance.document(String(decoding: word, as: UTF8.self) + "x")
      }
    }
    try expect(DocumentStoreConformance.document("xxxxxx"))
  }

  /// Reads while the document is replaced by another one of another length, and back.
  func readingMeanwhile() throws {
    let documents = ["a", "b"].map { letter in
      let count = letter == "a" ? 100_000 : 200_000
      return DocumentStoreConformance.document(String(repeating: letter, count: count))
    }
    @Sendable func readOne() throws {
      let found = try store.read()
      guard documents.contains(found) else {
        throw fail("\(found.count) bytes are read that nobody has written")
      }
    }
    try update(to: documents[0])
    for round in 1...20 {
      try Self.inThreads(3) { thread in
        if thread == 0 {
          try store.update { _ in documents[round % 2] }
        } else {
          for _ in 0..<3 { try readOne() }
        }
      }
      try readOne()
    }
  }

  /// Does the same in several threads at once, and throws what the first one throws that fails.
  private static func inThreads(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws {
    let failures = Failures()
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        failures.catching { try body(number) }
        group.leave()
      }
    }
    group.wait()
    try failures.rethrow()
  }
}

/// The errors of several threads.
private final class Failures: @unchecked Sendable {
  // Guarded by `lock`; that is what makes the class Sendable.
  private var first: (any Error)?
  private let lock = NSLock()

  func catching(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      lock.withLock { first = first ?? error }
    }
  }

  func rethrow() throws {
    if let first = lock.withLock({ first }) { throw first }
  }
}
