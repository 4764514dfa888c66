// SPDX-License-Identifier: MIT
import MSALCache

extension TokenCacheMigration {
  /// Home account IDs from a directory, for users whose tokens do not prove their home account.
  ///
  /// CSV or JSON with the columns of mapping-rules §2.6. Required are `home_oid`, `home_tid` and one way to name the
  /// user: `tid` with `oid`, the object of the tenant that issued the token (preferred), or `upn`. `username_override`
  /// and `environment` are optional. A line with empty home columns is ignored.
  public struct AccountMap: Sendable, Equatable {
    /// One line of the map.
    package struct Entry: Sendable, Equatable {
      /// The object id in the home tenant: `uid`.
      package var homeOID: String
      /// The home tenant: `utid`.
      package var homeTID: String
      /// The tenant in which `oid` is.
      package var tid: String?
      /// The object id in the tenant that was signed in to.
      package var oid: String?
      /// The user name that ADAL's row has.
      package var upn: String?
      /// The user name to write.
      package var usernameOverride: String?
      /// The only host, or alias, that the entry applies to.
      package var environment: String?

      /// An entry, which the map checks.
      package init(
        homeOID: String, homeTID: String, tid: String? = nil, oid: String? = nil,
        upn: String? = nil, usernameOverride: String? = nil, environment: String? = nil
      ) {
        self.homeOID = homeOID
        self.homeTID = homeTID
        self.tid = tid
        self.oid = oid
        self.upn = upn
        self.usernameOverride = usernameOverride
        self.environment = environment
      }
    }

    /// The lines, in the given order.
    package var entries: [Entry] = []
    /// The place of each line, in words.
    package var places: [String] = []
    /// The places of lines without a home account.
    package var unfilled: [String] = []
    /// The lines that name an object of a tenant.
    package var byObject: [ObjectID: [Scope: Match]] = [:]
    /// The lines that name only a user.
    package var byUserName: [String: [Scope: Match]] = [:]
    /// The maps to ask when no line here matches.
    package private(set) var others: [AccountMap] = []

    /// Whether there is no line.
    var isEmpty: Bool { entries.isEmpty && others.allSatisfy(\.isEmpty) }

    /// The cloud for which lines count; nil for all.
    package typealias Scope = String?

    /// The lines that say the same of one account, as one.
    package struct Match: Sendable {
      /// The numbers of the lines; empty for a match from another map.
      package var numbers: [Int]
      /// The entry that these lines give.
      package var entry: Entry

      /// A line, as its number in the map.
      package init(numbers: [Int], entry: Entry) {
        self.numbers = numbers
        self.entry = entry
      }

      /// These lines and others that say the same.
      package func joined(with other: Match) -> Match {
        var match = self
        match.numbers += other.numbers
        match.entry.usernameOverride = entry.usernameOverride ?? other.entry.usernameOverride
        return match
      }
    }

    /// A map without lines.
    public init() {}

    public static func == (a: AccountMap, b: AccountMap) -> Bool {
      a.entries == b.entries && a.places == b.places && a.unfilled == b.unfilled
        && a.others == b.others
    }

    /// This map, with another one to ask about users that this map does not name. The map of one cache comes before a
    /// map for many caches, because no cache uses every line of the latter. Reports do not list the other map's unused
    /// lines.
    package func before(_ other: AccountMap) -> AccountMap {
      var map = self
      map.others.append(other)
      return map
    }

    /// The lines for an object of a tenant, in a cloud.
    func match(_ object: ObjectID, cloud: String) -> Match? {
      if let match = Self.match(byObject[object], in: cloud) { return match }
      for other in others {
        if let match = other.match(object, cloud: cloud) { return Self.ofOther(match) }
      }
      return nil
    }

    /// The lines for a user name without an object, in a cloud.
    func match(userName: String, cloud: String) -> Match? {
      if let match = Self.match(byUserName[userName.foldedUserName], in: cloud) { return match }
      for other in others {
        if let match = other.match(userName: userName, cloud: cloud) { return Self.ofOther(match) }
      }
      return nil
    }

    /// A match from another map. None of its lines counts as used.
    private static func ofOther(_ match: Match) -> Match { Match(numbers: [], entry: match.entry) }

    // Asked in four places, and seldom.
    @inline(never)
    private static func match(_ matches: [Scope: Match]?, in cloud: String) -> Match? {
      guard let own = matches?[cloud] else { return matches?[nil] ?? nil }
      return (matches?[nil] ?? nil).map { own.joined(with: $0) } ?? own
    }
  }
}

/// A user as one tenant knows it: the claims `tid` and `oid`, lower-case.
package struct ObjectID: Sendable, Hashable {
  @ExactText var tid: String
  @ExactText var oid: String

  /// Nil if one of the two is missing.
  package init?(tid: String?, oid: String?) {
    guard let tid = tid.nonBlank?.identifier,
      let oid = oid.nonBlank?.identifier
    else {
      return nil
    }
    self.tid = tid
    self.oid = oid
  }
}

extension AccountMap.Entry {
  /// The home account id that the line gives.
  package var homeAccountID: HomeAccountID {
    HomeAccountID(uid: homeOID, utid: homeTID)
  }

  /// The user as the tenant knows it; nil where the line does not say it.
  package var object: ObjectID? { ObjectID(tid: tid, oid: oid) }
}
