// SPDX-License-Identifier: MIT

extension MSALEntry {
  /// What MSAL knows an entry by, whatever alias host it is filed under: two entries with one key are the same
  /// to it, and one of them would overwrite the other.
  package struct Key: Sendable, Hashable, Comparable {
    package enum Kind: Int, Sendable {
      case appMetadata, idToken, otherToken, accessToken, refreshToken, familyRefreshToken, account
    }

    package let account: AccountKey
    package let kind: Kind
    /// The client id, or the family id of a family token.
    @ExactText package private(set) var owner: String
    @ExactText package private(set) var realm: String
    @ExactText package private(set) var target: String
    /// The application that an access token is bound to.
    @ExactText package private(set) var application: String
    // Found once, since a key is looked up about ten times.
    private let hash: Int

    /// The key of these parts, trimmed, with ASCII's letters in lower case.
    package init(
      _ kind: Kind, _ account: AccountKey, owner: String = "", realm: String = "",
      target: String = "", application: String = ""
    ) {
      self.account = account
      self.kind = kind
      self.owner = owner.identifier
      self.realm = realm.identifier
      self.target = target.identifier
      self.application = application.identifier
      var hasher = Hasher()
      hasher.combine(account)
      hasher.combine(kind)
      hasher.combine(_owner)
      hasher.combine(_realm)
      hasher.combine(_target)
      hash = hasher.finalize()
    }

    /// The key of a client's app metadata.
    package init(appMetadataOf client: ClientKey) {
      self.init(
        .appMetadata, AccountKey(cloud: client.cloud, spelled: ""), owner: client.client)
    }

    /// The same key for another scope.
    package func of(target: String) -> Key {
      Key(kind, account, owner: owner, realm: realm, target: target, application: application)
    }

    // By what tells most keys apart first.
    package static func == (a: Self, b: Self) -> Bool {
      a.hash == b.hash && a.kind == b.kind && a._target == b._target && a._owner == b._owner
        && a._realm == b._realm && a._application == b._application && a.account == b.account
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func < (a: Self, b: Self) -> Bool {
      if a.account != b.account { return a.account < b.account }
      if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
      if a._owner != b._owner { return a._owner < b._owner }
      if a._realm != b._realm { return a._realm < b._realm }
      return a._target != b._target ? a._target < b._target : a._application < b._application
    }
  }
}

extension MSALEntry {
  /// The keys that MSAL knows the entry by: one, but for an access token with several scopes.
  package var keys: [Key] { keys(of: account) }

  /// - Parameter account: whose the entry is.
  package func keys(of account: AccountKey) -> [Key] {
    switch kind {
    case .accessToken:
      let target = target ?? ""
      if target.isOneWord { return [key(of: account, scope: target)] }
      let scopes = target.scopeWords
      return (scopes.isEmpty ? [""] : scopes).map { key(of: account, scope: $0) }
    default: return [key(of: account)]
    }
  }

  /// The key under one scope, where the entry is an access token.
  package func key(of account: AccountKey, scope: String = "") -> Key {
    let (client, realm) = (clientID ?? "", realm ?? "")
    let application = applicationIdentifier ?? ""
    switch kind {
    case .appMetadata: return Key(.appMetadata, account, owner: client)
    case .account: return Key(.account, account, realm: realm)
    case .refreshToken, .familyRefreshToken:
      // A refresh token has no realm; MSAL Python writes one all the same.
      return familyID.nonBlank.map { Key(.familyRefreshToken, account, owner: $0) }
        ?? Key(.refreshToken, account, owner: client)
    case .idToken:
      return Key(.idToken, account, owner: client, realm: realm, application: application)
    case .accessToken:
      return Key(
        .accessToken, account, owner: client, realm: realm, target: scope,
        application: application)
    default:
      return Key(
        .otherToken, account, owner: client, realm: realm,
        target: "\(kind?.name ?? "") \(target ?? "")", application: application)
    }
  }

  /// What makes two entries of a document the same, whatever they are filed under: all scopes together, and no
  /// application.
  var identity: Key {
    let scopes = Set((target ?? "").scopeWords.map { ExactText($0) }).sorted()
    let target = scopes.map(\.text).joined(separator: " ")
    switch kind {
    case .accessToken, .accessTokenWithAuthScheme:
      return Key(
        kind == .accessToken ? .accessToken : .otherToken, account, owner: clientID ?? "",
        realm: realm ?? "", target: target)
    case .idToken: return Key(.idToken, account, owner: clientID ?? "", realm: realm ?? "")
    default: return key(of: account)
    }
  }
}
