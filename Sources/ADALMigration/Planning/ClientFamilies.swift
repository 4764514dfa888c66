// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import MSALLookup

/// Which clients belong to a family, as far as a cache says (D4).
struct ClientFamilies: Sendable {
  enum Membership: Sendable, Equatable {
    case member(of: String)
    /// The service said that the client is in no family.
    case none
    /// Nothing is known: MSAL then tries family 1.
    case unknown
  }

  private var families: [ClientKey: Set<String>] = [:]
  private var loners: Set<ClientKey> = []
  /// The clouds that a client has rows of, by its id.
  private var clouds: [ExactText: Set<String>] = [:]
  private let existing: MSALIndex
  private let form: CacheForm

  init(_ rows: [LegacyRow], existing: MSALIndex, form: CacheForm) {
    self.existing = existing
    self.form = form
    var familyBySecret: [TokenSecret: String] = [:]
    for row in rows where row.kind == .familyRefreshToken {
      if let secret = row.token.refresh { familyBySecret[secret] = row.family }
    }
    var last: ClientKey?
    for row in rows where row.kind != .familyRefreshToken && row.isConvertible {
      let client = ClientKey(cloud: row.cloud, client: row.client.text)
      // Rows of one client are often one after the other.
      if client != last { clouds[client.client, default: []].insert(client.cloud) }
      last = client
      if let family = row.family ?? row.token.refresh.flatMap({ familyBySecret[$0] }) {
        families[client, default: []].insert(family)
      } else if row.deniesFamily {
        loners.insert(client)
      }
    }
  }

  /// What the target's app metadata says, else what the rows say.
  func membership(of client: ClientKey) -> Membership {
    if let metadata = existing.entries(MSALEntry.Key(appMetadataOf: client)).first {
      return metadata.familyID.nonBlank.map { .member(of: $0) } ?? .none
    }
    return ofRows(client)
  }

  /// The family with whose refresh token a client signs in that has none of its own; nil for none. One of
  /// which nothing is known is tried with the family that there is.
  ///
  /// MSAL for iOS and macOS lists accounts by the client's app metadata of any cloud, whichever comes
  /// first, so that what another cloud says counts there too
  /// (MSAL src/instance/MSALAccountsProvider.m, accountsForParameters).
  func familySignIn(of client: ClientKey) -> String? {
    let family: String
    switch membership(of: client) {
    case .member(let own): family = own
    case .unknown: family = Self.known
    case .none: return nil
    }
    guard form == .keychainItems else { return family }
    let clouds = (clouds[client.client] ?? [])
      .union(existing.cloudsOfMetadata(of: client.client))
    let isListed = clouds.allSatisfy {
      let membership = membership(of: ClientKey(cloud: $0, client: client.client))
      return membership == .unknown || membership == .member(of: family)
    }
    return isListed ? family : nil
  }

  /// The only family that there is.
  static let known = "1"

  /// What the rows alone say.
  func ofRows(_ client: ClientKey) -> Membership {
    if let family = families[client]?.min() { return .member(of: family) }
    return loners.contains(client) ? .none : .unknown
  }
}

extension LegacyRow {
  /// Whether the row says that its client is in no family: its archive knows the key `familyId` and
  /// has nothing there. From 2.7 on access tokens have nothing there in any case.
  fileprivate var deniesFamily: Bool {
    guard token.knowsFamilyID, token.familyID.nonBlank == nil else { return false }
    return token.refresh != nil || token.cachedAt == nil
  }
}
