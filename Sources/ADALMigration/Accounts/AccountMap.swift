// SPDX-License-Identifier: MIT
import Foundation
import MSALCache
import MSALCache

/// Home account ids that someone looked up, for people whose own tokens do not tell theirs.
///
/// CSV or JSON with the columns of mapping-rules §2.6: `home_oid` and `home_tid` (required), and who it
/// is: `tid` with `oid`, the object of the tenant that issued the token (preferred), or `upn`.
/// `username_override` and `environment` are optional. A template's row without home columns is not
/// filled in yet and says nothing.
public struct AccountMap: Sendable, Equatable {
  /// One line of the map.
  public struct Entry: Sendable, Hashable {
    /// The object id in the home tenant: `uid`.
    public var homeOID: String
    /// The home tenant: `utid`.
    public var homeTID: String
    /// The tenant in which `oid` is.
    public var tid: String?
    /// The object id in the tenant that was signed in to.
    public var oid: String?
    /// The user name that ADAL's row has.
    public var upn: String?
    /// The user name to write.
    public var usernameOverride: String?
    /// The only host, or alias, for which the entry counts.
    public var environment: String?

    /// An entry; it is checked when a map is made of it.
    public init(
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

  /// The lines, as they came.
  public private(set) var entries: [Entry] = []
  /// Where each line stands, in words.
  private(set) var places: [String] = []
  private var byObject: [ObjectID: [Int]] = [:]
  private var byUserName: [String: [Int]] = [:]

  /// A map without lines.
  public init() {}

  /// A map of these lines.
  ///
  /// - Throws: ``PolicyError`` when a line has no key or a malformed id, or two lines give one key
  ///   different home account ids (`map.ambiguous`).
  public init(_ entries: [Entry]) throws {
    try self.init(numbered: entries.enumerated().map { ("account map entry \($0 + 1)", $1) })
  }

  init(numbered lines: [(place: String, entry: Entry)]) throws {
    for (place, entry) in lines {
      try add(entry, at: place)
    }
  }

  private mutating func add(_ line: Entry, at place: String) throws {
    let entry = line.normalised
    if entry.homeOID.isEmpty && entry.homeTID.isEmpty { return }
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
    in index: WritableKeyPath<AccountMap, [Key: [Int]]>, at place: String
  ) throws {
    let others = self[keyPath: index][key, default: []].map { entries[$0] }
    if others.contains(where: { $0.overlaps(entry) && !$0.saysTheSame(as: entry) }) {
      throw PolicyError(
        "\(place): another line gives the same person another home account id (map.ambiguous)")
    }
    self[keyPath: index][key, default: []].append(number)
  }

  /// The line for an object of a tenant, in a cloud.
  func match(_ object: ObjectID, cloud: String) -> (number: Int, entry: Entry)? {
    first(of: byObject[object], in: cloud)
  }

  /// The line for a user name that names no object, in a cloud.
  func match(userName: String, cloud: String) -> (number: Int, entry: Entry)? {
    first(of: byUserName[userName.normalized], in: cloud)
  }

  private func first(of numbers: [Int]?, in cloud: String) -> (number: Int, entry: Entry)? {
    for number in numbers ?? [] where entries.indices.contains(number) {
      if entries[number].applies(in: cloud) { return (number, entries[number]) }
    }
    return nil
  }
}

/// A user as one tenant knows it: the claims `tid` and `oid`, lower-case.
struct ObjectID: Sendable, Hashable {
  var tid: String
  var oid: String

  init?(tid: String?, oid: String?) {
    guard let tid = tid.nonBlank?.lowercasedLikeNSString, let oid = oid.nonBlank?.lowercasedLikeNSString else {
      return nil
    }
    self.tid = tid
    self.oid = oid
  }
}

extension AccountMap.Entry {
  /// The home account id that the line gives.
  public var homeAccountID: HomeAccountID {
    HomeAccountID(uid: homeOID, utid: homeTID)
  }

  var object: ObjectID? { ObjectID(tid: tid, oid: oid) }

  fileprivate var normalised: Self {
    Self(
      homeOID: homeOID.normalized, homeTID: homeTID.normalized,
      tid: tid.nonBlank?.lowercasedLikeNSString, oid: oid.nonBlank?.lowercasedLikeNSString,
      upn: upn.nonBlank?.lowercasedLikeNSString, usernameOverride: usernameOverride.nonBlank,
      environment: environment.nonBlank?.lowercasedLikeNSString)
  }

  fileprivate func validate(at place: String) throws {
    for (column, value) in [("home_oid", homeOID), ("home_tid", homeTID)] where !value.isGUID {
      throw PolicyError("\(place): \(column) is not a GUID")
    }
    for (column, value) in [("tid", tid), ("oid", oid)] {
      if let value, !value.isGUID { throw PolicyError("\(place): \(column) is not a GUID") }
    }
    if (tid == nil) != (oid == nil) {
      throw PolicyError("\(place): tid and oid belong together; one of them is missing")
    }
    if let upn, upn.hasPrefix("auth.placeholder-"), tid == nil {
      throw PolicyError("\(place): the upn is masked; write the real user name in its place")
    }
    if tid == nil && upn == nil {
      throw PolicyError("\(place): says nobody; give tid and oid, or upn")
    }
  }

  fileprivate func applies(in cloud: String) -> Bool {
    environment.map { Cloud.key(of: $0) == cloud } ?? true
  }

  fileprivate func overlaps(_ other: Self) -> Bool {
    guard let mine = environment, let theirs = other.environment else { return true }
    return Cloud.key(of: mine) == Cloud.key(of: theirs)
  }

  fileprivate func saysTheSame(as other: Self) -> Bool {
    homeAccountID == other.homeAccountID && usernameOverride == other.usernameOverride
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

  public init(from decoder: any Decoder) throws {
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
