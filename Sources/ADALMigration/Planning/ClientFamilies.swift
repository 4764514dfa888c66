// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache
import MSALLookup

/// A client, an account or a user name in one cloud, in numbers.
struct CloudSymbol: Sendable, Hashable {
  let cloud: Symbol
  let id: Symbol
}

extension Symbols {
  /// Whether the texts of `a` sort before those of `b`.
  func precede(_ a: CloudSymbol, _ b: CloudSymbol) -> Bool {
    a.cloud == b.cloud ? order(a.id, b.id) < 0 : order(a.cloud, b.cloud) < 0
  }
}

/// The family membership of clients, as far as a cache tells (D4).
struct ClientFamilies: Sendable {
  enum Membership: Sendable, Equatable {
    case member(of: String)
    /// The service said that the client is in no family.
    case none
    /// The membership is unknown. MSAL then tries family 1.
    case unknown
  }

  private var families: [CloudSymbol: Set<Symbol>] = [:]
  private var clientsInNoFamily: Set<CloudSymbol> = []
  /// The clouds that a client has rows of.
  private var clouds: [Symbol: Set<Symbol>] = [:]
  /// Clients with their own refresh token. A document gets app metadata for each, and it names no family if none is
  /// known (D4).
  private var holders: Set<CloudSymbol> = []
  /// The app metadata that a document gets for refresh tokens in MSAL's form, with the family that each names; empty
  /// for no family.
  private var carried: [MSALEntry.Key: String] = [:]
  /// The families that sign in a client that the policy names.
  private var askedFor: Set<CloudSymbol> = []
  private let existing: MSALIndex
  private let form: CacheForm

  /// - Parameter carried: the refresh tokens in MSAL's form that are carried or were there.
  init(
    _ rows: [ADALRow], existing: MSALIndex, carried: [CarriedToken] = [], form: CacheForm,
    _ symbols: Symbols
  ) {
    self.existing = existing
    self.form = form
    var familyOfToken: [Int: Symbol] = [:]
    for row in rows where row.kind == .familyRefreshToken {
      if let token = row.refreshToken { familyOfToken[token] = row.family }
    }
    var last: CloudSymbol?
    for row in rows where row.kind != .familyRefreshToken && row.isConvertible {
      let client = CloudSymbol(cloud: row.cloud, id: row.client)
      // Rows of one client are often one after the other.
      if client != last { clouds[client.id, default: []].insert(client.cloud) }
      last = client
      let ofToken = row.refreshToken.flatMap { familyOfToken[$0] } ?? .none
      let family = row.family == .none ? ofToken : row.family
      if family != .none {
        families[client, default: []].insert(family)
      } else if row.deniesFamily {
        clientsInNoFamily.insert(client)
      }
      if row.refreshToken != nil && row.account != nil { holders.insert(client) }
    }
    for token in carried.lazy.map(\.token) where form == .document {
      let client = ClientKey(cloud: token.cloud, client: token.clientID ?? "")
      let key = MSALEntry.Key(appMetadataOf: client)
      let (known, named) = (self.carried[key] ?? "", token.familyID.nonBlank ?? "")
      self.carried[key] = known.isEmpty || named.isEmpty ? known + named : min(known, named)
    }
  }

  /// The membership in the target's app metadata, or else in the app metadata that the plan will add.
  func membership(of client: ClientKey, _ symbols: Symbols) -> Membership {
    if !existing.isEmpty,
      let metadata = existing.entries(MSALEntry.Key(appMetadataOf: client)).first
    {
      return metadata.familyID.nonBlank.map { .member(of: $0) } ?? .none
    }
    return ofTokens(client, symbols)
  }

  /// The family whose refresh token signs in a client without its own token; nil for no family. MSAL tries the only
  /// existing family for a client without known membership. MSAL for Python tries it only while the document has no app
  /// metadata of the client.
  ///
  /// MSAL for iOS and macOS lists accounts by the client's first app metadata of any cloud, so the membership in other
  /// clouds counts too (MSAL src/instance/MSALAccountsProvider.m, accountsForParameters).
  func familySignIn(of client: ClientKey, _ symbols: Symbols) -> String? {
    let family: String
    switch membership(of: client, symbols) {
    case .member(let own): family = own
    case .unknown where form == .document && isHolder(client, symbols): return nil
    case .unknown: family = Self.known
    case .none: return nil
    }
    guard form == .keychainItems else { return family }
    func isListed(in cloud: String) -> Bool {
      let membership = membership(of: ClientKey(cloud: cloud, client: client.client), symbols)
      return membership == .unknown || membership == .member(of: family)
    }
    let ofRows = symbols.known(client.client).flatMap { clouds[$0] } ?? []
    return ofRows.allSatisfy { isListed(in: symbols[$0]) }
      && existing.cloudsOfMetadata(of: client.client).allSatisfy(isListed) ? family : nil
  }

  /// Notes which families sign in one of these clients, in the clouds of the cache's family rows.
  mutating func ask(for clientIDs: [String], _ rows: [ADALRow], _ symbols: Symbols) {
    var clouds: Set<Symbol> = []
    for row in rows where row.kind == .familyRefreshToken && clouds.insert(row.cloud).inserted {
      for id in clientIDs {
        let client = ClientKey(cloud: symbols[row.cloud], client: id)
        let family = familySignIn(of: client, symbols).flatMap(symbols.known) ?? .none
        if family != .none { askedFor.insert(CloudSymbol(cloud: row.cloud, id: family)) }
      }
    }
  }

  /// Whether one of the clients that were asked for may use a family's row.
  func isAskedFor(_ row: ADALRow) -> Bool {
    askedFor.contains(CloudSymbol(cloud: row.cloud, id: row.family))
  }

  private func isHolder(_ client: ClientKey, _ symbols: Symbols) -> Bool {
    carried[MSALEntry.Key(appMetadataOf: client)] != nil
      || known(client, symbols).map(holders.contains) ?? false
  }

  private func known(_ client: ClientKey, _ symbols: Symbols) -> CloudSymbol? {
    guard let cloud = symbols.known(client.cloud), let id = symbols.known(client.client) else {
      return nil
    }
    return CloudSymbol(cloud: cloud, id: id)
  }

  /// The only family that there is.
  static let known = "1"

  /// The membership that the rows give, or else the tokens in MSAL's form for which a document gets app metadata.
  func ofTokens(_ client: ClientKey, _ symbols: Symbols) -> Membership {
    let known = known(client, symbols)
    if let family = known.flatMap({ families[$0] })?.map({ symbols[$0] }).min() {
      return .member(of: family)
    }
    if !carried.isEmpty, let family = carried[MSALEntry.Key(appMetadataOf: client)].nonBlank {
      return .member(of: family)
    }
    return known.map(clientsInNoFamily.contains) ?? false ? .none : .unknown
  }
}

extension LegacyToken {
  /// Whether the row states that its client is in no family: its archive has the key `familyId` without a value. Since
  /// 2.7 access tokens never have a value there.
  var deniesFamily: Bool {
    guard knowsFamilyID, familyID.nonBlank == nil else { return false }
    return refresh != nil || cachedAt == nil
  }
}
