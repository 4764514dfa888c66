// SPDX-License-Identifier: MIT
import MSALCache

extension TokenCacheMigration {
  /// The decisions of a team about its migration.
  ///
  /// The product `MigrationPolicies` reads one from a JSON file.
  public struct Policy: Sendable, Equatable {
    /// The client ids to convert, in the spelling that is written (D5); nil for every client.
    public var clientIDs: [String]? { didSet { spellings = Self.spellings(of: clientIDs) } }
    /// Whether to migrate access tokens (D2).
    public var accessTokens: Bool
    /// Home account IDs from a directory.
    public var accountMap: AccountMap
    /// Hosts outside Microsoft's list that are Entra ID authorities, each a separate cloud (D31): a name, which allows
    /// every port, or a name and a port.
    public var allowedHosts: [String]
    /// The lowest certainty of a home account ID for a conversion (D1).
    public var minimumConfidence: TokenCacheMigration.Report.Confidence
    /// Whether to match a guest's row to the only member with the same user name (D32).
    public var joinsGuests: Bool
    /// The client ids by the form that is compared; nil for every client.
    private var spellings: [ExactText: String]?

    /// A policy with these settings; the others have their defaults.
    public init(
      clientIDs: [String]? = nil, accessTokens: Bool = true,
      accountMap: TokenCacheMigration.AccountMap = TokenCacheMigration.AccountMap(),
      allowedHosts: [String] = [],
      minimumConfidence: TokenCacheMigration.Report.Confidence = .joined,
      joinsGuests: Bool = false
    ) {
      self.clientIDs = clientIDs
      spellings = Self.spellings(of: clientIDs)
      self.accessTokens = accessTokens
      self.accountMap = accountMap
      self.allowedHosts = allowedHosts
      self.minimumConfidence = minimumConfidence
      self.joinsGuests = joinsGuests
    }

    /// Whether a text is the id of an app of Entra ID: a GUID.
    package static func isClientID(_ text: String) -> Bool { text.isGUID }

    /// Whether a text can be one of the allowed hosts; 443 is no port of its own.
    package static func isHost(_ text: String) -> Bool {
      let host = text.normalized
      return Authority("https://\(host)/common")?.environment.isExactly(host) ?? false
    }

    /// Whether the migration is about a client; nil where a row or entry does not name one, and may be of any.
    func includes(client: String?) -> Bool {
      guard let client, let spellings else { return true }
      return spellings[client.identifier] != nil
    }

    /// The client id as it is written: as the policy spells it, to the letter (D5, D37), else as it is.
    func written(_ clientID: String) -> String { spellings?[clientID.identifier] ?? clientID }

    /// The first of two spellings of one client id counts.
    private static func spellings(of clientIDs: [String]?) -> [ExactText: String]? {
      guard let clientIDs else { return nil }
      var spellings: [ExactText: String] = [:]
      for id in clientIDs where spellings[id.identifier] == nil { spellings[id.identifier] = id }
      return spellings
    }

    /// Whether a host that the alias table does not know may be sent refresh tokens.
    func allows(_ authority: Authority) -> Bool {
      allowedHosts.contains {
        let allowed = $0.normalized
        return allowed == authority.host || allowed == authority.environment
      }
    }
  }
}
