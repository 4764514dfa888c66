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
    for entry in document.entries {
      let kind = RowKind(entry.value) ?? RowKind(EntryType(entry.section))
      let content = MSALRow(kind: kind, record: entry.value, item: nil)
      rows.append(Row(section: entry.section.rawValue, key: entry.key, content: content))
    }
    for entry in document.unreadable {
      let content = MSALRow(kind: RowKind(EntryType(entry.section)), record: nil, item: nil)
      rows.append(Row(section: entry.section.rawValue, key: entry.key, content: content))
    }
    rows.sort {
      $0.section == $1.section
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.section < $1.section
    }
  }
}
