// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems
import LookupAnswers
import MSALCache
import MSALLookup

/// The CACHE argument of a look-up.
struct LookupCache {
  enum Content {
    case items(LookupItems)
    case document(CacheDocument)
  }

  let content: Content
  private let source: Source
  /// The clock of the look-ups, in Unix seconds, and whether they know the clouds' aliases.
  private let now: Double
  private let knowsClouds: Bool

  /// - Parameter group: the access group that is asked; by default the only one, MSAL's own, or the one that holds
  ///   something of the client.
  init(
    _ place: PlaceArgument, group: String?, clientID: String?, now: Double, knowsClouds: Bool
  ) throws {
    self.now = now
    self.knowsClouds = knowsClouds
    let source = try SourcePlace.opened(place)
    guard let cache = source.caches.first, !source.isFolder else {
      throw Failure(.usage, "\(place.text) is a folder; look up one cache at a time")
    }
    guard source.caches.count == 1 else {
      throw Failure(.usage, "\(place.words) holds several caches; look up one cache at a time")
    }
    self.source = cache
    switch cache.content {
    case .document(let bytes, let read): content = .document(try read(bytes))
    // No MSAL that is asked here reads these rows.
    case .tokens: content = .items(LookupItems(fallbackRows: []))
    case .blob(let bytes):
      content = try Failure.reading([cache]) {
        .items(LookupItems(fallbackRows: try ADALFallbackRow.rows(ofBlob: bytes)))
      }
    case .items(let store):
      let items = try store.items()
      let group = try group ?? Self.group(of: items, clientID: clientID)
      content = .items(LookupItems(items, group: group))
    }
  }

  var items: LookupItems? {
    if case .items(let items) = content { items } else { nil }
  }

  /// Whether anything that MSAL reads here is of a client.
  func knows(_ clientID: String) -> Bool {
    switch content {
    case .items(let items): items.holdsSomething(of: clientID)
    case .document(let document):
      document.entries.contains { entry in
        entry.value.kind != .appMetadata
          && entry.value.clientID?.identifier.isExactly(clientID.identifier) ?? false
      }
    }
  }

  /// The items of all its groups.
  func inspection() throws -> CacheInspection { try CacheInspection(source, now: now) }

  func answer(_ request: AppRequest) -> LookupRendering {
    switch content {
    case .items(let items):
      request.ask(items.lookup(now: now, knowsClouds: knowsClouds), of: items)
    case .document(let document):
      request.ask(PythonLookup(document, now: now, knowsClouds: knowsClouds))
    }
  }

  private static func group(of items: [KeychainItem], clientID: String?) throws -> String {
    let groups = Set(items.map(\.accessGroup)).sorted()
    if groups.count <= 1 { return groups.first ?? "" }
    let names = ["com.microsoft.adalcache", "com.microsoft.identity.universalstorage"]
    for name in names {
      let own = groups.filter { $0 == name || $0.hasSuffix(".\(name)") }
      if own.count == 1, let group = own.first { return group }
    }
    let holding = groups.filter { LookupItems(items, group: $0).holdsSomething(of: clientID) }
    guard holding.count == 1, let group = holding.first else {
      throw Failure(
        .usage, "the cache has several access groups; select one with '--access-group'",
        hint: "the cache has \(groups.joined(separator: ", "))")
    }
    return group
  }
}

/// The items of one access group, as MSAL gets them from the keychain.
struct LookupItems {
  /// Nil for a macOS blob.
  private(set) var group: String?
  private var index = MSALIndex()
  private(set) var fallbackRows: [ADALFallbackRow] = []
  /// The place of each item in the cache.
  private var numbers: [Int] = []
  private var numbersByKey: [KeychainItem.Key: Int] = [:]
  private var rowsByKey: [KeychainItem.Key: ADALFallbackRow] = [:]

  init(fallbackRows: [ADALFallbackRow]) {
    self.fallbackRows = fallbackRows
    rowsByKey = Dictionary(fallbackRows.map { ($0.place, $0) }) { first, _ in first }
  }

  init(_ all: [KeychainItem], group: String) {
    let numbered = all.enumerated().filter { $0.element.accessGroup == group }
    let items = numbered.map(\.element)
    self.init(fallbackRows: ADALFallbackRow.rows(of: items))
    self.group = group
    index = MSALIndex(items: items)
    numbers = numbered.map(\.offset)
    numbersByKey = Dictionary(zip(items.map(\.key), numbers)) { first, _ in first }
  }

  func lookup(now: Double, knowsClouds: Bool) -> Lookup {
    Lookup(index, fallbackRows: fallbackRows, now: now, knowsClouds: knowsClouds)
  }

  /// The index of the cache's item at this place; nil for a place that is not an item.
  func number(of place: LookupCandidate.EntryPlace) -> Int? {
    switch place {
    case .item(let index, _): numbers.indices.contains(index) ? numbers[index] : nil
    case .fallbackRow(let key): numbersByKey[key]
    case .entry: nil
    }
  }

  func row(at place: LookupCandidate.EntryPlace) -> ADALFallbackRow? {
    if case .fallbackRow(let key) = place { rowsByKey[key] } else { nil }
  }

  /// The readable key of a row of ADAL's, whose own attributes are in base64; nil for another item.
  func words(of place: LookupCandidate.EntryPlace) -> String? {
    row(at: place).map { row in
      let resource = row.key.resource.map { ", resource \($0)" } ?? ""
      return "ADAL's, client \(row.key.client), \(row.key.authority)\(resource)"
    }
  }

  /// Whether a client, or with nil any, has a token here.
  fileprivate func holdsSomething(of clientID: String?) -> Bool {
    let wanted = clientID.map { ExactText($0.identifier) }
    let clients =
      Lookup(index, now: 0).allTokens().map(\.clientID) + fallbackRows.map(\.clientID)
    return clients.contains { wanted == nil || $0.map { ExactText($0.identifier) } == wanted }
  }
}
