// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The cache document that MSAL for Python, .NET, Java, Node and Go share: one JSON object with a
/// section for each type of entry (msal-cache-format §7; decision D10).
///
/// Everything that is in a document stays in it: unknown sections and fields, entries under
/// another library's keys, the spelling of values. A document is only ever added to.
package struct CacheDocument: Sendable, Equatable {
  /// An entry and the key it is kept under.
  package typealias Entry = Filed<MSALEntry>

  /// The entries, in the order of their sections and keys, and then those that were added.
  package private(set) var entries: [Entry] = []
  /// The objects of a section that cannot be read as entries of its type.
  package private(set) var unreadable: [Filed<MSALCacheError>] = []

  private var others: [String: JSONValue] = [:]
  private var sections: [DocumentSection: [String: Part]] = [:]
  private var identities: Set<MSALEntry.Key> = []
  private var accounts: Set<AccountKey> = []

  /// An entry under a key of a section.
  private enum Part {
    /// A value as it was read.
    case read(JSONValue)
    /// An entry that was added, by its position among the entries.
    case added(Int)
  }

  /// An empty document.
  package init() {}

  /// The document that these bytes are; no bytes at all are an empty one.
  ///
  /// Numbers where strings belong are read as their text, and written as they were. A UTF-8 byte order
  /// mark, as MSAL.NET's files may have, is read and not written again: Python refuses it.
  ///
  /// - Throws: ``MSALCacheError`` when some library could not read the document, or when writing
  ///   it again would lose something.
  package init(_ bytes: [UInt8]) throws(MSALCacheError) {
    if bytes.isEmpty {
      self.init()
      return
    }
    let mark = JSONScanner.byteOrderMark
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    let root: JSONValue
    do { root = try JSONValue(text) } catch { throw MSALCacheError(error) }
    guard case .object(let members) = root else {
      throw MSALCacheError("the cache document is JSON, but not an object with sections")
    }
    try self.init(members: members)
  }

  /// The document that has these members.
  package init(members: [String: JSONValue]) throws(MSALCacheError) {
    for (name, value) in members {
      guard let section = DocumentSection(rawValue: name) else {
        others[name] = value
        continue
      }
      guard case .object(let entries) = value else {
        throw MSALCacheError(
          "the section \"\(name)\" of the cache document is not an object")
      }
      sections[section] = entries.mapValues { .read($0) }
    }
    for section in DocumentSection.allCases {
      let entries = members[section.rawValue]?.object ?? [:]
      for (key, value) in entries.ordered(by: { $0.key.compareBytes($1.key) < 0 }) {
        do {
          try read(value, in: section, under: key)
        } catch {
          unreadable.append(Filed(section: section, key: key, value: error))
        }
      }
    }
  }

  private mutating func read(
    _ value: JSONValue, in section: DocumentSection, under key: String
  ) throws(MSALCacheError) {
    guard case .object(let members) = value else {
      throw MSALCacheError("the entry is not an object")
    }
    let entry = try section.entry(of: members)
    entries.append(Entry(section: section, key: key, value: entry))
    identities.insert(entry.identity)
    if let own = entry.ownToken(under: key) { identities.insert(own.identity) }
    if entry.kind == .account { accounts.insert(entry.account) }
  }

  /// The objects of a section as they are, in the order of their keys.
  package func objects(in section: DocumentSection) -> [DocumentObject] {
    (sections[section] ?? [:]).compactMap { object($1, section, $0) }
      .ordered { $0.key.compareBytes($1.key) < 0 }
  }

  /// The object under this very key.
  package func object(in section: DocumentSection, key: String) -> DocumentObject? {
    (sections[section]?[key]).flatMap { object($0, section, key) }
  }

  private func object(_ part: Part, _ section: DocumentSection, _ key: String) -> DocumentObject? {
    let members: [String: JSONValue]? =
      switch part {
      case .read(let value): value.object
      case .added(let position): entries[position].value.members
      }
    return members.map { DocumentObject(section: section, key: key, value: $0) }
  }

  /// The objects that another document does not have, section by section.
  package func objects(besides other: CacheDocument) -> [DocumentObject] {
    DocumentSection.allCases.flatMap { section in
      objects(in: section).filter { other.sections[section]?[$0.key] == nil }
    }
  }

  /// Removes the object under this exact key. Only undo uses it. An empty section is removed too.
  package mutating func remove(_ section: DocumentSection, key: String) {
    sections[section]?[key] = nil
    if sections[section]?.isEmpty ?? false { sections[section] = nil }
  }

  /// Reads the document of a place. A file without a document's sections is something else, and nothing is written into
  /// it.
  ///
  /// - Parameter place: the name for messages.
  /// - Throws: `StoreError.notACache` if it is not a document.
  package init(_ bytes: [UInt8], of place: String?) throws(StoreError) {
    do {
      self = try CacheDocument(bytes)
    } catch {
      throw StoreError(.notACache, place.map { "\($0): \(error)" } ?? "\(error)")
    }
    guard isCache else {
      throw StoreError(
        .notACache, "\(place ?? "the target") is not a cache document: it has none of its sections")
    }
  }

  /// Whether the document has one of the sections that make it a cache, or nothing at all.
  package var isCache: Bool { !sections.isEmpty || others.isEmpty }

  /// Adds this entry unless its key, or the same entry under another key, is there, or documents have no section
  /// for its kind.
  ///
  /// - Parameter key: its own key, where the caller has it already.
  /// - Returns: whether it was added.
  package mutating func add(_ entry: MSALEntry, under key: String? = nil) -> Bool {
    guard let section = entry.documentSection else { return false }
    let key = key ?? entry.documentKey
    guard sections[section]?[key] == nil, identities.insert(entry.identity).inserted else {
      return false
    }
    if entry.kind == .account { accounts.insert(entry.account) }
    sections[section, default: [:]][key] = .added(entries.count)
    entries.append(Entry(section: section, key: key, value: entry))
    return true
  }

  /// Whether an account is listed. A document lists every account with an entry in any tenant.
  package func lists(_ account: AccountKey) -> Bool { accounts.contains(account) }

  /// Whether a refresh token that MSAL knows by this is in the document, under whatever key.
  package func holdsRefreshToken(_ key: MSALEntry.Key) -> Bool { identities.contains(key) }

  /// The document as UTF-8 JSON without a byte order mark, indented, keys sorted: the same document
  /// gives the same bytes.
  package func encoded() -> [UInt8] {
    let others = Array(others)
    let sections = Array(sections)
    let names = others.map(\.key) + sections.map(\.key.rawValue)
    var writer = JSONWriter(pretty: true)
    writer.write(members: names, depth: 0) { writer, position in
      guard position >= others.count else {
        writer.write(others[position].value, depth: 1)
        return
      }
      let parts = sections[position - others.count].value
      write(parts, to: &writer)
    }
    writer.write(verbatim: "\n")
    return writer.finished()
  }

  private func write(_ parts: [String: Part], to writer: inout JSONWriter) {
    let parts = Array(parts)
    writer.write(members: parts.map(\.key), depth: 1) { writer, position in
      switch parts[position].value {
      case .read(let value): writer.write(value, depth: 2)
      case .added(let position): entries[position].value.write(to: &writer, depth: 2)
      }
    }
  }

  package static func == (a: CacheDocument, b: CacheDocument) -> Bool {
    a.others == b.others && a.sections.keys == b.sections.keys
      && DocumentSection.allCases.allSatisfy { a.objects(in: $0) == b.objects(in: $0) }
  }
}

extension CacheDocument: CustomStringConvertible {
  package var description: String {
    "[cache document, \(entries.count) entries]"
  }
}

/// The sections of a cache document that hold entries (msal-cache-format §7.1).
package enum DocumentSection: String, Sendable, CaseIterable {
  case accessToken = "AccessToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  case idToken = "IdToken"
  case refreshToken = "RefreshToken"

  /// The kind of a token whose entry has no type.
  package var defaultKind: MSALEntry.Kind? {
    switch self {
    case .accessToken: .accessToken
    case .idToken: .idToken
    case .refreshToken: .refreshToken
    case .account, .appMetadata: nil
    }
  }

  /// The entry of the section's type that has these members.
  package func entry(of members: [String: JSONValue]) throws(MSALCacheError) -> MSALEntry {
    let shape: MSALEntry.Shape =
      switch self {
      case .account: .account
      case .appMetadata: .appMetadata
      case .accessToken, .idToken, .refreshToken: .token
      }
    return try MSALEntry(
      wellFormed: members, as: shape, takesNumbers: true, defaultKind: defaultKind)
  }
}

/// The object under a key of a section.
package struct Filed<Value: Sendable>: Sendable {
  package let section: DocumentSection
  /// Its key in the section.
  package let key: String
  package let value: Value

  package init(section: DocumentSection, key: String, value: Value) {
    self.section = section
    self.key = key
    self.value = value
  }
}

/// An object of a section as it is, for readers that ask nothing else of it.
package typealias DocumentObject = Filed<[String: JSONValue]>

extension Filed: Equatable where Value: Equatable {}

extension DocumentObject {
  /// The SHA-256 of the object, however it is spelled.
  package var digest: String { SHA256Digits.text(of: JSONValue.object(value).encoded()) }
}
