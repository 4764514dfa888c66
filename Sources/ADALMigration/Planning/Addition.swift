// SPDX-License-Identifier: MIT
import ADALCache
import KeychainItems
import MSALCache

/// The key by which MSAL identifies an entry, as numbers. Two entries with one key are the same to MSAL, under any
/// alias host.
struct EntryKey: Sendable, Hashable {
  let cloud: Symbol
  /// The home account ID; none for app metadata.
  let home: Symbol
  let kind: MSALEntry.Key.Kind
  /// The client id, or the family id of a family token.
  var owner = Symbol.none
  var realm = Symbol.none
  var target = Symbol.none
  /// The application that an access token is bound to.
  var application = Symbol.none

  /// The account of the entry.
  func account(_ symbols: Symbols) -> AccountKey {
    AccountKey(cloud: symbols[cloud], spelled: symbols[home])
  }

  /// The key in texts.
  func text(_ symbols: Symbols) -> MSALEntry.Key {
    MSALEntry.Key(
      kind, account(symbols), owner: symbols[owner],
      realm: symbols[realm], target: symbols[target], application: symbols[application])
  }
}

extension Symbols {
  /// The key in numbers.
  mutating func key(_ key: MSALEntry.Key) -> EntryKey {
    EntryKey(
      cloud: symbol(of: key.account.cloud), home: symbol(of: key.account.home), kind: key.kind,
      owner: symbol(of: key.owner), realm: symbol(of: key.realm), target: symbol(of: key.target),
      application: symbol(of: key.application))
  }
}

/// An entry to be written. Its texts are put together when it is written or shown.
struct Addition: Sendable {
  /// The content of an entry.
  enum Content: Sendable {
    /// A token of a row, by the row's place; a refresh token with the family that it is written for.
    case token(MSALEntry.Kind, row: Int, family: Symbol)
    /// An entry of ``Decisions/entries``.
    case entry(Int)
  }

  let key: EntryKey
  let type: EntryType
  let content: Content
  /// The access group to write to; none for a document.
  let group: Symbol
  /// The spelling of the entry's fields; nil for absent ones.
  let homeAccountID: Symbol?
  let environment: Symbol
  let clientID: Symbol?
  let realm: Symbol?
  let target: Symbol?
  /// Its key, where it goes into a document.
  var documentKey: Symbol?
  /// Whether this is a copy of an account under another host. Copies come after the account itself, because they depend
  /// on it.
  var isCopy = false

  /// The place in D22's order. After any number of writes, MSAL sees no account that it cannot use.
  private var step: Int {
    switch type {
    case .appMetadata: 0
    case .idToken: 1
    case .accessToken: 2
    case .refreshToken: 3
    case .account: isCopy ? 5 : 4
    }
  }

  /// Whether it is written before another one: by access group and account, app metadata first and accounts last (D22).
  /// App metadata belongs to no account. It comes first, while nothing depends on it.
  func precedes(_ other: Addition, _ symbols: Symbols) -> Bool {
    let (a, b) = (key, other.key)
    if group != other.group { return symbols.order(group, other.group) < 0 }
    if a.home != b.home { return symbols.order(a.home, b.home) < 0 }
    if step != other.step { return step < other.step }
    if a.cloud != b.cloud { return symbols.order(a.cloud, b.cloud) < 0 }
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    if a.owner != b.owner { return symbols.order(a.owner, b.owner) < 0 }
    if a.realm != b.realm { return symbols.order(a.realm, b.realm) < 0 }
    if a.target != b.target { return symbols.order(a.target, b.target) < 0 }
    if a.application != b.application { return symbols.order(a.application, b.application) < 0 }
    return symbols.order(environment, other.environment) < 0
  }

  /// The entry in the report's words.
  func write(_ symbols: Symbols) -> Report.Write {
    Report.Write(
      type: type, environment: symbols[environment],
      realm: type == .appMetadata ? nil : realm.map { symbols[$0] },
      target: target.map { symbols[$0] })
  }
}

extension Addition {
  /// An addition of an entry as it is.
  init(
    _ entry: MSALEntry, _ key: EntryKey, _ content: Content, in group: Symbol, isCopy: Bool = false,
    _ symbols: inout Symbols
  ) {
    self.key = key
    type = EntryType(entry)
    self.content = content
    self.group = group
    homeAccountID = entry.homeAccountID.map { symbols.symbol(of: $0) }
    environment = symbols.symbol(of: entry.environment)
    clientID = entry.clientID.map { symbols.symbol(of: $0) }
    realm = entry.realm.map { symbols.symbol(of: $0) }
    target = entry.target.map { symbols.symbol(of: $0) }
    self.isCopy = isCopy
  }
}

extension RowTable {
  /// The entry of an addition.
  ///
  /// - Parameter entries: those of ``Decisions/entries``.
  func entry(
    of addition: Addition, among entries: [MSALEntry], form: CacheForm, at now: Double
  ) -> MSALEntry {
    switch addition.content {
    case .entry(let number): return entries[number]
    case .token(let kind, let row, let family):
      let shared = tokens[row]
      var entry = MSALEntry(
        kind: kind, homeAccountID: addition.homeAccountID.map { symbols[$0] } ?? "",
        environment: symbols[addition.environment],
        clientID: addition.clientID.map { symbols[$0] } ?? "",
        secret: shared.token.secret(kind) ?? TokenSecret([]),
        realm: addition.realm.map { symbols[$0] }, target: addition.target.map { symbols[$0] },
        familyID: family == .none ? nil : symbols[family])
      guard kind == .accessToken else { return entry }
      entry.expiresOn = shared.token.expiresOn.flatMap(Self.seconds)
      entry.extendedExpiresOn = shared.token.extendedExpiresOn.flatMap(Self.seconds)
      entry.cachedAt = cachedAt(rows[row], form, now).flatMap(Self.seconds)
      entry.enrollmentID = shared.token.enrollmentID.nonBlank
      entry.applicationIdentifier = shared.token.applicationIdentifier.nonBlank
      return form == .document ? entry.portable(at: now) ?? entry : entry
    }
  }

  /// The time when an access token was stored, never in the future, because MSAL takes such a token for expired (D15).
  private func cachedAt(_ row: ADALRow, _ form: CacheForm, _ now: Double) -> Double? {
    let known = row.cachedAt ?? row.idTokenIssue ?? row.modified
    return known.map { min($0, now) } ?? (form == .document ? now : nil)
  }

  /// Whole Unix seconds as payloads spell them; nil for a time that a payload cannot express.
  static func seconds(_ time: Double) -> String? {
    Int64(exactly: time.rounded(.down)).map { String(max($0, 0)) }
  }
}

extension LegacyToken {
  /// The token of the row that an entry of this kind is made of.
  fileprivate func secret(_ kind: MSALEntry.Kind) -> TokenSecret? {
    switch kind {
    case .accessToken: access
    case .idToken: rawIDToken
    default: refresh
    }
  }
}
