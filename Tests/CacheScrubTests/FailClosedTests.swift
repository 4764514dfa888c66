// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems
import ProcessUsage
import Testing

@testable import CacheScrub

/// Nothing stays because of where it stands, and a copy in which something stayed is found out.
@Suite struct FailClosedTests {
  private static let token = "0.AXYAqL_SECRETREFRESHTOKENabcdefghijklmnop0123456789QRSTUVWXYZ"
  private static let name = "alice.smith@contoso.com"
  /// A plist with the key `alice.smith`, and in it `tenant.contoso.com`.
  private static let keys =
    "YnBsaXN0MDDRAQJbYWxpY2Uuc21pdGjRAwRfEBJ0ZW5hbnQuY29udG9zby5jb21ReAgLFxovAAAAAAAAAQEAAAAAAAAABQAAAAAAAAAAAAAAAAAAADE="

  private static let session =
    #"{"account":"alice.smith@contoso.com","service":"https:\/\/api.contoso.com","token":"\#(token)"}"#

  /// The session as data of a plist, `{"cache": data}`.
  private static var archive: [UInt8] {
    let text = Array(session.utf8)
    let head = Array("bplist00".utf8) + [0xD1, 0x01, 0x02, 0x55] + Array("cache".utf8)
    let data = [0x4F, 0x10, UInt8(text.count)] + text
    let (key, value, table) = (11, 17, 17 + data.count)
    return head + data + [8, UInt8(key), UInt8(value)] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [UInt64(3), 0, UInt64(table)].flatMap { number in
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
      }
  }

  /// The parts of the token, of the user's name and of the tenant's that remain in the result.
  private func leftovers(_ bytes: [UInt8]) -> [String] {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let made = Content.file(scrub.bytes(bytes))
    let needles = [String(Self.token.suffix(40)), "alice", "smith", "contoso"]
    return needles.filter { needle in
      made.layers.contains { Data($0).range(of: Data(needle.utf8)) != nil }
    }
  }

  @Test func aNestedTextWhoseEscapesChangeIsReplaced() throws {
    let nested = JSONValue.object(["session": .string(Self.session)]).encoded()
    #expect(leftovers(nested) == [])
    #expect(leftovers(Self.archive) == [])
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let made = scrub.bytes(nested)
    guard case .object(let members) = try JSONValue(made, rules: .apple),
      case .string(let inner)? = members.values.first
    else {
      Issue.record("no text")
      return
    }
    // It is the same JSON, with its escapes.
    #expect(inner.count == Self.session.count && inner.contains(#"https:\/\/"#))
  }

  @Test("the number of rows of an ADAL.NET blob stays only if so many rows have room")
  func aRowCountHasNoText() {
    let rows: [UInt8] = [1, 0x61, 1, 0x62]
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let sound = scrub.bytes([3, 0, 0, 0, 2, 0, 0, 0] + rows)
    #expect(sound.count == 12 && Array(sound.prefix(9)) == [3, 0, 0, 0, 2, 0, 0, 0, 1])
    let made = scrub.bytes([3, 0, 0, 0] + Array("9gx2".utf8) + rows)
    #expect(made.count == 12 && Array(made.prefix(4)) == [3, 0, 0, 0] && made[7] == 0xFF)
    #expect(!zip(made[4..<7], "9gx".utf8).contains { $0 == $1 })
  }

  @Test(arguments: [
    "token_type", "schema", "version", "type", "class", "format", "ver", "alg", "typ", "exp",
    "familyId", "credential_type", "expires_on", "pdmn", "item_class", "sign_in_state",
  ])
  func aFieldKeepsNothingByItsName(_ field: String) {
    for value in [Self.token, Self.name, "\(Self.name)\",\"x\":[\"smith\"],\"y\":\"contoso"] {
      #expect(leftovers(Array("{\"\(field)\":\"\(value)\"}".utf8)) == [], "\(field)")
      #expect(leftovers(Array("{\"\(field)\":[[\"\(value)\"]]}".utf8)) == [], "\(field)")
    }
  }

  @Test(arguments: [
    "1700000000", "1700000000.5", "1700000000123", "3600", "0", "2.0", "1.0.3", "2023-11-14",
    "2023-11-14T22:13:20.191Z", "2023-11-14 23:03:19.5", "2023-11-14 22:08:20 +0000",
    "/Date(1700002999000)/", "20231114221320Z", "Bearer", "RS256", "cku", "AccessToken",
    "kSecAttrAccessibleAlways", "keychain-items",
  ])
  func datesNumbersAndKindsStay(_ value: String) {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    #expect(scrub.text(Array(value.unicodeScalars), .datum) == Array(value.unicodeScalars))
  }

  @Test(arguments: [
    "06 12 34 56 78", "10.12.13.14", "+44 20 7946 0958", "192.168.1.20:8080", "441234567890",
    "4111-1111-1111-1111", "0612345678",
  ])
  func aPersonsNumbersGo(_ number: String) {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    for role in [FieldRole.text, .datum] where number != "0612345678" || role == .text {
      let made = String(scrub.text(Array("call \(number) now".unicodeScalars), role))
      #expect(made.count == number.count + 9 && !made.contains(number), "\(made)")
    }
    #expect(scrub.text("on 2023-11-14 v2.0").contains("2023-11-14 v2.0"))
  }

  @Test func accessibilityStaysWhenItIsOne() {
    func made(_ accessibility: String) -> String? {
      var scrub = CacheScrub(seed: ScrubLawTests.seed)
      var item = KeychainItem(accessGroup: "T.g", account: "a", service: "s", data: nil)
      item.accessibility = accessibility
      return scrub.item(item).accessibility
    }
    #expect(made("cku") == "cku" && made("ak") == "ak")
    #expect(made(Self.name)?.contains("alice") == false)
  }

  @Test func keysOfAPlistStayOnlyWhenTheyAreAFieldsName() throws {
    #expect(leftovers(try #require(Base64.bytes(of: Self.keys, .standard))) == [])
  }

  @Test func declarationsAndAttributesStayOnlyWhenTheyAreTheFormats() {
    let prefs =
      #"<?xml alice.smith@contoso.com \#(Self.token) ?><map><string name="cache">AQAAAAAAAAA=</string></map>"#
    #expect(leftovers(Array(prefs.utf8)) == [])
    let dump = """
      keychain: "/Users/alice.smith/x.keychain-db"
      version: 512
      class: "genp"
      attributes:
          "acct"<blob \(Self.token) alice.smith@contoso.com>=<NULL>
          "cdat"<timedate>="\(Self.token.suffix(16))"
          "crtr"<uint32>="alic"
          "smit"<blob>=<NULL>
          "svce"<blob>="x"
      data:
      "hello"
      """
    #expect(leftovers(Array(dump.utf8)) == [])
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let made = String(decoding: scrub.bytes(Array(dump.utf8)), as: UTF8.self)
    #expect(!made.contains(String(Self.token.suffix(16))) && !made.contains("\"alic\""))
    #expect(!made.contains("smit") && made.contains("\nversion: 512\nclass: \"genp\"\nattributes:"))
  }

  @Test func namesOfFilesAreThoseOfTheCaches() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let id = "2bf5c9e6-d0c9-4dba-8c40-81d64d4defc7.0287f963-2d72-4363-9e3a-5705c5b0f031"
    #expect(scrub.fileName(id) == scrub.text(id) && scrub.fileName(id) != id)
    let megan = scrub.text("megan@contoso.com", .name)
    #expect(scrub.fileName("megan@contoso.com.adalcache") == "\(megan).adalcache")
    #expect(scrub.fileName("Megan.items.JSON") == scrub.text("Megan", .name) + ".items.JSON")
    let encoded = megan.replacingOccurrences(of: "@", with: "%40")
    #expect(scrub.fileName("megan%40contoso.com") == encoded)
  }

  // The search

  private func isFound(_ made: [UInt8], of source: [UInt8]) -> Bool {
    let source = Content.file(source)
    return source.isFound(in: .file(made), by: source.windows)
  }

  private static let secret = "Zq8hT3xWv0Lr5nKd7yBm"

  /// A text in each spelling that a cache can have.
  private static func spellings(_ text: String) -> [(String, [UInt8])] {
    let bytes = Array(text.utf8)
    let units = Array(text.utf16)
    let hex = Hexadecimal.text(of: bytes)
    let escaped = units.map { unit in
      "\\u" + Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)])
    }.joined()
    let octal = bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
    return [
      ("plain", bytes), ("base64", Array(Base64.text(of: bytes, .standard).utf8)),
      ("base64url", Array(Base64.text(of: bytes, .url).utf8)), ("hex", Array(hex.utf8)),
      ("0x", Array("0x\(hex.uppercased())".utf8)),
      ("UTF-16 little", units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      ("UTF-16 big", units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
      ("escapes", Array("{\"a\":\"\(escaped)\"}".utf8)),
      ("octal", Array("\"\(octal)\"".utf8)),
      ("percent", bytes.flatMap { Array("%\(Hexadecimal.text(of: [$0]))".utf8) }),
      ("references", Array(bytes.map { "&#\($0);" }.joined().utf8)),
      ("nested", Array(#"{"a":"{\"b\":\"\#(text)\"}"}"#.utf8)),
      (
        "base64 of escapes",
        Array(Base64.text(of: Array("{\"a\":\"\(escaped)\"}".utf8), .standard).utf8)
      ),
      ("hex of base64", Array(Hexadecimal.text(of: Array(Base64.text(of: bytes, .url).utf8)).utf8)),
    ]
  }

  @Test("references of an archive are no name, and a name in UTF-8 is one")
  func referencesAreNoName() {
    let references = Array(UInt8(0x80)...0x9F)
    #expect(!isFound(references, of: references))
    #expect(!isFound([0xDE] + references, of: [0xDE] + references))
    let letters = Array(UInt8(0x30)...0x7E)
    #expect(!isFound(letters, of: letters))
    #expect(isFound(Array("abcdefhijklm".utf8), of: Array("abcdefhijklm".utf8)))
    let named = references + Array("Žofie Čapková".utf8)
    #expect(isFound(named, of: named))
    #expect(isFound(Array("Дмитрий".utf8), of: Array("Дмитрий".utf8)))
  }

  @Test func aSearchFindsEightBytesInEverySpelling() {
    for text in [Self.secret, Self.name, "f3a9c1d2-77be-4c1a-9d3e-5b6a7c8d9e0f"] {
      let all = Self.spellings(text)
      for (source, old) in all {
        for (copy, made) in all {
          #expect(isFound(made, of: old), "\(text): \(source) in \(copy)")
        }
        #expect(!isFound(Array("login.microsoftonline.com Bearer 1700000000".utf8), of: old))
      }
    }
    let source = Array(Self.secret.utf8)
    #expect(isFound(Array("xx\(Self.secret.dropFirst(5).prefix(8))yy".utf8), of: source))
    #expect(!isFound(Array("xx\(Self.secret.dropFirst(5).prefix(7))??".utf8), of: source))
  }

  @Test(
    "digits behind the seconds of an instant raise no alarm, and others do",
    arguments: [
      (#"{"cdat": 1690871812.7424755}"#, false), (#"{"cdat": 1696279501.6534064}"#, false),
      (#"{"cdat": 721692740.123456}"#, false), (#"{"on": "2020-01-01 10:00:00.123456"}"#, false),
      (#"{"on": "2020-01-01T10:00:00.1234567+00:00"}"#, false),
      (#"{"n": 91690871812.7424755}"#, true), (#"{"n": 1690871812.7424755123}"#, true),
      (#"{"n": "12.34567890"}"#, true),
    ])
  func fractions(_ text: String, isAlarm: Bool) {
    #expect(isFound(Array(text.utf8), of: Array(text.utf8)) == isAlarm)
  }

  @Test(
    "words that all caches share raise no alarm, though an item has nothing else",
    arguments: [
      "null", "true", "false", "user", "http", "v1.0", "1.0.0", "[1,2]", "null\n", "\"é\"",
    ])
  func shortData(_ text: String) {
    let item = Array(#"{"data": "\#(Base64.text(of: Array(text.utf8), .standard))"}"#.utf8)
    #expect(!isFound(item, of: item))
    let digits = Array(#"{"dataHex": "\#(Hexadecimal.text(of: Array(text.utf8)))"}"#.utf8)
    #expect(!isFound(digits, of: digits))
    let named = Array(#"{"data": "\#(Base64.text(of: Array("alicesmith".utf8), .standard))"}"#.utf8)
    #expect(isFound(named, of: named))
  }

  @Test("one letter of any script is no name", arguments: ["é", "李", "🙂"])
  func oneLetter(_ letter: String) {
    let text = Array("<string>\(letter)</string>".utf8)
    #expect(!isFound(Array("<sisiqu>\(letter)</sisiqu>".utf8), of: text))
    #expect(isFound(text, of: text) == false)
    let name = Array("<string>\(letter)雷\(letter)</string>".utf8)
    #expect(isFound(name, of: name))
  }

  @Test("an app's identifier of Microsoft's, in base64 behind a library's name, raises no alarm")
  func anAppOfMicrosoftsIsNotFound() {
    let app = Base64.text(of: Array("com.microsoft.azureauthenticator".utf8), .url)
    let service = Array("MSOpenTech.ADAL.1-\(app)|YQ".utf8)
    #expect(!isFound(service, of: service))
    let other = Base64.text(of: Array("com.zufbraken.helmiqato".utf8), .url)
    let personal = Array("MSOpenTech.ADAL.1-\(other)|YQ".utf8)
    #expect(isFound(personal, of: personal))
  }

  @Test func whatEverybodyHasIsNotFound() {
    let common = Array(
      #"{"authority":"https://login.windows.net/common","exp":1700000000,"typ":"JWT","alg":"RS256"}"#
        .utf8)
    #expect(!isFound(common, of: common))
  }

  @Test(
    "base64 with a damaged byte, or behind other letters, is decoded",
    arguments: ["", "d", "dQ", "dQx"], [false, true])
  func damagedBase64(before: String, isDamaged: Bool) {
    func letters(_ host: String) -> [UInt8] {
      var text = Array(
        #"{"environment":"\#(host)","credential_type":"RefreshToken","exp":1700000000}"#.utf8)
      if isDamaged { text[1] |= 0x80 }
      return Array((before + Base64.text(of: text, .url)).utf8)
    }
    let common = letters("login.windows.net")
    #expect(!isFound(common, of: common))
    let personal = letters("login.alicesmith.net")
    #expect(isFound(personal, of: personal))
    #expect(isFound(Array("alicesmith".utf8), of: personal))
    #expect(isFound(Array(Self.secret.utf8), of: letters(Self.secret)))
  }

  @Test(arguments: ["a@b ", "AQAAA= ", "1 ", "1.", "0x01000000 ", "{\"", "\\u005c", "&#38;", "a-"])
  func workGrowsWithTheSize(_ piece: String) {
    func seconds(_ count: Int) -> Double {
      let bytes = Array(String(repeating: piece, count: count).utf8)
      let start = ProcessUsage.seconds
      var windows = SourceWindows(size: bytes.count)
      windows.add(bytes)
      var scrub = CacheScrub(seed: ScrubLawTests.seed, avoiding: windows)
      var search = LeftoverSearch(windows)
      search.look(in: scrub.bytes(bytes))
      return ProcessUsage.seconds - start
    }
    // Four times the text; sixteen times the work would be quadratic.
    let small = seconds(2000)
    #expect(seconds(8000) < 9 * small + 0.2, "\(piece)")
  }

  @Test(
    "names of the archiver identify no user, also as one text with their markers",
    arguments: [
      ("additionalServerV$class", false), ("$versionY$archiver", false),
      ("ZNS.objectsWNS.keysV$class", false), ("YallClaimsZrawIdTokenVuserId", false),
      ("YallClaimsZrawIdSmithTokenVuserId", true),
      ("additionalSmithsonV$class", true), ("additionalServerv$class", true),
      ("ZJS.objectsZJS.objects", true), ("zNS.objectszNS.objects", true),
    ])
  func markers(text: String, isFound: Bool) {
    let bytes = Array(text.utf8)
    var windows = SourceWindows(size: bytes.count)
    windows.add(bytes)
    var search = LeftoverSearch(windows)
    search.look(in: bytes)
    search.confirm(by: bytes)
    #expect(search.hasFound == isFound)
  }
}
