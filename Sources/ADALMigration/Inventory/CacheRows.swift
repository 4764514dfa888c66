// SPDX-License-Identifier: MIT
import CacheJSON
import ADALCache
import KeychainItems

/// The rows of a cache of ADAL's for .NET, Python or Node, in an order that does not depend on the one in
/// which the cache has them: by user, authority, resource and client, then by what they hold (D30).
struct CacheRows: Sendable {
  private struct Row {
    var place: LegacyPlace
    var content: Inventory.RowContent
  }

  private var rows: [Row]

  init(_ blob: DotNetBlob) { self.init(blob.tokens, blob.unreadable) }
  init(_ list: TokenList) { self.init(list.tokens, list.unreadable) }

  private init(_ tokens: [LegacyToken], _ unreadable: [UnreadableToken]) {
    rows = tokens.map { Row(place: $0.place, content: .legacy(SharedToken($0))) }
    rows += unreadable.map { Row(place: $0.place, content: .unreadable($0)) }
    rows = rows.ordered { $0.place < $1.place }
    var start = rows.startIndex
    while start < rows.endIndex {
      let end = rows[start...].firstIndex { !$0.place.isKept(like: rows[start].place) }
      sortEquals(start..<(end ?? rows.endIndex))
      start = end ?? rows.endIndex
    }
  }

  /// Orders rows that are kept under the same words by what they hold.
  private mutating func sortEquals(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    let ordered = rows[range].map { (row: $0, order: $0.content.order) }
      .ordered { $0.order.lexicographicallyPrecedes($1.order) }
    rows.replaceSubrange(range, with: ordered.map(\.row))
  }

  /// The rows on their way into the inventory.
  ///
  /// - Parameter item: the keychain item that the cache is in, which one of its store that is, and whether the
  ///   target holds it as it is.
  func found(
    _ file: String?, in item: (key: KeychainItem.Key, position: Int, isInTarget: Bool)? = nil
  ) -> [Inventory.FoundRow] {
    let none = KeychainItem.Key(accessGroup: "", account: "", service: "")
    return rows.enumerated().map { position, row in
      Inventory.FoundRow(
        file: file ?? "", key: item?.key ?? none, place: row.place.numbered(position),
        position: item?.position ?? position, content: row.content,
        isInTarget: item?.isInTarget ?? false)
    }
  }
}

extension LegacyPlace {
  /// Whether another row has the same words, and only another position.
  fileprivate func isKept(like other: LegacyPlace) -> Bool {
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
  /// What rows with the same words are ordered by.
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
  /// Who will read a fresh document, as far as the rows say (D34): MSAL for Python, where all of ADAL's are
  /// from its predecessor's lists.
  static func reader(of rows: some Sequence<RowContent>) -> MSALLibrary? {
    let origins = rows.compactMap { content -> LegacyToken.Origin? in
      if case .legacy(let row) = content { row.token.origin } else { nil }
    }
    let areListed = origins.allSatisfy { $0 == .python || $0 == .node }
    return areListed && origins.contains(.python) ? .python : nil
  }
}
