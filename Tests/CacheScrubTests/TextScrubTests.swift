// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems
import Testing

@testable import CacheScrub

/// The replacements of texts.
@Suite struct TextScrubTests {
  private func scrub(_ texts: String..., keeping kept: Set<String> = []) -> [String] {
    var scrub = CacheScrub(seed: ScrubLawTests.seed, keeping: kept)
    return texts.map { scrub.text($0) }
  }

  @Test(arguments: [
    "https://login.microsoftonline.com/common", "https://graph.microsoft.com/.default",
    "https://login.windows.net/organizations/v2.0", "00000002-0000-0000-c000-000000000000",
    "9188040d-6c67-4c5b-b112-36a304b66dad", "openid profile offline_access", "foci-1", "v1.0",
    "urn:ietf:wg:oauth:2.0:oob", "MSOpenTech.ADAL.1", "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132",
    "", " ", "-", "sts.windows.net", "https://sts.chinacloudapi.cn/", "live.com",
  ])
  func whatEverybodyHasStays(_ text: String) {
    #expect(scrub(text) == [text])
  }

  @Test func domainsStayOneAndTheSame() {
    let texts = scrub(
      "ann@contoso.com", "https://login.microsoftonline.com/contoso.onmicrosoft.com",
      "https://Contoso-my.sharepoint.com/", "ann_contoso.com#EXT#@fabrikam.onmicrosoft.com",
      "live.com#ann@contoso.com", "https://login.contoso.com/adfs")
    let domain = String(texts[0].split(separator: "@")[1].prefix { $0 != "." })
    let ann = String(texts[0].prefix { $0 != "@" })
    #expect(domain.count == 7 && domain != "contoso" && ann.count == 3 && ann != "ann")
    #expect(texts[0] == "\(ann)@\(domain).com")
    #expect(texts[1] == "https://login.microsoftonline.com/\(domain).onmicrosoft.com")
    #expect(texts[2].hasPrefix("https://\(domain.prefix(1).uppercased())\(domain.dropFirst())-"))
    #expect(texts[2].hasSuffix(".sharepoint.com/"))
    #expect(texts[3].hasPrefix("\(ann)_\(domain).com#EXT#@"))
    #expect(texts[3].hasSuffix(".onmicrosoft.com"))
    #expect(texts[4] == "live.com#\(ann)@\(domain).com")
    #expect(texts[5].hasSuffix(".\(domain).com/adfs") && !texts[5].contains("//login."))
  }

  @Test func identifiersKeepTheirShape() {
    let id = "2bf5c9e6-d0c9-4dba-8c40-81d64d4defc7"
    let texts = scrub(
      id, id.uppercased(), "\(id).0287f963-2d72-4363-9e3a-5705c5b0f031",
      "00000000-0000-0000-aaaa-bbbbbbbbbbbb", "2bf5c9e6d0c94dba8c4081d64d4defc7")
    #expect(texts[0] != id && texts[0].count == 36)
    #expect(texts[1] == texts[0].uppercased())
    #expect(texts[2].hasPrefix(texts[0] + "."))
    #expect(texts[3].hasPrefix("00000000-0000-0000-") && !texts[3].hasSuffix("bbbbbbbbbbbb"))
    #expect(texts[4] == texts[0].filter { $0 != "-" })
    #expect(scrub(id, keeping: [id.uppercased()]) == [id])
  }

  @Test("letters that stand behind escapes go, and the marks of a text stay")
  func escapesHideNoWord() {
    let hidden = [
      "%31%32%33%34%35%36%37%38", "&#65;&#66;&#67;&#68;&#69;", "&amp;#65;&amp;#66;",
      "%2541%2542%2543",
      "a\u{0}l\u{0}i\u{0}c\u{0}e", "&#37;&#52;&#49;", "\\u0041\\u0042", "\\101\\102",
    ]
    for text in hidden {
      let made = scrub(text)[0]
      #expect(made != text && made.count == text.count)
      let same = zip(made, text).count { $0 == $1 && ($0.isLetter || $0.isNumber) }
      #expect(3 * same < text.filter { $0.isLetter || $0.isNumber }.count, "\(text): \(made)")
    }
    let texts = scrub("ann%40contoso.com", "ann@contoso.com", "100% 1\\/2", "%20%2F %zz")
    #expect(texts[0] == texts[1].replacingOccurrences(of: "@", with: "%40"))
    #expect(texts[2].hasSuffix("% 1\\/2") && texts[3].hasPrefix("%20%2F %"))
  }

  @Test func namesNeverBecomeOne() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    var seen: Set<String> = []
    let letters = "abcdefghijklmnopqrstuvwxyz"
    for first in letters {
      for second in letters { seen.insert(scrub.text("\(first)\(second)x@contoso.com")) }
    }
    #expect(seen.count == 26 * 26)
  }

  @Test func whatWrapsACacheStays() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    // A byte that no text has, and one that no text of a person has.
    let bytes =
      Array(
        #"<?xml version='1.0' ?><map><string name="cache">ann</string><string name="mail">"#.utf8)
      + [0xFF, 0x01] + Array("ann@contoso.com</string></map>".utf8)
    let text = String(decoding: scrub.bytes(bytes), as: UTF8.self)
    #expect(text.hasPrefix(#"<?xml version='1.0' ?><map><string name="cache">"#))
    #expect(text.hasSuffix("</string></map>"))
    #expect(!text.contains("ann") && !text.contains("contoso") && !text.contains("mail"))
  }

  @Test func aDumpKeepsWhatEveryDumpHas() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let lines = [
      #"keychain: "/Users/ann/login.keychain-db""#, "version: 512", #"class: "genp""#,
      "attributes:", #"    0x00000007 <blob>="Ann""#,
      #"    "acct"<blob>=0x416E6EC3A9  "Ann\303\251""#,
      #"    "cdat"<timedate>=0x32303233313131343232313332305A00  "20231114221320Z\000""#,
      #"    "crtr"<uint32>="aapl""#, #"    "desc"<blob>=<NULL>"#,
      #"    "secret"<uint32>="Ann Example""#,
      "data:", "0x00FFFE ", "Ann Example",
    ]
    let made = String(
      decoding: scrub.bytes(Array(lines.joined(separator: "\n").utf8)), as: UTF8.self
    )
    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(made.count == lines.count)
    for kept in [1, 2, 3, 6, 7, 8, 10] { #expect(made[kept] == lines[kept]) }
    #expect(made[0].hasPrefix(#"keychain: "/"#) && made[0].utf8.count == lines[0].utf8.count)
    #expect(made[4].hasPrefix(#"    0x00000007 <blob>=""#))
    #expect(made[5].hasPrefix(#"    "acct"<blob>=0x"#) && made[5].utf8.count == lines[5].utf8.count)
    #expect(made[11].hasPrefix("0x"))
    #expect(!made.joined().contains("Ann") && !made.joined().contains("Example"))
  }

  @Test func lengthsStay() {
    for text in [
      "ann@contoso.com", "émilie@contoso.example", "王小明", "😀 smile", "Zoë O’Hara",
      "aa.bb-cc_dd:ee/ff",
      "{\"name\":\"Z\\u00f6e\",\"n\":123456,\"x\":[\"\\ud83d\\ude00\",true,null]}",
    ] {
      let other = scrub(text)[0]
      #expect(
        other.utf8.count == text.utf8.count && other.utf16.count == text.utf16.count, "\(other)")
      #expect(other != text)
    }
  }

  @Test func aJWTHasTheSameClaimsAndDates() throws {
    func part(_ text: String) -> String { Base64.text(of: Array(text.utf8), .url) }
    let payload =
      #"{"aud":"2bf5c9e6-d0c9-4dba-8c40-81d64d4defc7","exp":1700000000,"name":"Ann Example","upn":"ann@contoso.com","ver":"1.0","idp":"live.com","secretClaim":{"deep":["Ann"]},"phone":441234567890}"#
    let jwt =
      "\(part(#"{"typ":"JWT","alg":"RS256","kid":"abcdef"}"#)).\(part(payload)).c2lnbmF0dXJl"
    let other = scrub(jwt)[0]
    #expect(other.count == jwt.count)
    let parts = other.split(separator: ".")
    let bytes = try #require(Base64.bytes(of: parts[1], .url))
    let claims = try #require(
      JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(claims["exp"] as? Int == 1_700_000_000)
    #expect(claims["ver"] as? String == "1.0" && claims["idp"] as? String == "live.com")
    #expect((claims["upn"] as? String)?.hasSuffix(".com") == true)
    #expect(claims["secretClaim"] == nil && claims.count == 8)
    for word in ["ann", "contoso", "example", "deep", "2bf5c9e6", "1234567890"] {
      #expect(!String(decoding: bytes, as: UTF8.self).lowercased().contains(word), "\(word)")
    }
    #expect(parts[2] != "c2lnbmF0dXJl")
  }

  @Test func claimsWithAControlCharacterAreATextWithoutOne() throws {
    func part(_ text: String) -> String { Base64.text(of: Array(text.utf8), .url) }
    let claims = #"{"upn":"jane\#u{8}doe","iat":1700000000}"#
    let made = scrub("\(part(#"{"alg":"none"}"#)).\(part(claims)).")[0].split(separator: ".")
    let text = try #require(made.count == 2 ? Base64.text(decoding: made[1], .lenientURL) : nil)
    #expect(text.utf8.count == claims.utf8.count)
    #expect(text.unicodeScalars.filter { $0.value < 0x20 } == ["\n"])
    #expect(!text.contains("jane") && !text.contains("doe"))
  }

  @Test func aTombstoneStaysOne() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    #expect(String(scrub.text(Array("<tombstone>".unicodeScalars), .secret)) == "<tombstone>")
    #expect(String(scrub.text(Array("common".unicodeScalars), .secret)) != "common")
    #expect(String(scrub.text(Array("Common".unicodeScalars), .name)) != "Common")
  }

  @Test func aHashOfClaimsIsThatOfTheOtherClaims() throws {
    let claims = #"{"access_token":{"xms_cc":{"values":["contoso-claims"]}}}"#
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    let data = JSONValue.object([
      "credential_type": .string("AccessToken"), "requested_claims": .string(claims),
      "secret": .string("abc"),
    ]).encoded()
    let found = scrub.claims(of: data)
    let hash = try #require(found)
    let item = KeychainItem(
      accessGroup: "T.com.contoso", account: "a-login.windows.net",
      service: "accesstoken-c-r-scope|\(hash.old)", data: TokenSecret(data))
    let other = scrub.item(item)
    #expect(other.service.hasSuffix("|\(hash.new)") && hash.new != hash.old)
    let made = try #require(other.data?.reveal())
    guard case .object(let members) = try JSONValue(made, rules: .apple),
      case .string(let newClaims)? = members["requested_claims"]
    else {
      Issue.record("no claims")
      return
    }
    #expect(newClaims.contains("access_token") && !newClaims.contains("contoso"))
  }

  @Test func anyBytesBecomeAsManyOthers() {
    var scrub = CacheScrub(seed: ScrubLawTests.seed)
    for bytes: [UInt8] in [
      [], [0], Array("bplist00".utf8), Array("bplist00garbage and secrets".utf8), [1, 0, 0, 0],
      [3, 0, 0, 0, 9, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Array("{\"a\":".utf8), [0xFF, 0xFE],
      Array(repeating: UInt8(ascii: "["), count: 100_000), Array("\"".utf8),
    ] {
      #expect(scrub.bytes(bytes).count == bytes.count)
    }
  }
}
