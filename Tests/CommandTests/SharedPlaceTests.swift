// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import adal2msal

/// A cache that is migrated in place is read once for source and target.
@Suite struct SharedPlaceTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Samples/Caches")
    for (kind, names) in [("items.json", ["a", "b"]), ("sqlite", ["a"])] {
      for name in names {
        try FileManager.default.copyItem(
          atPath: "\(samples.path)/contoso.\(kind)", toPath: "\(workshop.path)/\(name).\(kind)")
      }
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(workshop.path)/link", withDestinationPath: "a.items.json")
  }

  @Test(arguments: [
    ("a.items.json", "a.items.json", true), ("a.items.json", "./a.items.json", true),
    ("link", "a.items.json", true), ("a.sqlite", "./a.sqlite", true),
    ("a.sqlite", "a.items.json", false), ("a.items.json", "b.items.json", false),
  ])
  func isReadOnce(source: String, into: String, once: Bool) throws {
    func argument(_ name: String) throws -> PlaceArgument {
      try #require(PlaceArgument(argument: "\(workshop.path)/\(name)"))
    }
    let target = try TargetPlace(try argument(into))
    let opened = try SourcePlace(try argument(source), zone: .gmt)
    let place = try opened.sharing(target, at: "\(workshop.path)/\(into)")
    guard case .items(let store) = target else {
      Issue.record("the target is \(target)")
      return
    }
    let read = try #require(place.store)
    #expect(place.caches.map(\.file) == opened.caches.map(\.file))
    #expect(store.isSamePlace(as: read) == once)
    #expect(try read.items() == opened.store?.items())
  }
}
