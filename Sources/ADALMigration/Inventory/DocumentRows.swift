// SPDX-License-Identifier: MIT
import MSALCache

/// The entries of a cache document as rows, in the order of sections and keys.
struct DocumentRows: Sendable {
  struct Row: Sendable {
    var section: String
    var key: String
    var content: MSALRow
  }

  private(set) var rows: [Row] = []

  init(_ document: CacheDocument) {
    for entry in document.accounts { add(entry.section, entry.key, .account(entry.value)) }
    for entry in document.credentials { add(entry.section, entry.key, .credential(entry.value)) }
    for entry in document.appMetadata { add(entry.section, entry.key, .appMetadata(entry.value)) }
    for entry in document.unreadable {
      let content = MSALRow(kind: Self.kind(of: entry.section), record: nil, item: nil)
      rows.append(Row(section: entry.section.rawValue, key: entry.key, content: content))
    }
    rows.sort {
      $0.section == $1.section
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.section < $1.section
    }
  }

  private mutating func add(_ section: DocumentSection, _ key: String, _ record: Record) {
    let kind = Report.RowKind(record) ?? Self.kind(of: section)
    let content = MSALRow(kind: kind, record: record, item: nil)
    rows.append(Row(section: section.rawValue, key: key, content: content))
  }

  private static func kind(of section: DocumentSection) -> Report.RowKind {
    switch section {
    case .account: .unifiedAccount
    case .accessToken: .unifiedAccessToken
    case .refreshToken: .unifiedRefreshToken
    case .idToken: .unifiedIDToken
    case .appMetadata: .unifiedAppMetadata
    }
  }
}
