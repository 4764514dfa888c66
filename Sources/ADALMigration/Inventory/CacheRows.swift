// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import MSALCache

/// The rows of bytes that are a cache, in an order that does not depend on the one in which the cache has them
/// (D30).
struct CacheRows: Sendable {
  private let rows: [Inventory.FoundRow]

  /// The rows of a cache of ADAL for .NET, Python or Node: by user, authority, resource and client, then by content.
  init(_ cache: (tokens: [LegacyToken], unreadable: [UnreadableToken])) {
    let rows =
      cache.tokens.map { (place: $0.place, content: Inventory.RowContent.legacy(SharedToken($0))) }
      + cache.unreadable.map { (place: $0.place, content: .unreadable($0)) }
    var sorted = rows.ordered { $0.place < $1.place }
    var start = sorted.startIndex
    while start < sorted.endIndex {
      let first = sorted[start].place
      let end = sorted[start...].firstIndex { !$0.place.hasSameWords(as: first) } ?? sorted.endIndex
      // Rows with the same words are ordered by content.
      if end - start > 1 {
        let ordered = sorted[start..<end].map { (row: $0, order: $0.content.order) }
          .ordered { $0.order.lexicographicallyPrecedes($1.order) }
        sorted.replaceSubrange(start..<end, with: ordered.map(\.row))
      }
      start = end
    }
    let none = KeychainItem.Key(accessGroup: "", account: "", service: "")
    self.rows = sorted.enumerated().map { position, row in
      Inventory.FoundRow(
        file: "", key: none, place: row.place.numbered(position), position: position,
        content: row.content)
    }
  }

  /// The entries of a document of MSAL's, by section and key.
  init(_ document: CacheDocument) {
    rows = MSALRow.rows(of: document).enumerated().map { position, row in
      Inventory.FoundRow(
        file: "",
        key: KeychainItem.Key(accessGroup: "", account: row.section, service: row.key),
        position: position, content: .unified(row.content))
    }
  }

  /// The rows on their way into the inventory.
  ///
  /// - Parameter item: the keychain item that the cache is in, which one of its store that is, and whether the
  ///   target holds it as it is.
  func found(
    _ file: String?, in item: (key: KeychainItem.Key, position: Int, isInTarget: Bool)? = nil
  ) -> [Inventory.FoundRow] {
    rows.map { row in
      var row = row
      row.file = file ?? ""
      if let item {
        row.key = item.key
        row.position = item.position
        row.isInTarget = item.isInTarget
      }
      return row
    }
  }
}

extension LegacyPlace {
  /// Whether another row has the same words, in any position.
  fileprivate func hasSameWords(as other: LegacyPlace) -> Bool {
    numbered(0) == other.numbered(0)
  }

  /// The place of a row with another position.
  fileprivate func numbered(_ position: Int) -> LegacyPlace {
    guard case .row(var key) = self else { return self }
    key.index = position
    return .row(key)
  }
}

extension Inventory.RowContent {
  /// The sort key of rows with the same words.
  fileprivate var order: [String] {
    switch self {
    case .legacy(let row):
      let token = row.token
      let secrets = [token.refreshToken, token.accessToken, token.rawIDToken]
      let texts = [
        token.objectID, token.tenantID, token.identityProvider, token.clientInfo,
        token.assertionHash, token.subjectType.map { "\($0.rawValue)" },
        token.expiresOn.map { "\($0)" },
      ]
      return secrets.map { $0?.digest ?? "" } + texts.map { $0 ?? "" }
    case .unreadable(let row): return ["\(row.code)", row.archiveError ?? "", row.clientID ?? ""]
    case .unified: return []
    }
  }
}

extension Inventory {
  /// The library that will read a new document, as far as the rows tell (D34): MSAL for Python or Node if all of ADAL's
  /// rows come from the lists of ADAL for Python or Node.
  static func reader(of rows: some Sequence<RowContent>) -> MSALLibrary? {
    let origins = rows.compactMap { content -> LegacyToken.Origin? in
      if case .legacy(let row) = content { row.token.origin } else { nil }
    }
    let areListed = origins.allSatisfy { $0 == .python || $0 == .node }
    guard areListed, !origins.isEmpty else { return nil }
    return origins.contains(.python) ? .python : .node
  }
}
