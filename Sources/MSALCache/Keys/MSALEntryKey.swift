// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

extension MSALEntry {
  /// The key by which MSAL identifies an entry under any alias host. Two entries with one key are the same to MSAL, and
  /// one would overwrite the other. This is a class without variables: a key is passed on and looked up about ten
  /// times, and a struct would count references to all its texts each time.
  package final class Key: Sendable, Hashable {
    package enum Kind: Int, Sendable {
      case appMetadata, idToken, otherToken, accessToken, refreshToken, familyRefreshToken, account
    }

    package let account: AccountKey
    package let kind: Kind
    /// The client id, or the family id of a family token.
    package let owner: String
    package let realm: String
    package let target: String
    /// The application that an access token is bound to.
    package let application: String
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
      self.owner.hashBytes(into: &hasher)
      self.realm.hashBytes(into: &hasher)
      self.target.hashBytes(into: &hasher)
      hash = hasher.finalize()
    }

    /// The key of a client's app metadata.
    package convenience init(appMetadataOf client: ClientKey) {
      self.init(
        .appMetadata, AccountKey(cloud: client.cloud, spelled: ""), owner: client.client)
    }

    /// The same key for another scope.
    package func of(target: String) -> Key {
      Key(kind, account, owner: owner, realm: realm, target: target, application: application)
    }

    // Compares the most distinctive parts first.
    package static func == (a: Key, b: Key) -> Bool {
      a === b
        || a.hash == b.hash && a.kind == b.kind && a.target.isExactly(b.target)
          && a.owner.isExactly(b.owner) && a.realm.isExactly(b.realm)
          && a.application.isExactly(b.application) && a.account == b.account
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
}

extension MSALEntry {
  /// The keys that MSAL knows the entry by: one, but for an access token with several scopes.
  package var keys: [Key] { keys(of: account) }

  /// - Parameter account: the account of the entry.
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

  /// The key by which two entries of a document are equal in any place: it combines all scopes and ignores the
  /// application.
  var identity: Key {
    let (client, realm) = (clientID ?? "", realm ?? "")
    switch kind {
    case .accessToken, .accessTokenWithAuthScheme:
      var target = target ?? ""
      if !target.isOneWord {
        let scopes = Set(target.scopeWords.map { ExactText($0) }).ordered()
        target = scopes.map(\.text).joined(separator: " ")
      }
      return Key(
        kind == .accessToken ? .accessToken : .otherToken, account, owner: client, realm: realm,
        target: target)
    case .idToken: return Key(.idToken, account, owner: client, realm: realm)
    default: return key(of: account)
    }
  }
}
