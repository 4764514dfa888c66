// SPDX-License-Identifier: MIT
// The imports of an app, and no other module of ours.
import ADALMigration
import MigrationDocuments
import Foundation
import Testing

/// Errors as a program that uses the library meets them.
@Suite struct ErrorTests {
  private struct Locked: ItemStore {
    func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
      throw StoreError(.locked, "locked")
    }
    func add(_ items: [KeychainItem]) throws -> [KeychainItem] { items }
  }

  private struct Broken: DocumentStore {
    func read() -> [UInt8] { Array("{".utf8) }
    func update(_ change: ([UInt8]) throws -> [UInt8]) throws { _ = try change(read()) }
  }

  private func answer(_ source: Source, into target: Target = .items(MemoryStore())) -> String {
    do {
      _ = try Migration(from: source, into: target).run()
      return "done"
    } catch StoreError.locked {
      return "try again"
    } catch StoreError.notACache {
      return "not a cache"
    } catch {
      return "\(error)"
    }
  }

  @Test func anErrorIsCaughtByItsCode() {
    #expect(answer(.items(Locked())) == "try again")
    #expect(answer(.items(MemoryStore())) == "done")
  }

  /// Whatever reads the bytes, what is thrown has a name that an app knows.
  @Test func whatIsNoCacheSaysSo() {
    #expect(answer(.blob(Array("hello".utf8))) == "not a cache")
    #expect(answer(.blob([])) == "not a cache")
    #expect(answer(.document(Array("hello".utf8))) == "not a cache")
    #expect(answer(.items(MemoryStore()), into: .document(Broken())) == "not a cache")
  }

  /// The log of an app in Objective-C.
  @Test func errorsSayWhatTheyMeanToCocoa() {
    let errors: [any Error] = [
      StoreError(.locked, "it is locked"), MigrationError.invalidPolicy("line 2 is wrong"),
      MigrationError.accessGroupNeeded,
    ]
    #expect(
      errors.map { ($0 as NSError).localizedDescription } == [
        "it is locked", "line 2 is wrong",
        "the source has no keychain access groups; name the group to write to",
      ])
  }

  @Test func aCodeMatchesNothingElse() {
    switch StoreError(.refused, "no") as any Error {
    case StoreError.locked, StoreError.unreadable, StoreError.unwritable, StoreError.notACache,
      StoreError.interrupted, StoreError.unavailable:
      Issue.record("another code")
    case StoreError.refused: break
    default: Issue.record("no code")
    }
    if case StoreError.refused = CancellationError() as any Error { Issue.record("not ours") }
  }
}
