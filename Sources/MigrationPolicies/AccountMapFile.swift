// SPDX-License-Identifier: MIT
import ADALMigration
import PlatformFoundation
import MSALCache

extension AccountMap {
  /// The map in a file: a JSON array of objects, or CSV with a header line.
  ///
  /// CSV has commas, or semicolons as in locales with decimal commas.
  ///
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` with the line of the error.
  public init(file bytes: [UInt8]) throws {
    var content = bytes[...]
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    let text = String(decoding: content, as: UTF8.self)
    guard text.utf8.elementsEqual(content) else {
      throw MigrationError.invalidPolicy("the account map is not UTF-8")
    }
    if text.trimmed.hasPrefix("[") {
      try self.init(json: text)
    } else {
      try self.init(csv: text)
    }
  }

  private init(json text: String) throws {
    let lines: [Entry]
    do {
      lines = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
    } catch let error as MigrationError {
      throw error
    } catch {
      throw MigrationError.invalidPolicy(
        "the account map is not a JSON array of objects with text values")
    }
    try self.init(lines)
  }

  private init(csv text: String) throws {
    let records = try CSV.records(of: text)
    guard let header = records.first else {
      throw MigrationError.invalidPolicy("the account map is empty; it needs a header line")
    }
    let columns = header.fields.map { $0.normalized }
    let known = Entry.CodingKeys.allCases.map(\.rawValue)
    for column in columns where !known.contains(column) {
      throw MigrationError.invalidPolicy(
        "line \(header.line): unknown column \"\(column)\"; known are \(known.joined(separator: ", "))"
      )
    }
    for required in ["home_oid", "home_tid"] where !columns.contains(required) {
      throw MigrationError.invalidPolicy("line \(header.line): the column \(required) is missing")
    }
    try self.init(
      numbered: records.dropFirst().map { record in
        let place = "line \(record.line)"
        guard record.fields.count == columns.count else {
          throw MigrationError.invalidPolicy(
            "\(place): the header has \(columns.count) fields, "
              + "this line has \(record.fields.count)")
        }
        let fields = record.fields.map(CSV.withoutGuard)
        let values = Dictionary(zip(columns, fields)) { first, _ in first }
        return (place, Entry { values[$0.rawValue] })
      })
  }
}

extension AccountMap.Entry: Decodable {
  /// In the order in which templates have them.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case homeOID = "home_oid"
    case homeTID = "home_tid"
    case tid, oid, upn
    case usernameOverride = "username_override"
    case environment
  }

  /// A line as it is written.
  package init(_ text: (CodingKeys) throws -> String?) rethrows {
    self.init(
      homeOID: try text(.homeOID) ?? "", homeTID: try text(.homeTID) ?? "", tid: try text(.tid),
      oid: try text(.oid), upn: try text(.upn), usernameOverride: try text(.usernameOverride),
      environment: try text(.environment))
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(onlyOf: CodingKeys.self, in: "the account map")
    try self.init { try values.decodeIfPresent(String.self, forKey: $0) }
  }
}

extension AccountMap {
  /// - Throws: ``TokenCacheMigration/MigrationError/invalidPolicy(_:)`` if a line has no key or a malformed ID, or two lines with one key have
  ///   different home account IDs or user names.
  package init(_ entries: [Entry]) throws {
    try self.init(numbered: entries.enumerated().map { ("account map entry \($0 + 1)", $1) })
  }

  init(numbered lines: [(place: String, entry: Entry)]) throws {
    self.init()
    for (place, entry) in lines { try add(entry, at: place) }
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
}

extension AccountMap.Entry {
  fileprivate var normalised: Self {
    Self(
      homeOID: homeOID.identifier, homeTID: homeTID.identifier,
      tid: tid.nonBlank?.identifier, oid: oid.nonBlank?.identifier,
      upn: upn.nonBlank?.foldedUserName, usernameOverride: usernameOverride.nonBlank,
      environment: environment.nonBlank?.lowercasedLikeNSString)
  }

  fileprivate func validate(at place: String) throws {
    let ids = [("home_oid", homeOID), ("home_tid", homeTID), ("tid", tid), ("oid", oid)]
    for (column, value) in ids {
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

extension Inspection {
  /// An account map to fill in, as CSV, with one line for every account without a home account ID.
  ///
  /// The home columns are empty, and the others have the known values (mapping-rules §2.6).
  ///
  /// - Parameters:
  ///   - showsUserNames: whether the column `upn` has real names. Otherwise they are masked as in reports, and
  ///     you must complete a line that has no other key.
  ///   - mask: the mask of user names.
  package func accountMapTemplate(showsUserNames: Bool, mask: NameMask = .msal) -> String {
    let columns = AccountMap.Entry.CodingKeys.allCases.map(\.rawValue)
    let lines = unresolvedUsers.map { user in
      let (cloud, name, tid, oid) = (user[0], user[1], user[2], user[3])
      // Entra ID's ids are GUIDs; another one can be a name. The columns are home_oid, home_tid, tid, oid, upn,
      // username_override, environment.
      return CSV.line([
        "", "", showsUserNames || tid.isGUID ? tid : mask.text(tid),
        showsUserNames || oid.isGUID ? oid : mask(oid), showsUserNames ? name : mask(name), "",
        cloud,
      ])
    }
    return CSV.line(columns) + lines.joined()
  }
}
