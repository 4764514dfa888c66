// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments

// Laws for targets with one document for each account (other-adals §8.4).
extension LawsCase {
  /// The laws of a target hold for a folder, too; each document has one account, and who is signed in does not depend
  /// on whether there is one document or many.
  func checkFolder() throws {
    guard route == .document else { return }
    let now = cache.now
    func migrate(_ items: [KeychainItem], _ target: Migration.Target) -> Migration {
      Migration(
        from: [.items(MemoryStore(items))], into: target, policy: policy,
        now: { Date(timeIntervalSince1970: now) })
    }
    let folder = MemoryFolder()
    var planned = try migrate(cache.items, .folder(folder)).plan()
    #expect(folder.written.isEmpty)
    let first = try migrate(cache.items, .folder(folder)).run()
    let written = folder.written
    planned.kind = .applied
    #expect(planned == first)
    #expect(first.entries.map(\.row) == Array(0..<first.summary.rows))

    let second = try migrate(cache.items, .folder(folder)).run()
    #expect(second.summary.written == 0)
    #expect(folder.written == written)
    #expect(states(second) == states(first))
    for (entry, later) in zip(first.entries, second.entries) where entry.outcome == .converted {
      #expect(later.outcome == .alreadyThere, "\(entry.kind) \(entry.reasons.map(\.code))")
    }

    let other = MemoryFolder()
    #expect(try migrate(cache.items.reversed(), .folder(other)).run() == first)
    #expect(other.written == written)

    for (name, bytes) in written {
      for entry in try Self.sections(bytes).filter({ $0.key != "AppMetadata" }).values
        .flatMap(\.values)
      {
        let home = (entry as? [String: String])?["home_account_id"] ?? ""
        #expect(PersonalDocument.name(of: HomeAccountID(home)) == name)
      }
    }
    // Which clients are in a family, the rows of other accounts may tell, which are of other documents.
    guard !cache.clients.contains(where: \.isInFamily), !cache.laid.contains(.familyTokens) else {
      return
    }
    let one = try migrate(cache.items, .document(MemoryDocument())).run()
    #expect(states(first) == states(one))
  }
}
