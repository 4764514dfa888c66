// SPDX-License-Identifier: MIT
import Foundation
import MSALCache

extension TokenCacheMigration {
  /// Home account IDs from a directory, for users whose tokens do not prove theirs.
  ///
  /// CSV or JSON with the columns of mapping-rules §2.6: `home_oid` and `home_tid` (required), and who it
  /// is: `tid` with `oid`, the object of the tenant that issued the token (preferred), or `upn`.
  /// `username_override` and `environment` are optional. A line with
  /// empty home columns is ignored.
  public struct AccountMap: Sendable, Equatable {
    /// One line of the map.
    package struct Entry: Sendable, Hashable {
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

      /// An entry, which ``AccountMap/init(_:)`` checks.
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
    package private(set) var entries: [Entry] = []
    /// Where each line stands, in words.
    private(set) var places: [String] = []
    /// Where the lines stand that name no home account yet.
    package private(set) var unfilled: [String] = []
    private var byObject: [ObjectID: [Scope: Match]] = [:]
    private var byUserName: [String: [Scope: Match]] = [:]
    /// What is asked where these lines say nothing.
    package private(set) var others: [AccountMap] = []

    /// Whether there is no line.
    var isEmpty: Bool { entries.isEmpty && others.allSatisfy(\.isEmpty) }

    /// The cloud for which lines count; nil for all.
    private typealias Scope = String?

    /// The lines that say the same of one account, as one.
    struct Match: Sendable, Equatable {
      /// Which lines they are; none of another map's.
      var numbers: [Int]
      var entry: Entry

      /// These lines and others that say the same.
      fileprivate func joined(with other: Match) -> Match {
        var match = self
        match.numbers += other.numbers
        match.entry.usernameOverride = entry.usernameOverride ?? other.entry.usernameOverride
        return match
      }
    }

    /// A map without lines.
    public init() {}

    /// A map of these lines.
    ///
    /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` if a line has no key or a malformed ID, or two lines with one key have
    ///   different home account IDs or user names.
    package init(_ entries: [Entry]) throws {
      try self.init(numbered: entries.enumerated().map { ("account map entry \($0 + 1)", $1) })
    }

    init(numbered lines: [(place: String, entry: Entry)]) throws {
      for (place, entry) in lines {
        try add(entry, at: place)
      }
    }

    private mutating func add(_ line: Entry, at place: String) throws {
      let entry = line.normalised
      if entry.homeOID.isEmpty && entry.homeTID.isEmpty {
        unfilled.append(place)
        return
      }
      try entry.validate(at: place)
      let number = entries.count
      entries.append(entry)
      places.append(place)
      if let object = entry.object {
        try note(number, of: entry, under: object, in: \.byObject, at: place)
      } else if let upn = entry.upn {
        try note(number, of: entry, under: upn, in: \.byUserName, at: place)
      }
    }

    private mutating func note<Key: Hashable>(
      _ number: Int, of entry: Entry, under key: Key,
      in index: WritableKeyPath<AccountMap, [Key: [Scope: Match]]>, at place: String
    ) throws {
      let scope = entry.environment.map { Cloud.key(of: $0) }
      let there = self[keyPath: index][key, default: [:]]
      // A line for all clouds meets every line, another one those for its cloud and for all.
      let others =
        scope == nil ? Array(there.values) : [there[scope], there[nil]].compactMap { $0 }
      for other in others {
        if other.entry.homeAccountID != entry.homeAccountID {
          throw MigrationError.invalidPolicy(
            "\(place): another line gives the same account a different home account ID")
        }
        if let mine = entry.usernameOverride, let theirs = other.entry.usernameOverride,
          mine != theirs
        {
          throw MigrationError.invalidPolicy(
            "\(place): another line gives the same account a different user name")
        }
      }
      let match = Match(numbers: [number], entry: entry)
      self[keyPath: index][key, default: [:]][scope] = there[scope]?.joined(with: match) ?? match
    }

    /// The map that asks these lines, and for whom they say nothing the other map: that of one cache before
    /// one for many, of which no cache uses every line. No report lists the other map's unused lines.
    package func before(_ other: AccountMap) -> AccountMap {
      var map = self
      map.others.append(other)
      return map
    }

    /// What the lines for an object of a tenant say, in a cloud.
    func match(_ object: ObjectID, cloud: String) -> Match? {
      Self.match(byObject[object], in: cloud) ?? ofOthers { $0.match(object, cloud: cloud) }
    }

    /// What the lines for a user name that name no object say, in a cloud.
    func match(userName: String, cloud: String) -> Match? {
      Self.match(byUserName[userName.foldedUserName], in: cloud)
        ?? ofOthers { $0.match(userName: userName, cloud: cloud) }
    }

    private func ofOthers(_ find: (AccountMap) -> Match?) -> Match? {
      others.lazy.compactMap(find).first.map { Match(numbers: [], entry: $0.entry) }
    }

    private static func match(_ matches: [Scope: Match]?, in cloud: String) -> Match? {
      guard let own = matches?[cloud] else { return matches?[nil] ?? nil }
      return (matches?[nil] ?? nil).map { own.joined(with: $0) } ?? own
    }
  }
}

/// A user as one tenant knows it: the claims `tid` and `oid`, lower-case.
struct ObjectID: Sendable, Hashable {
  @ExactText var tid: String
  @ExactText var oid: String

  init?(tid: String?, oid: String?) {
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

  var object: ObjectID? { ObjectID(tid: tid, oid: oid) }

  fileprivate var normalised: Self {
    Self(
      homeOID: homeOID.identifier, homeTID: homeTID.identifier,
      tid: tid.nonBlank?.identifier, oid: oid.nonBlank?.identifier,
      upn: upn.nonBlank?.foldedUserName, usernameOverride: usernameOverride.nonBlank,
      environment: environment.nonBlank?.lowercasedLikeNSString)
  }

  fileprivate func validate(at place: String) throws {
    for (column, value) in [("home_oid", homeOID), ("home_tid", homeTID)] where !value.isGUID {
      throw MigrationError.invalidPolicy("\(place): \(column) is not a GUID")
    }
    for (column, value) in [("tid", tid), ("oid", oid)] {
      if let value, !value.isGUID {
        throw MigrationError.invalidPolicy("\(place): \(column) is not a GUID")
      }
    }
    if (tid == nil) != (oid == nil) {
      throw MigrationError.invalidPolicy("\(place): tid and oid must both be set; one is missing")
    }
    if let upn, upn.hasPrefix("auth.placeholder-"), tid == nil {
      throw MigrationError.invalidPolicy(
        "\(place): the upn is masked; replace it with the real user name")
    }
    if tid == nil && upn == nil {
      throw MigrationError.invalidPolicy("\(place): names no account; set tid and oid, or upn")
    }
  }
}

extension AccountMap.Entry: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case homeOID = "home_oid"
    case homeTID = "home_tid"
    case tid, oid, upn
    case usernameOverride = "username_override"
    case environment
  }

  package init(from decoder: any Decoder) throws {
    try UnknownKeys.refuse(
      in: decoder, known: CodingKeys.allCases.map(\.rawValue), of: "the account map")
    let values = try decoder.container(keyedBy: CodingKeys.self)
    homeOID = try values.decodeIfPresent(String.self, forKey: .homeOID) ?? ""
    homeTID = try values.decodeIfPresent(String.self, forKey: .homeTID) ?? ""
    tid = try values.decodeIfPresent(String.self, forKey: .tid)
    oid = try values.decodeIfPresent(String.self, forKey: .oid)
    upn = try values.decodeIfPresent(String.self, forKey: .upn)
    usernameOverride = try values.decodeIfPresent(String.self, forKey: .usernameOverride)
    environment = try values.decodeIfPresent(String.self, forKey: .environment)
  }
}
