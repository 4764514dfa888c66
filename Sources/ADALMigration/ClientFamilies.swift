// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// Which clients belong to a family, as far as a cache says (D4).
struct ClientFamilies: Sendable {
  enum Membership: Sendable, Equatable {
    case member(of: String)
    /// The service said that the client is in no family.
    case none
    /// Nobody said anything: MSAL then tries family 1.
    case unknown
  }

  private struct Client: Hashable {
    var cloud: String
    var id: String
  }

  private var families: [Client: Set<String>] = [:]
  private var loners: Set<Client> = []
  private let existing: UnifiedState

  init(_ rows: [LegacyRow], existing: UnifiedState) {
    self.existing = existing
    var familyBySecret: [Secret: String] = [:]
    for row in rows where row.kind == .familyRefreshToken {
      if let secret = row.token.refresh { familyBySecret[secret] = row.family }
    }
    for row in rows where row.kind != .familyRefreshToken && row.isConvertible {
      let client = Client(cloud: row.cloud, id: row.client)
      if let family = row.family ?? row.token.refresh.flatMap({ familyBySecret[$0] }) {
        families[client, default: []].insert(family)
      } else if row.deniesFamily {
        loners.insert(client)
      }
    }
  }

  /// What the target's app metadata says, else what the rows say.
  func membership(of client: String, cloud: String) -> Membership {
    for case .appMetadata(let metadata) in existing.records(Self.key(of: client, cloud: cloud)) {
      return metadata.familyID.nonBlank.map { .member(of: $0) } ?? .none
    }
    return ofRows(client, cloud: cloud)
  }

  /// Whether MSAL tries a family's token for a client: it is a member, or nobody said anything and the
  /// family is the one that there is.
  func mayUse(_ family: String, client: String, cloud: String) -> Bool {
    switch membership(of: client, cloud: cloud) {
    case .member(let own): own == family
    case .unknown: family == Self.known
    case .none: false
    }
  }

  /// The only family that there is.
  static let known = "1"

  /// What the rows alone say.
  func ofRows(_ client: String, cloud: String) -> Membership {
    let client = Client(cloud: cloud, id: client)
    if let family = families[client]?.min() { return .member(of: family) }
    return loners.contains(client) ? .none : .unknown
  }

  static func key(of client: String, cloud: String) -> RecordKey {
    RecordKey(.appMetadata, cloud: cloud, owner: client)
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
