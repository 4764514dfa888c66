// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import MigrationDocuments
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The app metadata that is written: of which clients, how they are spelled, and which family it names (D4, D5).
@Suite struct AppMetadataTests {
  private let ann = World.ann
  private let eve = World.eve
  private let upper = World.client.uppercased()

  /// The family that the app metadata of each client names, empty for none; by the client as it is spelled.
  private func metadata(
    _ rows: [SyntheticRow], into form: CacheForm
  ) throws -> [String: String] {
    let (store, document) = (MemoryStore(), MemoryDocument())
    _ = try Migration(
      from: .items(MemoryStore(rows.map(\.item))),
      into: form == .document ? .document(document) : .items(store),
      now: { Date(timeIntervalSince1970: World.now) }
    ).run()
    let entries =
      form == .document
      ? try LawsCase.sections(document.read())["AppMetadata", default: [:]].values
        .map { SyntheticEntry(try #require($0 as? [String: String])) }
      : try store.items().filter { $0.type == ItemType.appMetadata }
        .compactMap { SyntheticEntry($0) }
    var families: [String: String] = [:]
    for entry in entries { families[entry["client_id"] ?? ""] = entry["family_id"] ?? "" }
    return families
  }

  @Test("a client is spelled as the row with its newest refresh token spells it")
  func spelling() throws {
    func row(_ person: GoldenPerson, _ client: String, at time: Double?) -> SyntheticRow {
      .refresh("rt-\(client)", person.upn, person.token()) {
        $0.clientID = client
        $0.familyID = "1"
        $0.modified = time
      }
    }
    let old = row(ann, World.client, at: World.now - 100)
    for form in [CacheForm.keychainItems, .document] {
      #expect(try metadata([old, row(eve, upper, at: World.now - 10)], into: form) == [upper: "1"])
      #expect(
        try metadata([old, row(eve, upper, at: World.now - 200)], into: form) == [World.client: "1"]
      )
      // An access token is no reason to spell it so.
      let access = SyntheticRow.access("at", ann.upn, ann.token()) {
        $0.clientID = upper
        $0.familyID = "1"
        $0.modified = World.now - 1
      }
      #expect(try metadata([access, old], into: form) == [World.client: "1"])
    }
  }

  @Test(
    "a document names a client that has a token of its own, not one that a family alone signs in")
  func familyAlone() throws {
    let member = SyntheticRow.stored(
      eve.home,
      .refresh("rt-member", eve.upn, eve.token()) {
        $0.clientID = World.otherClient
        $0.familyID = "1"
      })
    let ofFamily = SyntheticRow.stored(
      eve.home, .refresh("rt-family", eve.upn, eve.token()) { $0.clientID = "foci-1" })
    // In 2.7, a row with an access token never tells that its client is in no family.
    let access = SyntheticRow.stored(
      eve.home, .access("at", eve.upn, eve.token()) { $0.cachedAt = World.now - 10 })
    #expect(
      try metadata([member, ofFamily, access], into: .document) == [World.otherClient: "1"])
    // With a refresh token of its own it has an entry, which names no family, as none is known.
    let own = SyntheticRow.refresh("rt-own", eve.upn, eve.token()) { $0.generation = .one }
    #expect(
      try metadata([member, ofFamily, own], into: .document)
        == [World.otherClient: "1", World.client: ""])
    // A keychain needs none for that.
    #expect(
      try metadata([member, ofFamily, own], into: .keychainItems) == [World.otherClient: "1"])
  }
}
