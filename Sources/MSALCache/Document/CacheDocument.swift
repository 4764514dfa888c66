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
  package struct Entry<Value: Sendable>: Sendable {
    /// The section that it is in.
    package let section: DocumentSection
    /// Its key in the section.
    package let key: String
    /// The entry.
    package let value: Value
  }

  /// An entry that is none of its section's type, and why.
  package struct UnreadableEntry: Sendable {
    /// The section that it is in.
    package let section: DocumentSection
    /// Its key in the section.
    package let key: String
    /// Why it cannot be read.
    package let error: MSALItemError
  }

  /// The accounts, in the order of their keys.
  package private(set) var accounts: [Entry<Account>] = []
  /// The credentials, in the order of their sections and keys.
  package private(set) var credentials: [Entry<Credential>] = []
  /// The app metadata, in the order of their keys.
  package private(set) var appMetadata: [Entry<AppMetadata>] = []
  /// What is kept in a section, but cannot be read as its type.
  package private(set) var unreadable: [UnreadableEntry] = []

  /// Whether the bytes that were read began with a byte order mark.
  package private(set) var hadByteOrderMark = false

  private var others: [String: JSONValue] = [:]
  private var sections: [DocumentSection: [String: Part]] = [:]
  private var identities: Set<DocumentIdentity> = []

  /// What a section has under a key.
  private enum Part {
    /// A value as it was read.
    case read(JSONValue)
    /// An entry that was added, by its position among the entries of its type.
    case added(Int)
  }

  /// An empty document.
  package init() {}

  /// The document that these bytes are; no bytes at all are an empty one.
  ///
  /// Numbers where strings belong are read as their text, and written as they were. A UTF-8 byte order
  /// mark, as MSAL.NET's files may have, is read and not written again: Python refuses it.
  ///
  /// - Throws: ``CacheDocumentError`` when some library could not read the document, or when writing
  ///   it again would lose something.
  package init(_ bytes: [UInt8]) throws(CacheDocumentError) {
    if bytes.isEmpty {
      self.init()
      return
    }
    let hadByteOrderMark = bytes.starts(with: JSONScanner.byteOrderMark)
    let text = hadByteOrderMark ? Array(bytes.dropFirst(JSONScanner.byteOrderMark.count)) : bytes
    let root: JSONValue
    do { root = try JSONValue(text) } catch { throw CacheDocumentError(error) }
    guard case .object(let members) = root else {
      throw CacheDocumentError(
        .notAnObject, "the cache document is JSON, but not an object with sections")
    }
    try self.init(members: members)
    self.hadByteOrderMark = hadByteOrderMark
  }

  /// The document that has these members.
  init(members: [String: JSONValue]) throws(CacheDocumentError) {
    for (name, value) in members {
      guard let section = DocumentSection(rawValue: name) else {
        others[name] = value
        continue
      }
      guard case .object(let entries) = value else {
        throw CacheDocumentError(
          .sectionNotAnObject, "the section \"\(name)\" of the cache document is not an object")
      }
      sections[section] = entries.mapValues { .read($0) }
    }
    for section in DocumentSection.allCases {
      let entries = members[section.rawValue]?.object ?? [:]
      for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
      {
        do {
          try read(value, in: section, under: key)
        } catch {
          unreadable.append(UnreadableEntry(section: section, key: key, error: error))
        }
      }
    }
  }

  private mutating func read(
    _ value: JSONValue, in section: DocumentSection, under key: String
  ) throws(MSALItemError) {
    guard case .object(let members) = value else {
      throw MSALItemError(.notAnObject, "the entry is not an object")
    }
    let payload = Payload(members, takesNumbers: true)
    switch section {
    case .account:
      let account = try Account(payload: payload)
      accounts.append(Entry(section: section, key: key, value: account))
      identities.insert(account.identity)
    case .appMetadata:
      let metadata = try AppMetadata(payload: payload)
      appMetadata.append(Entry(section: section, key: key, value: metadata))
      identities.insert(metadata.identity)
    case .accessToken, .idToken, .refreshToken:
      let credential = try Credential(payload: payload, defaultKind: section.defaultKind)
      credentials.append(Entry(section: section, key: key, value: credential))
      identities.insert(credential.identity)
    }
  }

  /// The objects of a section as they are, in the order of their keys.
  package func objects(in section: DocumentSection) -> [DocumentObject] {
    (sections[section] ?? [:]).compactMap { object($1, section, $0) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// The object under this very key.
  package func object(in section: DocumentSection, key: String) -> DocumentObject? {
    (sections[section]?[key]).flatMap { object($0, section, key) }
  }

  private func object(_ part: Part, _ section: DocumentSection, _ key: String) -> DocumentObject? {
    value(of: part, in: section).object.map {
      DocumentObject(section: section, key: key, members: $0)
    }
  }

  private func value(of part: Part, in section: DocumentSection) -> JSONValue {
    switch part {
    case .read(let value): value
    case .added(let position): .object(fields(of: position, in: section).members)
    }
  }

  /// The fields of an entry that was added to this section.
  private func fields(of position: Int, in section: DocumentSection) -> Payload.Fields {
    switch section {
    case .account: accounts[position].value.fields
    case .appMetadata: appMetadata[position].value.fields
    case .accessToken, .idToken, .refreshToken: credentials[position].value.fields
    }
  }

  /// The objects that another document does not have, section by section.
  package func objects(besides other: CacheDocument) -> [DocumentObject] {
    DocumentSection.allCases.flatMap { section in
      objects(in: section).filter { other.sections[section]?[$0.key] == nil }
    }
  }

  /// Removes the object under this very key; for taking back what was added, and nothing else. A section
  /// that nothing is left of goes too.
  package mutating func remove(_ section: DocumentSection, key: String) {
    sections[section]?[key] = nil
    if sections[section]?.isEmpty ?? false { sections[section] = nil }
  }

  /// The document of a place. What has none of a document's sections is something else, and not written
  /// into.
  ///
  /// - Parameter place: what messages call it.
  /// - Throws: `StoreError.notACache` when it is none.
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

  /// Adds this account unless its key, or the same account under another key, is there.
  ///
  /// - Parameter key: its own key, where the caller has it already.
  /// - Returns: whether it was added.
  package mutating func add(_ account: Account, under key: String? = nil) -> Bool {
    guard let place = insert(account, key, at: accounts.count) else { return false }
    accounts.append(Entry(section: place.section, key: place.key, value: account))
    return true
  }

  /// Adds this credential unless its key, or the same credential under another key, is there, or
  /// documents have no section for its kind.
  ///
  /// - Parameter key: its own key, where the caller has it already.
  /// - Returns: whether it was added.
  package mutating func add(_ credential: Credential, under key: String? = nil) -> Bool {
    guard let place = insert(credential, key, at: credentials.count) else { return false }
    credentials.append(Entry(section: place.section, key: place.key, value: credential))
    return true
  }

  /// Adds this app metadata unless its key, or that of the same client in the same cloud, is there.
  ///
  /// - Parameter key: its own key, where the caller has it already.
  /// - Returns: whether it was added.
  package mutating func add(_ metadata: AppMetadata, under key: String? = nil) -> Bool {
    guard let place = insert(metadata, key, at: appMetadata.count) else { return false }
    appMetadata.append(Entry(section: place.section, key: place.key, value: metadata))
    return true
  }

  /// Whether this account, under whatever key, is in the document.
  package func contains(_ account: Account) -> Bool { holds(account) }

  /// Whether this credential, under whatever key, is in the document.
  package func contains(_ credential: Credential) -> Bool { holds(credential) }

  /// Whether app metadata of this client in this cloud, under whatever key, is in the document.
  package func contains(_ metadata: AppMetadata) -> Bool { holds(metadata) }

  private func holds(_ entry: some DocumentEntry) -> Bool {
    guard let section = entry.documentSection else { return false }
    return sections[section]?[entry.documentKey] != nil || identities.contains(entry.identity)
  }

  /// Where the entry is now; nil when it was there, or documents have no section for it.
  private mutating func insert(
    _ entry: some DocumentEntry, _ key: String?, at position: Int
  ) -> (section: DocumentSection, key: String)? {
    guard let section = entry.documentSection else { return nil }
    let key = key ?? entry.documentKey
    guard sections[section]?[key] == nil, identities.insert(entry.identity).inserted else {
      return nil
    }
    sections[section, default: [:]][key] = .added(position)
    return (section, key)
  }

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
      let (section, parts) = sections[position - others.count]
      write(parts, of: section, to: &writer)
    }
    writer.write(verbatim: "\n")
    return writer.bytes
  }

  private func write(
    _ parts: [String: Part], of section: DocumentSection, to writer: inout JSONWriter
  ) {
    let parts = Array(parts)
    writer.write(members: parts.map(\.key), depth: 1) { writer, position in
      switch parts[position].value {
      case .read(let value): writer.write(value, depth: 2)
      case .added(let position): fields(of: position, in: section).write(to: &writer, depth: 2)
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
    "[cache document, \(accounts.count) accounts, \(credentials.count) credentials]"
  }
}

/// An object of a section as it is, for readers that ask nothing else of it.
package struct DocumentObject: Sendable, Equatable {
  package let section: DocumentSection
  package let key: String
  package let members: [String: JSONValue]

  package init(section: DocumentSection, key: String, members: [String: JSONValue]) {
    self.section = section
    self.key = key
    self.members = members
  }

  /// The SHA-256 of the object, however it is spelled.
  package var digest: String { SHA256Digits.text(of: JSONValue.object(members).encoded()) }
}
