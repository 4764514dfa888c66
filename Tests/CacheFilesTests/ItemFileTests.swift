// SPDX-License-Identifier: MIT
import CacheFiles
import Foundation
import KeychainItems
import Testing

@Suite struct ItemFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ text: String) throws -> ItemFile {
    ItemFile(path: try folder.write(text, to: "a.items.json"))
  }

  private let one = KeychainItem(
    accessGroup: "G", account: "a", service: "s", generic: Array("MSOpenTech.ADAL.1".utf8),
    type: 1001, isInvisible: true, created: 1_700_000_000, modified: 1.5,
    data: TokenSecret([0xFB, 0xFF]))

  @Test func aNewFileIsWrittenLikeThis() throws {
    let store = ItemFile(path: folder.path("a.items.json"), missing: .isEmpty)
    #expect(try store.items() == [])
    #expect(try store.add([one, KeychainItem(account: "b\"\u{1}")]) == [])
    #expect(
      try folder.text("a.items.json") == """
        {"format": "keychain-items", "version": 1, "items": [
          {"class": "genp", "agrp": "G", "acct": "a", "svce": "s", "gena": "TVNPcGVuVGVjaC5BREFMLjE=", \
        "type": 1001, "invi": true, "cdat": 1700000000, "mdat": 1.5, "data": "+/8="},
          {"class": "genp", "agrp": "", "acct": "b\\"\\u0001", "svce": ""}
        ]}

        """)
    #expect(try folder.mode("a.items.json") == 0o600)
    #expect(try folder.names == ["a.items.json"])
  }

  @Test func whatIsReadOfOnePlaceIsReadOnce() throws {
    let bytes = Array(#"{"format": "keychain-items", "version": 1, "items": []}"#.utf8)
    let input = ItemFile(bytes: bytes, name: "input")
    #expect(input.isSamePlace(as: input))
    #expect(!input.isSamePlace(as: ItemFile(bytes: bytes, name: "other")))
    #expect(!input.isSamePlace(as: ItemFile(bytes: bytes + [0x20], name: "input")))
    let file = ItemFile(path: folder.path("input"))
    #expect(file.isSamePlace(as: ItemFile(path: folder.path("input"), missing: .isEmpty)))
    #expect(!file.isSamePlace(as: ItemFile(path: folder.path("b"))))
    #expect(!file.isSamePlace(as: input) && !input.isSamePlace(as: file))
  }

  @Test func nothingToWriteMakesNoFile() throws {
    let store = ItemFile(path: folder.path("a.items.json"), missing: .isEmpty)
    #expect(try store.add([]) == [])
    #expect(try folder.names == [])
  }

  @Test func aMissingFileIsUnreadableUnlessItIsATarget() throws {
    #expect(throws: StoreError(.unreadable, "")) {
      try ItemFile(path: folder.path("none.items.json")).items()
    }
    #expect(throws: StoreError(.unwritable, "")) {
      try ItemFile(path: folder.path("none.items.json")).add([one])
    }
    #expect(try folder.names == [])
  }

  @Test func whatIsThereStaysByteForByte() throws {
    let before = """
      {"note": {"by": ["us", 1e2, 1.50]}, "format": "keychain-items",  "version": 1,
       "items": [ {"acct":"b","svce":"s","agrp":"G","mine":[1,{"x":null}],"data":"AA=="} ,
         {"class":"inet","acct":"a","svce":"s","agrp":"G","data":17} ] , "after": "\\u00e9\\/" }
      """
    let store = try file(before)
    #expect(try store.items().map(\.account) == ["b"])
    // A key that an item of another class has is free.
    #expect(try store.add([one]) == [])
    let after = try folder.text("a.items.json")
    let added = """
      ,
        {"class": "genp", "agrp": "G", "acct": "a", "svce": "s", "gena": "TVNPcGVuVGVjaC5BREFMLjE=", \
      "type": 1001, "invi": true, "cdat": 1700000000, "mdat": 1.5, "data": "+/8="}
      """
    #expect(after == before.replacingOccurrences(of: "\"data\":17}", with: "\"data\":17}" + added))
    #expect(try store.items().map(\.account) == ["a", "b"])
  }

  @Test func nothingAddedRewritesNothing() throws {
    let before = #"[{"agrp":"G","acct":"a","svce":"s"}]"#
    let store = try file(before)
    try folder.setMode(0o400, of: "a.items.json")
    #expect(try store.add([one]) == [one])
    #expect(try folder.text("a.items.json") == before)
  }

  @Test func anExistingFileKeepsItsMode() throws {
    let store = try file("[]")
    try folder.setMode(0o640, of: "a.items.json")
    #expect(try store.add([one]) == [])
    #expect(try folder.mode("a.items.json") == 0o640)
  }

  @Test func readsAllSpellings() throws {
    let items = try file(
      """
      \u{FEFF}[{"class": "genp", "acct": "1", "invi": 1, "type": 2002.0, "cdat": 17e8, "mdat": 1e999},
       {"acct": "2", "invi": 0, "type": -1, "labl": "\\ud83d\\ude00\\u00E9\\n", "data": null},
       {"class": null, "acct": "3", "invi": false, "desc": "", "gena": "", "icmt": "c", "pdmn": "ck"}]
      """
    ).items()
    #expect(
      items == [
        KeychainItem(account: "1", type: 2002, isInvisible: true, created: 1_700_000_000),
        KeychainItem(account: "2", type: -1, label: "😀é\n", isInvisible: false),
        KeychainItem(
          account: "3", generic: [], accessibility: "ck", itemDescription: "", comment: "c",
          isInvisible: false),
      ])
  }

  @Test func aRepeatedKeyIsGivenTwiceInAnOrderOfItsOwn() throws {
    let a = #"{"acct": "a", "data": "AQ=="}"#
    let b = #"{"acct": "a", "data": "AA=="}"#
    let expected = [
      KeychainItem(account: "a", data: TokenSecret([0])),
      KeychainItem(account: "a", data: TokenSecret([1])),
    ]
    #expect(try file("[\(a), \(b)]").items() == expected)
    #expect(try file("[\(b), \(a)]").items() == expected)
  }

  @Test func itemsComeInTheOrderOfWhatTheirKeysSay() throws {
    let items = try file(
      #"""
      [{"acct": "c"}, {"acct": "\u0062", "svce": "2"}, {"agrp": "G"}, {"acct": "b", "data": "AQ=="},
       {"acct": "é"}, {"acct": "e\u0301"}, {"svce": "s"}, {"\u0061cct": "b", "svce": "2", "data": "AA=="},
       {"acct": "b", "svce": "\u0031"}, {"acct": "b", "mdat": 2}, {"acct": "b", "mdat": 1}]
      """#
    ).items()
    #expect(
      items == [
        KeychainItem(service: "s"), KeychainItem(account: "b", modified: 1),
        KeychainItem(account: "b", modified: 2), KeychainItem(account: "b", data: TokenSecret([1])),
        KeychainItem(account: "b", service: "1"), KeychainItem(account: "b", service: "2"),
        KeychainItem(account: "b", service: "2", data: TokenSecret([0])),
        KeychainItem(account: "c"),
        KeychainItem(account: "e\u{301}"), KeychainItem(account: "é"),
        KeychainItem(accessGroup: "G"),
      ])
  }

  @Test func anAttributeIsReadAnewWhereItSaysSomethingElse() throws {
    let items = try file(
      #"""
      [{"acct": "1", "labl": "a", "gena": "AA=="}, {"acct": "2", "labl": "\u0061", "gena": "AA=="},
       {"acct": "3"}, {"acct": "4", "labl": "b", "gena": "AQ=="},
       {"acct": "5", "labl": "b", "desc": "b", "gena": ""}, {"acct": "6", "labl": "a"}]
      """#
    ).items()
    #expect(items.map(\.label) == ["a", "a", nil, "b", "b", "a"])
    #expect(items.map(\.itemDescription) == [nil, nil, nil, nil, "b", nil])
    #expect(items.map(\.generic) == [[0], [0], nil, [1], [], nil])
  }

  /// The last value of a repeated attribute counts, but an object or an array stays unusable.
  @Test(arguments: [
    (#"{"acct": 1, "acct": "a"}"#, nil), (#"{"data": "A", "acct": "a", "data": null}"#, nil),
    (#"{"acct": [], "acct": "a"}"#, "item 0 has an unusable acct"),
    (#"{"data": 1, "acct": 1}"#, "item 0 has an unusable acct"),
    (#"{"acct": 1, "data": {}}"#, "item 0 has an unusable data"),
    (#"{"class": [], "acct": 1}"#, "item 0 has an unusable class"),
    (#"{"class": "inet", "acct": 1, "data": []}"#, nil), (#"{"class": 7, "acct": 1}"#, nil),
    (#"{"acct": "a"}, {"invi": 0.5}"#, "item 1 has an unusable invi"),
    (#"{"x": "a"}"#, "element 0 of its items has no attribute of a keychain item"),
  ])
  func whatIsWrongWithAnItemIsNamed(text: String, words: String?) throws {
    do {
      _ = try file("[\(text)]").items()
      #expect(words == nil)
    } catch let error as StoreError {
      #expect(words.map(error.message.hasSuffix) == true, "\(error.message)")
    }
  }

  @Test(arguments: [
    "", " ", "[", "[}", "{}", "[1]", "[null]", "[[]]", "[{}] x", "[{},]", "[{\"acct\": }]", "null",
    #"{"format": "keychain-items", "version": 2, "items": []}"#,
    #"{"format": "keychain-items", "items": []}"#,
    #"{"format": "keychain-items", "version": 1}"#,
    #"{"format": "keychain-items", "version": 1, "items": {}}"#,
    #"{"format": "keychain-items", "version": 1, "items": [], "items": []}"#,
    #"{"format": "other", "version": 1, "items": []}"#,
    #"{"version": 1, "items": []}"#,
    "[{}]", #"[{"tokenType": "Bearer", "accessToken": "a", "userId": "b"}]"#,
    #"[{"acct": 1}]"#, #"[{"acct": ["a"]}]"#, #"[{"acct": "\ud800"}]"#,
    #"[{"acct": "\udc00\ud800"}]"#,
    #"[{"acct": "\u12g4"}]"#, #"[{"acct": "\x"}]"#, #"[{"acct": "a]"#, "[{\"acct\": \"\n\"}]",
    #"[{"type": "1"}]"#, #"[{"type": 1.5}]"#, #"[{"type": 1e99}]"#, #"[{"invi": "yes"}]"#,
    #"[{"cdat": true}]"#, #"[{"cdat": 01}]"#, #"[{"cdat": 1.}]"#, #"[{"cdat": -}]"#,
    #"[{"cdat": +1}]"#,
    #"[{"cdat": NaN}]"#, #"[{"data": "A"}]"#, #"[{"data": "-_8="}]"#, #"[{"data": "AA"}]"#,
    #"[{"gena": "AA==\n"}]"#, #"[{"data": "synthetic-secret"}]"#,
  ])
  func whatIsNoFileOfItemsIsRefusedAndLeftAlone(text: String) throws {
    let store = try file(text)
    for operation in [{ _ = try store.items() }, { _ = try store.add([one]) }] {
      do {
        try operation()
        Issue.record("accepted")
      } catch let error as StoreError {
        #expect(error.code == .notACache)
        #expect(!error.message.contains("synthetic"))
      }
    }
    #expect(try folder.text("a.items.json") == text)
    #expect(try folder.names == ["a.items.json"])
  }

  @Test func moreEmptyItemsThanAnybodyHasAreRefused() throws {
    func items(_ count: Int, _ text: String) -> String {
      "[" + String(repeating: text + ",", count: count - 1) + text + "]"
    }
    let short = #"{"type":1}"#
    let limit = 1 << 17
    #expect(try file(items(limit, short)).items().count == limit)
    do {
      _ = try file(items(limit + 1, short)).items()
      Issue.record("accepted")
    } catch let error as StoreError {
      #expect(error.code == .notACache)
      #expect(error.message.hasSuffix("it has too many empty items"))
    }
    let long = #"{"type":1,"x":""# + String(repeating: "x", count: 128) + #""}"#
    #expect(try file(items(limit + 1, long)).items().count == limit + 1)
  }

  @Test(arguments: [
    (#"\u0041\u00e9\u00E9\uabCD"#, "Aéé\u{ABCD}"), (#"e\u0301"#, "e\u{301}"),
    (#"\ud83d\ude00"#, "😀"), (#"\u0000"#, "\0"),
  ])
  func escapesAreRead(text: String, expected: String) throws {
    let items = try file("[{\"acct\": \"\(text)\"}]").items()
    #expect(items.map { Array($0.account.utf8) } == [Array(expected.utf8)])
  }

  @Test(arguments: ["12g4", "12:4", "12@4", "12/4", "12`4", "12G4", "+123", " 123", "12²4", "12"])
  func aDigitOfAnEscapeIsOneOfASCIIs(digits: String) throws {
    #expect(throws: StoreError(.notACache, "")) {
      try file("[{\"acct\": \"\\u\(digits)\"}]").items()
    }
  }

  @Test func deepNestingIsRefused() throws {
    func nested(_ depth: Int) -> String {
      "[{\"acct\": \"a\", \"x\": " + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth)
        + "}]"
    }
    #expect(try file(nested(127)).items().count == 1)
    #expect(throws: StoreError(.notACache, "")) { try file(nested(200)).items() }
    #expect(throws: StoreError(.notACache, "")) { try file(nested(2_000_000)).items() }
  }

  @Test func invalidUTF8IsRefused() throws {
    let path = try folder.write(
      Array("[{\"acct\": \"".utf8) + [0xC3, 0x28] + Array("\"}]".utf8), to: "b.json")
    #expect(throws: StoreError(.notACache, "")) { try ItemFile(path: path).items() }
  }

  @Test func whatIsAddedInMemoryIsReadLikeTheRest() throws {
    let text = try ItemText(Array(#"[{"acct": "b"}]"#.utf8))
    #expect(try text.add([one, KeychainItem(account: "b")]) == [KeychainItem(account: "b")])
    #expect(try text.items() == [KeychainItem(account: "b"), one])
    #expect(try text.add([one, KeychainItem(account: "a")]) == [one])
    #expect(try text.items().map(\.account) == ["a", "b", "a"])
  }

  @Test func bytesCanBeReadButNotAddedTo() throws {
    let store = ItemFile(bytes: Array(#"[{"acct": "a"}]"#.utf8), name: "standard input")
    #expect(try store.items() == [KeychainItem(account: "a")])
    #expect(throws: StoreError(.unwritable, "")) { try store.add([one]) }
  }

  @Test func everyTruncationIsRefused() throws {
    let whole = Array(
      #"{"format": "keychain-items", "version": 1, "items": [{"acct": "\u00e9", "cdat": 1.5e3}]}"#
        .utf8)
    for count in whole.indices {
      let store = ItemFile(bytes: Array(whole.prefix(count)), name: "cut")
      #expect(throws: StoreError(.notACache, "")) { try store.items() }
    }
    #expect(try ItemFile(bytes: whole, name: "whole").items().count == 1)
  }
}
