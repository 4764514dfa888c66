// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems
import MSALCache
import MSALLookup

/// The state before any decision: every row of the sources, and the entries that the target already holds. Rows are
/// numbered in key order, so the order of input does not matter (D30).
struct Inventory: ~Copyable {
  /// A row with its number and place. A class without a variable, since all parts of a plan hand it on.
  final class Row: Sendable {
    let number: Int
    /// The index of its source.
    let source: Int
    let place: RowPlace
    /// The access group for entries that are made of the row; empty for a document.
    let group: String
    let content: RowContent

    init(number: Int, source: Int, place: RowPlace, group: String, content: RowContent) {
      self.number = number
      self.source = source
      self.place = place
      self.group = group
      self.content = content
    }

    /// The same row, with another group for its entries.
    func moved(to group: String) -> Row {
      Row(number: number, source: source, place: place, group: group, content: content)
    }
  }

  enum RowContent: Sendable {
    case legacy(SharedToken)
    indirect case unreadable(UnreadableToken)
    case unified(MSALRow)
  }

  var rows: [Row] = []
  /// The access groups of all rows, those that a filter leaves out included.
  var groupsOfRows: Set<String> = []
  /// Whether a source has access groups, be there rows in it or not.
  var hasGroups = false
  /// The number of other items in the sources' groups.
  var foreign = 0
  /// The entries in the target.
  var target = TargetContents()
  /// The account metadata of the sources, by the access group that it counts for.
  var metadata: [(group: String, metadata: AccountMetadata)] = []
  /// The numbers of ADAL's rows that are in the target too, as they are.
  var rowsInPlace: Set<Int> = []
  /// The numbers of unified rows that the target holds.
  var rowsInTarget: Set<Int> = []
  /// Called with each step, to show progress.
  var onStep: (@Sendable (Migration.Step) -> Void)?
  private var parts = DetachedSecrets()
}

extension Inventory.Row {
  /// Whether the kind of the row is known.
  var isReadable: Bool {
    if case .unreadable(let token) = content { RowKind(token) != .unreadable } else { true }
  }
}

/// An entry in MSAL's form among the rows, handed on without a copy of its parts.
final class MSALRow: Sendable {
  let kind: RowKind
  /// The entry, or nil when it cannot be read.
  let record: MSALEntry?
  /// The keychain item that it came in; nil for an entry of a document.
  let item: KeychainItem?

  init(kind: RowKind, record: MSALEntry?, item: KeychainItem?) {
    self.kind = kind
    self.record = record
    self.item = item
  }

  /// The entries of a cache document as rows, in the order of sections and keys.
  static func rows(
    of document: CacheDocument
  ) -> [(section: String, key: String, content: MSALRow)] {
    let readable = document.entries.map { entry in
      let kind = RowKind(entry.value) ?? RowKind(EntryType(entry.section))
      return (
        section: entry.section.rawValue, key: entry.key,
        content: MSALRow(kind: kind, record: entry.value, item: nil)
      )
    }
    let unreadable = document.unreadable.map { entry in
      let kind = RowKind(EntryType(entry.section))
      return (
        section: entry.section.rawValue, key: entry.key,
        content: MSALRow(kind: kind, record: nil, item: nil)
      )
    }
    return (readable + unreadable).ordered {
      $0.section == $1.section ? $0.key.compareBytes($1.key) < 0 : $0.section < $1.section
    }
  }
}

extension Inventory {
  /// Reads the sources and the target.
  ///
  /// - Parameters:
  ///   - accessGroups: the only groups to look at in keychain items; nil for all.
  ///   - documents: the current bytes of the target's documents, as far as they are known.
  ///   - written: the entries that this run has written; they count as not yet there.
  /// - Throws: the errors of the stores; `StoreError.notACache` if a blob or a document is not a cache.
  init(
    of sources: [Source], into target: Target?, accessGroups: Set<String>? = nil,
    documents: [String: [UInt8]] = [:], written: Written? = nil,
    onStep: (@Sendable (Migration.Step) -> Void)? = nil
  ) throws {
    self.onStep = onStep
    onStep?(.reading)
    var found: [FoundRow] = []
    var existing = TargetItems(of: target, beside: sources, without: written)
    // The target comes first, so that each row is compared with it as it is read, and its archive let go.
    let isTarget = sources.map(existing.areIn)
    let opened = Result { if !isTarget.contains(true) { try existing.read() } }
    for number in sources.indices.ordered(by: { isTarget[$0] && !isTarget[$1] }) {
      let source = sources[number]
      let start = found.count
      try read(source, accessGroups, &existing, into: &found)
      for position in start..<found.count { found[position].source = number }
      if source.store == nil { onStep?(.rows(found.count - start)) }
    }
    if let written { found.removeAll { written.isOurs($0.key, inSource: $0.source) } }
    // Rows are compared where they stand: a copy counts all that they hold.
    let order = found.withUnsafeBufferPointer { found in
      orderedPositions(found.count) { found[$0].precedes(found[$1]) }
    }
    // Errors of a source are reported before errors of the target.
    try opened.get()
    self.target = existing.contents
    if case .document(let store)? = target?.content {
      let reader = target?.reader ?? Self.reader(of: found.lazy.map(\.content))
      try open(store, as: "", for: reader, documents[""])
    }
    let destination = try Destination(
      in: target, beside: existing.groups, from: Set(found.map(\.key.accessGroup)))
    self.target.lacksPrefix = destination.lacksPrefix
    metadata = metadata.map { (destination.group(of: $0.group), $0.metadata) }
    rows.reserveCapacity(found.count)
    found.withUnsafeBufferPointer { found in
      for (number, position) in order.enumerated() {
        let group = destination.group(of: found[position].key.accessGroup)
        add(found[position], as: number, in: group)
      }
    }
  }

  /// A row on its way into the inventory, with its sort keys.
  struct FoundRow {
    var file: String
    var key: KeychainItem.Key
    var place: LegacyPlace?
    var position: Int
    var content: RowContent
    /// Whether the target holds the item that the row came in.
    var isInTarget = false
    var source = 0

    borrowing func precedes(_ other: borrowing FoundRow) -> Bool {
      if file != other.file { return file < other.file }
      if key != other.key { return key < other.key }
      // The rows of a source come in the order of their places.
      if source == other.source, position != other.position { return position < other.position }
      if let own = place, let place = other.place, own != place { return own < place }
      return position != other.position ? position < other.position : source < other.source
    }
  }

  private mutating func read(
    _ source: Source, _ groups: Set<String>?, _ existing: inout TargetItems,
    into found: inout [FoundRow]
  ) throws {
    // If the target is given twice, the second one counts as an ordinary source.
    let isTarget = existing.areIn(source)
    switch source.content {
    case .items(let store):
      if let group = store.asGroup {
        try read(group, isTarget: isTarget, groups, &existing, into: &found)
      } else {
        try read(store, isTarget: isTarget, file: source.file, groups, &existing, into: &found)
      }
    case .blob, .tokens, .document: found += try source.rows ?? Self.rows(of: source)
    }
  }

  /// The rows of a source of bytes; empty for a store.
  static func rows(of source: Source) throws -> [FoundRow] {
    switch source.content {
    case .items: []
    case .blob(let bytes): try read(blob: bytes, file: source.file)
    case .tokens(let bytes, let read):
      CacheRows(try asCache(source.file) { try read(bytes) }).found(source.file)
    case .document(let bytes, let read):
      CacheRows(try asCache(source.file) { try read(bytes) }).found(source.file)
    }
  }

  private mutating func read(
    _ store: any ItemStore, isTarget: Bool, file: String?, _ groups: Set<String>?,
    _ existing: inout TargetItems, into found: inout [FoundRow],
    noting note: (KeychainItem) -> Void = { _ in }
  ) throws {
    hasGroups = true
    var position = 0
    try store.forEachItem { item in
      let own = isTarget ? existing.take(item) : nil
      let isInTarget = isTarget ? own != nil && item.data != nil : existing.hold(item)
      let start = found.count
      take(item, file, position, groups, own, isInTarget: isInTarget, into: &found)
      if found.count > start { onStep?(.rows(found.count - start)) }
      position += 1
      note(item)
    }
    if isTarget { existing.areRead() }
  }

  /// Reads an access group of a store, and items in other groups. Xamarin's cache is in the app's own group, unless the
  /// app has chosen another one (other-adals §2.1).
  private mutating func read(
    _ group: any GroupStore, isTarget: Bool, _ groups: Set<String>?,
    _ existing: inout TargetItems, into found: inout [FoundRow]
  ) throws {
    var count = 0
    var seen: Set<KeychainItem.Key> = []
    let store = group.asSource(isTarget: isTarget)
    try read(store, isTarget: isTarget, file: nil, groups, &existing, into: &found) {
      count += 1
      if LegacyItem.isCache($0) { seen.insert($0.key) }
    }
    for item in try group.itemsElsewhere() where !seen.contains(item.key) {
      let isInTarget = existing.hold(item)
      take(item, nil, count, groups, nil, isInTarget: isInTarget, into: &found)
      count += 1
    }
  }

  /// Adds the rows of a keychain item, if it has any.
  ///
  /// - Parameters:
  ///   - existing: the item as the target has it, where that is read at the same time.
  ///   - isInTarget: whether the target holds it as it is.
  private mutating func take(
    _ item: KeychainItem, _ file: String?, _ position: Int, _ groups: Set<String>?,
    _ existing: TargetItem?, isInTarget: Bool, into found: inout [FoundRow]
  ) {
    guard groups?.contains(item.accessGroup) ?? true else { return noteGroup(of: item) }
    if LegacyItem.isCache(item), case .cache(let blob) = LegacyItem(item) {
      let rows = CacheRows((blob.tokens, blob.unreadable)).found(
        file, in: (item.key, position, isInTarget))
      if rows.isEmpty { foreign += 1 } else { groupsOfRows.insert(item.accessGroup) }
      found += rows
      return
    }
    guard let content = content(of: item, existing) else {
      foreign += 1
      return
    }
    groupsOfRows.insert(item.accessGroup)
    found.append(
      FoundRow(
        file: file ?? "", key: item.key, position: position, content: content,
        isInTarget: isInTarget))
  }

  /// Notes the group of an item that a filter leaves out, when it is a row.
  private mutating func noteGroup(of item: KeychainItem) {
    guard !groupsOfRows.contains(item.accessGroup) else { return }
    var other = Inventory()
    if LegacyItem.isCache(item) || other.content(of: item, nil) != nil {
      groupsOfRows.insert(item.accessGroup)
    }
  }

  /// The row in a keychain item; nil if the item is not a row.
  private mutating func content(of item: KeychainItem, _ existing: TargetItem?) -> RowContent? {
    switch LegacyItem(item) {
    case .token(var token):
      parts.keep(of: &token)
      return .legacy(SharedToken(token))
    case .unreadable(let row): return .unreadable(row)
    case .cache, .foreign: break
    }
    switch existing.map(\.unified) ?? MSALItem(item) {
    case .accountMetadata(let metadata)?:
      self.metadata.append((item.accessGroup, metadata))
      return nil
    case .entry(let record)?:
      guard let kind = RowKind(record) else { return nil }
      return .unified(MSALRow(kind: kind, record: record, item: item))
    case .unreadable?:
      guard let kind = RowKind(typeNumber: item.type) else { return nil }
      return .unified(MSALRow(kind: kind, record: nil, item: item))
    case .other?, nil: return nil
    }
  }

  private static func read(blob bytes: [UInt8], file: String?) throws -> [FoundRow] {
    let blob: LegacyBlob
    do {
      blob = try LegacyBlob(bytes)
    } catch {
      let what = BlobLikeness(bytes).map { ": \($0.sentence)" } ?? ", or is damaged: \(error)"
      throw StoreError(.notACache, "\(file ?? "the blob") is not a token cache\(what)")
    }
    let rows =
      blob.tokens.map { ($0.place, RowContent.legacy(SharedToken($0))) }
      + blob.unreadable.map { ($0.place, RowContent.unreadable($0)) }
    let none = KeychainItem.Key(accessGroup: "", account: "", service: "")
    return rows.ordered { $0.0 < $1.0 }.enumerated().map { position, row in
      FoundRow(file: file ?? "", key: none, place: row.0, position: position, content: row.1)
    }
  }

  /// Rewords a parser's error about bytes that are not a cache.
  private static func asCache<Cache>(_ start: String?, _ parse: () throws -> Cache) throws -> Cache
  {
    do {
      return try parse()
    } catch let error as LegacyCacheError {
      throw StoreError(.notACache, "\(start ?? "the cache") \(error.sentence)")
    } catch {
      throw StoreError(.notACache, start.map { "\($0): \(error)" } ?? "\(error)")
    }
  }

  /// Adds a document of the target.
  ///
  /// - Parameter bytes: its current bytes, if they are known.
  mutating func open(
    _ store: any DocumentStore, as group: String, for reader: MSALLibrary?, _ bytes: [UInt8]?
  ) throws {
    let bytes = try bytes ?? Target.opening { try store.read() }
    let document = try CacheDocument(bytes, of: store.name)
    var index = MSALIndex(for: reader)
    for row in MSALRow.rows(of: document) {
      if let keys = row.content.record?.libraryKeys(under: row.key) { index.documentKeys = keys }
      index.insert(
        row.content.record, in: DocumentSection(rawValue: row.section), under: row.key)
    }
    target.insert(.init(index: index, document: document, bytes: bytes), as: group)
  }

  private mutating func add(_ found: borrowing FoundRow, as number: Int, in group: String) {
    if found.isInTarget, group == found.key.accessGroup {
      switch found.content {
      case .legacy: rowsInPlace.insert(number)
      case .unified: rowsInTarget.insert(number)
      case .unreadable: break
      }
    }
    rows.append(
      Row(
        number: number, source: found.source,
        place: RowPlace(found.content, found.file, found.key, found.position),
        group: group, content: found.content))
  }
}

extension LegacyPlace {
  /// The last change of the keychain item, in Unix seconds.
  var modified: Double? {
    guard case .keychain(let key) = self else { return nil }
    return key.modified
  }

  /// The access group of a keychain item.
  var accessGroup: String? {
    switch self {
    case .keychain(let key): key.accessGroup
    case .row(let key): key.item?.accessGroup
    case .blob, .archive: nil
    }
  }
}
