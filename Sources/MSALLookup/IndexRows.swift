// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems
import MSALCache

// The rows for look-ups: each item is read once, and found again by the keys that MSAL queries for.
extension MSALIndex {
  /// The places of rows. Most often it is one, which needs no allocation.
  struct Positions: Sendable {
    private var first: Int?
    private var others: [Int] = []

    var all: [Int] { first.map { [$0] + others } ?? [] }

    mutating func append(_ position: Int) {
      if first == nil { first = position } else { others.append(position) }
    }

    func first(where isIt: (Int) -> Bool) -> Int? {
      if let first, isIt(first) { return first }
      return others.first(where: isIt)
    }
  }

  /// The places of rows by the keys of queries.
  struct Term: Hashable, Sendable {
    enum Kind: Int {
      /// Tokens by generic attribute and account; access tokens by each of their scopes, too.
      case token, accessToken
      /// Refresh tokens by the home account id as it is spelled; and by client or family, too.
      case refreshToken, client, family
      /// ID tokens by the parts that give an account its claims; and by client, too.
      case claims
      /// Accounts by generic attribute, by home account id, and by both.
      case accountName, account, namedAccount
      /// App metadata by service attribute.
      case metadata
      /// ADAL's rows by user, by the home account ID that they hold, and where they have no resource, by authority
      /// and client; and by user, too.
      case rowUser, rowHome, rowKey, rowKeyAndUser
    }

    private let kind: Kind
    @ExactText private var first: String
    @ExactText private var second: String
    @ExactText private var third: String

    init(_ kind: Kind, _ first: String, _ second: String = "", _ third: String = "") {
      self.kind = kind
      self.first = first
      self.second = second
      self.third = third
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(kind.rawValue)
      first.hashBytes(into: &hasher)
      // Most have no more than one text.
      if !second.isEmpty { second.hashBytes(into: &hasher) }
      if !third.isEmpty { third.hashBytes(into: &hasher) }
    }
  }

  /// Reserves room for so many entries, most of which are tokens.
  package mutating func reserve(_ count: Int) {
    tokens.reserveCapacity(tokens.count + count)
    positions.reserveCapacity(positions.count + 2 * count)
  }

  /// Adds an entry as its item would be read, without writing and reading its payload (D38).
  package mutating func addRow(
    _ entry: MSALEntry, _ attributes: ItemAttributes, accessGroup: String
  ) {
    addRow(
      LookupRow(
        entry, index: items, item: attributes.key(accessGroup: accessGroup), type: attributes.type,
        generic: attributes.generic))
    items += 1
  }

  /// Adds an item, whatever it is.
  ///
  /// - Parameter entry: the entry that was already read from the item.
  package mutating func addRow(_ item: KeychainItem, _ entry: MSALEntry? = nil) {
    if let entry, let home = entry.homeAccountID {
      accountEntries[home.identifier, default: AccountEntries()].take(entry)
    }
    // One that says more than its type, such as an account with a secret, is looked at again.
    if let entry, let attributes = ItemAttributes(of: item), entry.isOfType(attributes.type) {
      addRow(entry, attributes, accessGroup: item.accessGroup)
    } else {
      read(item)
    }
  }

  private mutating func read(_ item: KeychainItem) {
    defer { items += 1 }
    let isSwitch = item.account == ItemType.familySwitch && item.service == ItemType.familySwitch
    do {
      let members = try item.payloadMembers()
      read(item, members)
      if isSwitch, familySwitch == nil {
        familySwitch = Self.isTrue(members.first { $0.key == "use_single_frt" }?.value)
      }
    } catch {
      guard let type = item.type, (1000..<6000).contains(type) else { return }
      refuse(item, type, .readable, error.description)
    }
  }

  private mutating func read(_ item: KeychainItem, _ members: [PayloadMember]) {
    func take(as shape: MSALEntry.Shape) {
      let entry = MSALEntry(members, as: shape)
      addRow(LookupRow(entry, index: items, item: item.key, type: item.type, generic: item.generic))
    }
    let has = { (field: String) in members.first { $0.key == field }?.value.string }
    if has("secret") != nil {
      take(as: .token)
    } else if let type = item.type, ItemType.credentials.contains(type) {
      refuse(item, type, .readable, MSALCacheError.missing("secret").description)
    }
    switch item.type ?? 0 {
    case ItemType.accounts:
      if has("authority_type").flatMap(MSALEntry.typeNumber) != nil {
        take(as: .account)
      } else {
        refuse(
          item, item.type ?? 0, .authorityType, "has no authority_type that MSAL knows")
      }
    case ItemType.appMetadata: take(as: .appMetadata)
    case ItemType.accountMetadata where item.account == "authority_map":
      let client = ExactText(item.service)
      guard metadataByClient[client] == nil else { return }
      let metadata = AccountMetadata(Dictionary(members) { $1 }, service: item.service)
      metadataByClient[client] = metadata
      for (home, account) in metadata.accounts where account.signInState == .signedIn {
        clientsSignedIn[home, default: []].insert(client)
      }
    default: break
    }
  }

  private mutating func refuse(
    _ item: KeychainItem, _ type: Int, _ failed: LookupPredicate, _ why: String
  ) {
    unreadable.append((type, items, item.key, failed, why))
  }

  private mutating func addRow(_ row: LookupRow) {
    if let home = row.entry.homeAccountID { homes.insert(home.identifier) }
    switch row.entry.kind {
    case .account: addAccount(row)
    case .appMetadata:
      note(Term(.metadata, row.item.service), at: appMetadata.count)
      appMetadata.append(row)
    default: addToken(row)
    }
  }

  private mutating func note(_ term: Term, at position: Int) {
    positions[term, default: Positions()].append(position)
  }

  private mutating func addToken(_ row: LookupRow) {
    let position = tokens.count
    tokens.append(row)
    guard !row.isTombstone else { return }
    func note(_ term: Term) { self.note(term, at: position) }
    if let type = row.type { tokensByType[type, default: []].append(position) }
    if let generic = row.genericText, let home = row.normalizedHomeAccountID {
      if row.type == MSALEntry.Kind.accessToken.typeNumber {
        for scope in Self.scopes(of: row) { note(Term(.accessToken, generic, home, scope)) }
      } else {
        note(Term(.token, generic, home))
      }
    }
    switch row.type {
    case MSALEntry.Kind.refreshToken.typeNumber, MSALEntry.Kind.familyRefreshToken.typeNumber:
      guard let home = row.entry.homeAccountID else { return }
      note(Term(.refreshToken, home))
      if let client = row.normalizedClientID { note(Term(.client, home, client)) }
      if let family = row.entry.familyID?.normalized { note(Term(.family, home, family)) }
    case MSALEntry.Kind.idToken.typeNumber:
      let (environment, realm) = (row.entry.environment, row.entry.realm)
      let claims = Self.claimsKey(row.normalizedHomeAccountID, environment, realm)
      note(Term(.claims, claims))
      if let client = row.normalizedClientID { note(Term(.claims, claims, client)) }
    default: break
    }
  }

  private static func scopes(of row: LookupRow) -> [String] {
    guard let target = row.entry.target else { return [] }
    // Most often there is one.
    return target.isOneWord
      ? [target.normalized] : Set(target.scopeWords.map { ExactText($0) }).map(\.text)
  }

  private mutating func addAccount(_ row: LookupRow) {
    let position = accounts.count
    accounts.append(row)
    guard row.type == ItemType.account else { return }
    func note(_ term: Term) { self.note(term, at: position) }
    if let generic = row.genericText { note(Term(.accountName, generic)) }
    guard let home = row.normalizedHomeAccountID else { return }
    note(Term(.account, home))
    if let generic = row.genericText { note(Term(.namedAccount, generic, home)) }
  }

  private static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .number(let number): number != 0
    // `boolValue`: after blanks, signs and zeros a digit 1 to 9 or one of the letters yYtT.
    case .string(let text):
      text.trimmed.first { !"+-0".contains($0) }.map { "123456789yYtT".contains($0) } ?? false
    default: false
    }
  }

}

extension MSALEntry {
  /// Whether an item of a type is read as this entry and as nothing else.
  fileprivate func isOfType(_ type: Int) -> Bool {
    switch kind {
    case .account: ItemType.accounts.contains(type) && additional["secret"] == nil
    case .appMetadata: type == ItemType.appMetadata && additional["secret"] == nil
    default: ItemType.credentials.contains(type)
    }
  }
}
