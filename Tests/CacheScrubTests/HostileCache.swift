// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems
import SyntheticCaches

@testable import CacheScrub

/// A cache whose author hides names, identifiers, hosts and tokens wherever a reader looks for something else:
/// in any field, in names of fields and in keys, spelled in up to six ways, each in the next.
///
/// It is made from a seed, and says what it hides.
struct HostileCache {
  enum Format: CaseIterable {
    case snapshot, items, objection, dump, archive, blob, dotNet, list, document, unifiedList
    case base64, hexadecimal, preferences, context

    /// Whether digits may be broken into lines.
    var isBroken: Bool { [.base64, .hexadecimal, .preferences].contains(self) }
  }

  /// Names of fields whose values stay when they are dates, numbers or kinds, and others.
  static let fields = [
    "exp", "ver", "alg", "typ", "type", "class", "format", "version", "schema", "expires_on",
    "token_type", "credential_type", "family_id", "foci", "pdmn", "cached_at", "item_class",
    "sign_in_state", "secret", "username", "name", "target", "home_account_id", "realm", "kid",
    "client_info", "environment", "acct", "svce", "account", "service", "scope", "x-note",
  ]

  let format: Format
  private(set) var content = Content.file([])
  /// The parts that no copy may contain, in any spelling.
  private(set) var hidden: Set<String> = []
  /// When the newest entry of MSAL was stored, in Unix seconds.
  var lastStored = 1_700_000_000
  var random: SplitMix64
  private let people: [Person]
  /// How many of a hundred fields have something else than a reader expects.
  let hostility: Int

  private struct Person {
    let local: String
    let label: String
    let object: String
    let tenant: String
    let token: String

    init(_ random: inout SplitMix64) {
      func spelled(_ count: ClosedRange<Int>, _ letters: String) -> String {
        let letters = Array(letters)
        let count = Int.random(in: count, using: &random)
        return String(
          (0..<count).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
      }
      func identifier() -> String {
        [8, 4, 4, 4, 12].map { spelled($0...$0, "0123456789abcdef") }.joined(separator: "-")
      }
      let letters = "abdefghiklmnoprstuvwyz"
      let foreign = ["", "", "Ž", "é", "ü", "Д"].randomElement(using: &random) ?? ""
      local = "\(foreign)\(spelled(8...10, letters).capitalized).\(spelled(8...9, letters))"
      label = spelled(8...12, letters)
      (object, tenant) = (identifier(), identifier())
      token =
        "0.A"
        + spelled(20...60, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    }

    var name: String { "\(local)@\(label).com" }
    var host: String { "https://\(label).sharepoint.com/" }
  }

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    format = Format.allCases[Int(seed % UInt64(Format.allCases.count))]
    people = (0..<2).map { _ in Person(&random) }
    hostility = [5, 30, 90].randomElement(using: &random) ?? 90
    self.random = random
    content = make()
  }

  // The hidden parts.

  private mutating func person() -> Person {
    people[Int.random(in: people.indices, using: &random)]
  }

  mutating func name() -> String {
    let person = person()
    hidden.formUnion([person.local, person.label])
    return person.name
  }

  mutating func host() -> String {
    let person = person()
    hidden.insert(person.label)
    return person.host
  }

  mutating func identifier() -> String {
    let person = person()
    hidden.insert(person.object)
    return person.object
  }

  mutating func homeAccount() -> String {
    let person = person()
    hidden.formUnion([person.object, person.tenant])
    return "\(person.object).\(person.tenant)"
  }

  mutating func token() -> String {
    let token = person().token
    hidden.insert(token)
    return token
  }

  mutating func secret() -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: name()
    case 1: host()
    case 2: identifier()
    case 3: homeAccount()
    default: token()
    }
  }

  /// Something hidden, with something before and behind it.
  mutating func spelled() -> String {
    let secret = Array(secret().utf8)
    let made = HostileSpelling.spell(secret, isText: true, &random)
    let text = String(decoding: made, as: UTF8.self)
    let around = [
      ("login.windows.net ", " v2.0"), ("x|", "|y"), ("https://login.windows.net/?a=", "&b=c"),
      ("(", ")"), ("<", ">"), ("2023-11-14 ", " 2.0"), ("", "\n"), ("Bearer ", ""),
    ]
    let (before, behind) = around.randomElement(using: &random) ?? ("", "")
    return random.chance(50) ? text : before + text + behind
  }

  /// The kind of value that a reader expects in a field.
  enum Expected: ExpressibleByStringLiteral {
    case words(String), name, host, identifier, homeAccount, token

    init(stringLiteral words: String) { self = .words(words) }
  }

  /// A text of a field: what a reader expects, or something hidden.
  mutating func text(_ expected: Expected) -> String {
    if random.chance(hostility) { return spelled() }
    return switch expected {
    case .words(let words): words
    case .name: name()
    case .host: host()
    case .identifier: identifier()
    case .homeAccount: homeAccount()
    case .token: token()
    }
  }

  mutating func bytes() -> [UInt8] {
    let secret = Array(secret().utf8)
    return HostileSpelling.spell(secret, isText: false, &random)
  }

  /// The name of a field, which may be something hidden itself.
  mutating func field(_ expected: String) -> String {
    random.chance(hostility / 5) ? spelled() : expected
  }

  // Formats

  mutating func make() -> Content {
    switch format {
    case .snapshot: return .items(items())
    case .items: return .file(itemsFile())
    case .objection: return .file(objection())
    case .dump: return .file(dump())
    case .archive: return .file(archive())
    case .blob: return .file(SyntheticRow.blob(rows()))
    case .dotNet: return .file(dotNet())
    case .list: return .file(list())
    case .document: return .file(document())
    case .unifiedList:
      return .file(JSONValue.array([.object(entry()), .object(entry())]).encoded())
    case .base64: return .file(broken(Base64.text(of: dotNet(), .standard), by: "\n"))
    case .hexadecimal: return .file(broken("0x" + Hexadecimal.text(of: dotNet()), by: "\r\n"))
    case .preferences: return .file(preferences())
    case .context: return .file(context())
    }
  }

  mutating func rows() -> [SyntheticRow] {
    (0..<Int.random(in: 1...2, using: &random)).map { _ in row() }
  }

  mutating func row() -> SyntheticRow {
    var row = SyntheticRow()
    row.generation = SyntheticRow.Generation.allCases.randomElement(using: &random) ?? .twoSix
    row.authority = text("https://login.windows.net/common")
    row.resource = random.chance(50) ? text(.host) : nil
    row.clientID = text("27922004-5251-4030-b22d-91ecd9a37ea4")
    row.accessToken = row.resource == nil ? nil : text(.token)
    row.accessTokenType = text("Bearer")
    row.refreshToken = text(.token)
    row.expiresOn = 1_700_003_600
    row.familyID = random.chance(50) ? text("1") : nil
    row.homeAccountID = text(.homeAccount)
    row.idToken = idToken()
    row.userID = text(.name)
    row.clientInfo = text("")
    row.enrollmentID = text("")
    row.applicationIdentifier = random.chance(20) ? text("com.contoso.app") : nil
    row.modified = 1_700_000_000
    row.accessGroup = text("ABCDE12345.com.microsoft.adalcache")
    return row
  }

  mutating func idToken() -> String {
    let claims: [String: JSONValue] = [
      "upn": .string(text(.name)), "oid": .string(text(.identifier)), "ver": .string(text("1.0")),
      "exp": .string(text("1700000000")), field("iss"): .string(text("https://sts.windows.net/")),
    ]
    return [
      Array(#"{"typ":"JWT","alg":"none"}"#.utf8), JSONValue.object(claims).encoded(), [1, 2],
    ]
    .map { Base64.text(of: $0, .url) }.joined(separator: ".")
  }

  mutating func items() -> [KeychainItem] {
    rows().map { row in
      var item = row.item
      if random.chance(hostility) {
        item.data = TokenSecret(random.chance(50) ? JSONValue.object(entry()).encoded() : bytes())
      }
      if random.chance(hostility / 3) { item.data = TokenSecret(archive()) }
      if random.chance(hostility / 3) { item.generic = bytes() }
      if random.chance(hostility / 3) { item.account = spelled() }
      if random.chance(hostility / 3) { item.service = spelled() }
      item.accessibility = text("cku")
      item.label = text("ADAL")
      item.itemDescription = text("a cache")
      item.comment = text("2023-11-14")
      return item
    }
  }

  mutating func itemsFile() -> [UInt8] {
    let items = items().map { item in
      var members: [String: JSONValue] = [
        "class": .string("genp"), "agrp": .string(item.accessGroup), "acct": .string(item.account),
        "svce": .string(item.service), "cdat": .number(1700000000),
        "pdmn": .string(item.accessibility ?? ""), "labl": .string(item.label ?? ""),
        "desc": .string(item.itemDescription ?? ""), "icmt": .string(item.comment ?? ""),
      ]
      // Reveal: the generator hid what is in it.
      members["data"] = .string(Base64.text(of: item.data?.reveal() ?? [], .standard))
      members["gena"] = .string(Base64.text(of: item.generic ?? [], .standard))
      if random.chance(hostility) { members[field("x-note")] = value(depth: 0) }
      return JSONValue.object(members)
    }
    var file: [String: JSONValue] = [
      "format": .string("keychain-items"), "version": .number(1), "items": .array(items),
    ]
    if random.chance(hostility) { file[field("note")] = value(depth: 0) }
    return JSONValue.object(file).encoded()
  }

  /// A value of any shape.
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 2 ? 2 : 5), using: &random) {
    case 0, 1: .string(spelled())
    case 2: .array([value(depth: depth + 1), .number(1700000000), .bool(true)])
    default:
      .object(
        Dictionary(
          (0..<2).map { _ in
            let name = Self.fields.randomElement(using: &random) ?? "a"
            return (field(name), value(depth: depth + 1))
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  mutating func objection() -> [UInt8] {
    let items = items().map { item in
      JSONValue.object([
        "item_class": .string(text("kSecClassGenericPassword")),
        "account": .string(item.account), "service": .string(item.service),
        "generic": .string(String(decoding: item.generic ?? [], as: UTF8.self)),
        "entitlement_group": .string(item.accessGroup),
        // Reveal: the generator hid what is in it.
        "dataHex": .string(Hexadecimal.text(of: item.data?.reveal() ?? [])),
        "create_date": .string(text("2023-11-14 22:08:20 +0000")),
        "accessible_attribute": .string(text("kSecAttrAccessibleAlways")),
        "comment": .string(item.comment ?? ""), field("alias"): .string(text("")),
      ])
    }
    return JSONValue.array(items).encoded()
  }

  mutating func dump() -> [UInt8] {
    var lines: [[UInt8]] = []
    func line(_ start: String, _ value: [UInt8]) -> [UInt8] {
      Array(start.utf8) + DumpLine.printed(value)
    }
    for item in items() {
      lines.append(line("keychain: ", Array("/Users/\(text("adele"))/login.keychain-db".utf8)))
      lines += ["version: 512", "class: \"genp\"", "attributes:"].map { Array($0.utf8) }
      let texts = [
        ("0x00000007 ", item.label ?? ""), ("\"acct\"", item.account), ("\"svce\"", item.service),
        ("\"icmt\"", item.comment ?? ""), ("\"\(field("desc"))\"", item.itemDescription ?? ""),
      ]
      for (name, text) in texts { lines.append(line("    \(name)<blob>=", Array(text.utf8))) }
      lines.append(line("    \"gena\"<blob>=", item.generic ?? []))
      let date = random.chance(hostility) ? bytes() : Array("20231114220820Z\0".utf8)
      lines.append(line("    \"mdat\"<timedate>=", date))
      lines.append(Array("    \"\(field("crtr"))\"<\(field("uint32"))>=<NULL>".utf8))
      if random.chance(hostility) { lines.append(Array(spelled().utf8)) }
      // Reveal: the generator hid what is in it.
      lines += [Array("data:".utf8), line("", item.data?.reveal() ?? [])]
    }
    return Array(lines.joined(separator: [0x0A])) + [0x0A]
  }

  /// An archive with keys of any name, and values where a reader expects others.
  mutating func archive() -> [UInt8] {
    let fields = ["authority", "accessToken", "refreshToken", "expiresOn", "type", "familyId"].map {
      (field($0), archived(depth: 0))
    }
    let name = random.chance(hostility / 4) ? spelled() : "ADTokenCacheStoreItem"
    return ArchiveWriter.archive(.object(name, fields))
  }

  mutating func archived(depth: Int) -> ArchiveWriter.Value {
    switch Int.random(in: 0..<(depth > 1 ? 4 : 7), using: &random) {
    case 0: .string(spelled())
    case 1: .mutableString(spelled())
    case 2: .data(bytes())
    case 3: .url(spelled())
    case 4: .array([archived(depth: depth + 1), .date(1_700_000_000), .integer(7)])
    default:
      .keyed([
        (.string(field("expiresOn")), archived(depth: depth + 1)),
        (.string(spelled()), archived(depth: depth + 1)),
      ])
    }
  }
}
