// SPDX-License-Identifier: MIT
import KeyedArchive

/// Walks a whole cache, entry by entry.
///
/// An entry's error is recorded and the walk goes on; only used-up work ends it.
struct BlobReader: ~Copyable {
  private(set) var tokens: [LegacyToken] = []
  private(set) var unreadable: [UnreadableToken] = []
  private(set) var version: Double?
  private(set) var items: ItemReader

  init(_ bytes: [UInt8]) throws(KeyedArchiveError) {
    items = try ItemReader(bytes)
  }

  /// Reads every entry that the root leads to.
  mutating func read() throws(KeyedArchiveError) {
    let root = try items.archive.root()
    switch try items.archive.content(of: root) {
    case .dictionary(let wrapper):
      guard let users = try users(of: wrapper) else { return }
      read(users.count) { reader, position throws(KeyedArchiveError) in
        try reader.read(user: position, of: users)
      }
    case .object(let store, .other("ADDefaultTokenCacheStorePersistance")):
      let elements = try elements(of: store)
      read(elements.count) { reader, position throws(KeyedArchiveError) in
        let element = try reader.items.archive.element(position, of: elements)
        try reader.read(element, at: .archive(index: position))
      }
    case .object(_, let className) where ItemClass(className)?.isItem ?? false:
      read(1) { reader, position throws(KeyedArchiveError) in
        try reader.read(root, at: .archive(index: position))
      }
    case .object(let object, _): throw KeyedArchiveError(.wrongKind, at: object.offset)
    default: throw KeyedArchiveError(.wrongKind, at: 0)
    }
  }

  /// Reads so many entries, until the work is used up.
  private mutating func read(
    _ count: Int, _ entry: (inout BlobReader, Int) throws(KeyedArchiveError) -> Void
  ) {
    do {
      for position in 0..<count { try entry(&self, position) }
    } catch {
      unreadable.append(UnreadableToken(place: .blob(.lost), error))
    }
  }

  /// The dictionary of users, through wrapper and container (adal-cache-format §3.1), or of a container
  /// without its wrapper; nil for a container that nothing was ever put in.
  private mutating func users(
    of wrapper: KeyedArchiveReader.Dictionary
  ) throws(KeyedArchiveError) -> KeyedArchiveReader.Dictionary? {
    let notACache = KeyedArchiveError(.wrongKind, at: wrapper.object.offset)
    if let content = try value("version", of: wrapper) { version = try number(content) }
    var container = wrapper
    if let content = try value("tokenCache", of: wrapper) {
      guard case .dictionary(let cache) = content else { throw notACache }
      container = cache
    }
    switch try value("tokens", of: container) {
    case .dictionary(let users)?: return users
    case nil where container != wrapper: return nil
    default: throw notACache
    }
  }

  /// The items of 0.5-alpha's file store.
  private mutating func elements(
    of store: KeyedArchiveReader.Value
  ) throws(KeyedArchiveError) -> KeyedArchiveReader.Value {
    for field in try items.archive.fields(of: store) where field.name == "cacheItems" {
      guard case .array(let elements) = try items.archive.content(of: field.value) else { break }
      return elements
    }
    throw KeyedArchiveError(.wrongKind, at: store.offset)
  }

  private mutating func read(
    _ reference: KeyedArchiveReader.Reference, at place: LegacyPlace
  ) throws(KeyedArchiveError) {
    do {
      if let token = try token(reference, at: place) { tokens.append(token) }
    } catch { try record(error, place) }
  }

  private mutating func read(
    user position: Int, of users: KeyedArchiveReader.Dictionary
  ) throws(KeyedArchiveError) {
    var key = LegacyPlace.BlobKey.lost
    do {
      let pair = try items.archive.pair(position, of: users)
      let user = try name(pair.key)
      key.user = user ?? ""
      guard case .dictionary(let entries) = try items.archive.content(of: pair.value) else {
        try record(UnreadableToken(place: .blob(key), code: .malformed))
        return
      }
      for position in 0..<entries.count {
        try read(entry: position, of: entries, key, lost: user == nil ? ["userKey"] : [])
      }
    } catch { try record(error, .blob(key)) }
  }

  /// One entry of a user: its key and its item.
  private mutating func read(
    entry position: Int, of entries: KeyedArchiveReader.Dictionary, _ user: LegacyPlace.BlobKey,
    lost: [String]
  ) throws(KeyedArchiveError) {
    var key = user
    do {
      let pair = try items.archive.pair(position, of: entries)
      let archived = try attempt(pair.key) { reader, content throws(KeyedArchiveError) in
        try reader.key(content, user: user.user)
      }
      key = archived ?? user
      guard var token = try token(pair.value, at: .blob(key)) else { return }
      if archived == nil {
        // The payload says all that the key says.
        token.place = .blob(Self.key(of: token, user: user.user))
        token.droppedFields.append("key")
      }
      if !lost.isEmpty { token.droppedFields += lost }
      token.userID = key.user.isEmpty ? nil : key.user
      if key.client == LegacyItem.noResource { token.hasPrimaryRefreshTokenKey = true }
      tokens.append(token)
    } catch { try record(error, .blob(key)) }
  }

  /// The token that a reference leads to; nil for anything else, which is recorded.
  private mutating func token(
    _ reference: KeyedArchiveReader.Reference, at place: LegacyPlace
  ) throws(KeyedArchiveError) -> LegacyToken? {
    var token = LegacyToken(place: place, origin: .apple)
    guard let row = try items.read(reference, into: &token) else { return token }
    try record(row)
    return nil
  }

  private mutating func name(
    _ key: KeyedArchiveReader.Reference
  ) throws(KeyedArchiveError) -> String? {
    try attempt(key) { reader, content throws(KeyedArchiveError) in try reader.text(content) }
  }

  /// The result of `body` for a key; nil if the key is damaged or of another kind.
  private mutating func attempt<Key>(
    _ reference: KeyedArchiveReader.Reference,
    _ body: (inout ItemReader, KeyedArchiveReader.Content) throws(KeyedArchiveError) -> Key?
  ) throws(KeyedArchiveError) -> Key? {
    do {
      return try body(&items, try items.archive.content(of: reference))
    } catch {
      guard !error.isFinal else { throw error }
      return nil
    }
  }

  private mutating func record(
    _ error: KeyedArchiveError, _ place: LegacyPlace
  ) throws(KeyedArchiveError) {
    guard !error.isFinal else { throw error }
    try record(UnreadableToken(place: place, error))
  }

  private mutating func record(_ row: UnreadableToken) throws(KeyedArchiveError) {
    try items.archive.keep(ItemReader.tokenSize, at: row.offset ?? 0)
    var row = row
    if case .blob(let key) = row.place {
      row.userID = key.user.isEmpty ? nil : key.user
      row.authority = key.authority.isEmpty ? nil : key.authority
      row.resource = key.resource
      row.clientID = key.client.isEmpty ? nil : key.client
    }
    unreadable.append(row)
  }

  /// The key under which ADAL would have put `token`.
  private static func key(of token: LegacyToken, user: String) -> LegacyPlace.BlobKey {
    LegacyPlace.BlobKey(
      user: user, authority: token.authority?.lowercased() ?? "",
      resource: token.resource?.lowercased(), client: token.clientID?.lowercased() ?? "")
  }

  private mutating func value(
    _ name: String, of dictionary: KeyedArchiveReader.Dictionary
  ) throws(KeyedArchiveError) -> KeyedArchiveReader.Content? {
    for position in 0..<dictionary.count {
      let pair = try items.archive.pair(position, of: dictionary)
      if try self.name(pair.key) == name { return try items.archive.content(of: pair.value) }
    }
    return nil
  }

  /// A version as a number; ADAL asks for its `floatValue`, which text has too.
  private mutating func number(
    _ content: KeyedArchiveReader.Content
  ) throws(KeyedArchiveError) -> Double? {
    if case .real(let number) = content { return number }
    return try items.text(content).flatMap(Double.init)
  }
}
