// SPDX-License-Identifier: MIT
import CacheFiles
import KeychainItems
import Testing

/// Keychain dumps of other tools.
@Suite struct KeychainDumpTests {
  private func items(_ text: String) throws -> [KeychainItem] {
    try KeychainDump(bytes: Array(text.utf8), name: "a.dump").items()
  }

  private func expectRefusal(_ text: String, _ words: String) {
    do {
      _ = try items(text)
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .notACache)
      #expect(error.message == "a.dump cannot be used as a keychain dump: \(words)")
    } catch {
      Issue.record(error)
    }
  }

  private static let security = #"""
    keychain: "/Users/a/Library/Keychains/login.keychain-db"
    version: 512
    class: "genp"
    attributes:
        0x00000007 <blob>=0x436166C3A9  "Caf\303\251"
        0x00000008 <blob>=<NULL>
        "acct"<blob>="say "hi""
        "cdat"<timedate>=0x31393730303130313030303030305A00  "19700101000000Z\000"
        "crtr"<uint32>=<NULL>
        "cusi"<sint32>=<NULL>
        "desc"<blob>="d"
        "gena"<blob>=0x0001FF 
        "icmt"<blob>="c"
        "invi"<sint32>=0x00000001 
        "mdat"<timedate>=0x32303234303232393233353935395A00  "20240229235959Z\000"
        "nega"<sint32>=<NULL>
        "prot"<blob>=<NULL>
        "scrp"<sint32>=<NULL>
        "svce"<blob>="s"
        "type"<uint32>=0x000007D2  
    data:
    0x0A68690A  "\012hi\012"
    keychain: "/Users/a/Library/Keychains/login.keychain-db"
    class: "inet"
    attributes:
        "acct"<blob>="other"
    data:
    "x"
    keychain: "/Users/a/Library/Keychains/login.keychain-db"
    class: "genp"
    attributes:
    keychain: "/Users/a/Library/Keychains/login.keychain-db"
    class: "genp"
    attributes:
        "acct"<blob>=
        "svce"<blob>=<NULL>
        "type"<uint32>="note"
    data:

    keychain: "/Users/a/Library/Keychains/login.keychain-db"
    class: "genp"
    attributes:
        "acct"<blob>="plain"
        "cdat"<timedate>="20240229235959Z"
    access: 1 entries
        entry 0:
            authorizations (1): any
            don't-require-password
            description: "acct"<blob>="no"
            applications: <null>
    data:
    ""

    """#

  @Test func everyValueOfSecuritysIsExact() throws {
    #expect(
      try items(Self.security) == [
        KeychainItem(type: 0x6E6F_7465),
        KeychainItem(account: "plain"),
        KeychainItem(
          account: #"say "hi""#, service: "s", generic: [0, 1, 255], type: 2002, label: "Café",
          itemDescription: "d", comment: "c", isInvisible: true, created: 0,
          modified: 1_709_251_199, data: TokenSecret("\nhi\n")),
      ])
  }

  @Test func aDumpWithoutDataSaysHowToGetIt() {
    let text = "keychain: \"a\"\nclass: \"genp\"\nattributes:\n    \"acct\"<blob>=\"a\"\n"
    expectRefusal(text, "it has no data; print it with 'security dump-keychain -d'")
  }

  @Test func aDumpWithoutItemsIsEmpty() throws {
    #expect(try items("keychain: \"a\"\nversion: 512\n") == [])
  }

  @Test(arguments: [
    "0x", "0x6", "0x61", "0x616 ", "0xG0 ", "1x61 ", "\"", "\"abc", "abc", "<NULL>",
  ])
  func dataThatIsCutOffIsRefused(data: String) {
    let text = "keychain: \"a\"\nclass: \"genp\"\n    \"acct\"<blob>=\"a\"\ndata:\n\(data)\n"
    expectRefusal(text, "the data of item 0 is cut off")
  }

  @Test func aNoteOfAnotherInstantIsNone() throws {
    for date in [
      "20241301000000Z\0", "2024022923595AZ\0", "20240229245959Z\0", "00000101000000Z\0",
      "20240229235959+\0", "20240229235959Zx", "20240229235959Z\0\0",
    ] {
      let digits = Array(date.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let text =
        "keychain: \"a\"\nclass: \"genp\"\n    \"mdat\"<timedate>=0x\(digits)  \"\"\n"
        + "data:\n\"x\"\n"
      #expect(try items(text) == [KeychainItem(data: TokenSecret("x"))], "\(date)")
    }
  }

  /// Neither ADAL nor MSAL wrote such an item, and its name is not to be repaired into another's.
  @Test func whatIsNotTextIsNoName() throws {
    func dump(_ attributes: String) -> String {
      "keychain: \"a\"\nclass: \"genp\"\nattributes:\n\(attributes)data:\n\"x\"\n"
    }
    for name in ["acct", "svce"] {
      #expect(try items(dump("    \"\(name)\"<blob>=0x61FF  \"a\\377\"\n")) == [])
    }
    #expect(
      try items(dump("    \"acct\"<blob>=\"a\"\n    \"desc\"<blob>=0x61FF  \"a\\377\"\n"))
        == [KeychainItem(account: "a", data: TokenSecret("x"))])
  }

  private static let objection = #"""
    [
      {
        "access_control": "", "accessible_attribute": "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
        "account": "é", "alias": "", "comment": "c", "create_date": "1970-01-01 00:00:00 +0000",
        "creator": "", "custom_icon": "", "data": "", "dataHex": "0a68Ff", "description": "d",
        "entitlement_group": "ABCDE12345.com.microsoft.adalcache", "generic": "MSOpenTech.ADAL.1",
        "invisible": "1", "item_class": "kSecClassGenericPassword", "label": "l",
        "modification_date": "2024-02-29 23:59:59 +0000", "negative": "", "protected": "",
        "script_code": "", "service": "s", "type": "2002"
      },
      {"item_class": "kSecClassCertificate", "entitlement_group": "G", "data": "x"},
      {"item_class": "kSecClassGenericPassword", "entitlement_group": "G", "account": "", "type": 7,
       "service": null, "label": ["x"], "dataHex": "", "invisible": "0", "create_date": "yesterday",
       "modification_date": "2024-02-29 23:59:59 +0100"}
    ]
    """#

  @Test func everyValueOfObjectionsIsExact() throws {
    #expect(
      try items(Self.objection) == [
        KeychainItem(
          accessGroup: "ABCDE12345.com.microsoft.adalcache", account: "é", service: "s",
          generic: Array("MSOpenTech.ADAL.1".utf8), type: 2002, accessibility: "cku", label: "l",
          itemDescription: "d", comment: "c", isInvisible: true, created: 0,
          modified: 1_709_251_199, data: TokenSecret([0x0A, 0x68, 0xFF])),
        KeychainItem(accessGroup: "G", type: 7, isInvisible: false),
      ])
  }

  @Test func anOldDumpOfObjectionsSaysWhatIsMissing() {
    expectRefusal(
      #"[{"item_class": "kSecClassGenericPassword", "entitlement_group": "", "data": "bplist00"}]"#,
      "item 0 has no dataHex, so its data may be incomplete; "
        + "take the dump with a newer objection")
  }

  @Test func brokenDumpsOfObjectionsAreRefused() {
    let start = #"[{"item_class": "kSecClassGenericPassword", "entitlement_group": "", "dataHex": "#
    for hexadecimal in ["0", "0g", "0x61", " 61"] {
      expectRefusal("\(start)\"\(hexadecimal)\"}]", "item 0 has an unusable dataHex")
    }
    expectRefusal(start + #""61"}, 1]"#, "element 1 is not an object")
    expectRefusal(start + #""61"}"#, "malformed JSON at byte \(start.utf8.count + 5)")
    expectRefusal(start + #""61"}] x"#, "malformed JSON at byte \(start.utf8.count + 7)")
    expectRefusal("[]", "it is not a dump of security or objection")
    expectRefusal("", "it is not a dump of security or objection")
  }

  @Test func everyTruncationGivesItemsOrAnError() throws {
    for text in [Self.security, Self.objection] {
      let bytes = Array(text.utf8)
      let whole = try items(text)
      for count in 0..<bytes.count {
        let dump = KeychainDump(bytes: Array(bytes.prefix(count)), name: "a.dump")
        do {
          #expect(try dump.items().count <= whole.count)
        } catch {
          #expect(error as? StoreError == StoreError(.notACache, ""))
        }
      }
    }
  }

  @Test func moreEmptyItemsThanAnybodyHasAreRefused() {
    let empty = "keychain: \"\"\nclass: \"genp\"\n    \"acct\"<blob>=\n"
    expectRefusal(
      String(repeating: empty, count: (1 << 17) + 2), "it has too many empty items")
  }

  @Test func nothingIsAdded() throws {
    let dump = KeychainDump(bytes: Array(Self.objection.utf8), name: "a.dump")
    #expect(try dump.add([]) == [])
    #expect(throws: StoreError(.unwritable, "")) { try dump.add([KeychainItem(account: "a")]) }
  }
}
