// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import Testing

@testable import CacheFiles

/// An items file that is read in pieces is what it is as a whole, wherever the pieces end.
@Suite struct ItemPiecesTests {
  private static let item =
    #"{"class": "genp", "agrp": "T.g", "acct": "a\"1 \u00e9", "svce": "s", "gena": "QUI=", "type": 2002, "#
    + #""invi": true, "cdat": 1.5, "data": "AQIDBA==", "other": [{"agrp": null}, "\ud83d\ude00"]}"#

  /// Items whose keys have texts in common with the item before, with and without escapes.
  private static let alike =
    #"[{"agrp": "g", "acct": "a", "svce": "s2"}, {"agrp": "g", "acct": "a", "svce": "s1"}, "#
    + #"{"agrp": "g", "acct": "\u0061", "svce": "s2"}, {"agrp": "g", "svce": "s2"}, "#
    + #"{"agrp": "g", "acct": "\u0061", "svce": "s0"}, {"agrp": "ga", "acct": "a", "svce": "s0"}]"#

  /// Texts that are items files, and texts that are none, with every byte that could be cut from the next one.
  private static let texts = [
    alike, "[]", " [ ] ", "[\(item)]", "\u{FEFF}[\(item),\n \(item)]  \n",
    #"{"format": "keychain-items", "version": 1, "items": [\#(item), {"class": "inet", "acct": "x"}, \#(item)]}"#,
    #"{"items": [\#(item)], "more": {"a": [true, false, null, -1.5e+3]}, "version": 1, "format": "keychain-items"}"#,
    #"{"format": "keychain-items", "version": 12, "items": []}"#,
    #"{"format": "keychain-items", "version": 1, "items": [], "items": []}"#,
    #"{"format": "keychain-items", "version": 1}"#, #"{"format": 1}"#,
    "[\(item),]", "[\(item)] x", "[\(item)", "[\(item), ", "[\(item), 1]", "[{}]",
    #"[{"acct": tru}]"#,
    #"[{"acct": {}}]"#, #"[{"acct": "\ud83d"}]"#, #"[{"acct": "\u00zz"}]"#, #"[{"cdat": 01}]"#,
    "", "1", "{", #"{"format": "keychain-items" "version": 1}"#,
  ]

  @Test(arguments: [3, 4, 5, 8, 64, 300])
  func piecesOfAnyLengthAreTheWhole(length: Int) {
    for text in Self.texts {
      let bytes = Array(text.utf8)
      let whole = answer(bytes) { PiecewiseText(bytes) }
      let pieces = answer(bytes) {
        try PiecewiseText(size: bytes.count, pieceLength: length) { Array(bytes[$0]) }
      }
      #expect(pieces == whole, "\(text)")
    }
  }

  /// Escapes of a key end where its text does, whatever text is kept behind it.
  @Test func keysWithEscapesAreWhatTheySay() throws {
    let bytes = Array(#"[{"acct": "a\n\"b", "svce": "\u0073x", "agrp": "g\/"}]"#.utf8)
    var items: [KeychainItem] = []
    try ItemDocument(bytes).forEachItem { items.append($0) }
    #expect(
      items.map(\.key) == [KeychainItem.Key(accessGroup: "g/", account: "a\n\"b", service: "sx")])
  }

  @Test func keysWithTextsInCommonAreToldApart() throws {
    var items: [KeychainItem] = []
    try ItemDocument(Array(Self.alike.utf8)).forEachItem { items.append($0) }
    #expect(
      items.map { [$0.accessGroup, $0.account, $0.service] } == [
        ["g", "", "s2"], ["g", "a", "s0"], ["g", "a", "s1"], ["g", "a", "s2"], ["g", "a", "s2"],
        ["ga", "a", "s0"],
      ])
  }

  /// One value takes no more reading than a few times its length.
  @Test func aLongValueIsReadInTimeThatGrowsWithIt() throws {
    for count in [1 << 12, 1 << 16] {
      let bytes = Array(#"[{"acct": "\#(String(repeating: "a", count: count))"}]"#.utf8)
      var total = 0
      _ = try withoutActuallyEscaping({ (range: Range<Int>) in
        total += range.count
        return Array(bytes[range])
      }) { part in
        try ItemPlaces(of: PiecewiseText(size: bytes.count, pieceLength: 16, part))
      }
      #expect(total < 8 * bytes.count)
    }
  }

  /// Where the elements stand and what the items say, or why not.
  private func answer(_ bytes: [UInt8], _ text: () throws -> PiecewiseText) -> String {
    do {
      let places = try ItemPlaces(of: text())
      var items: [KeychainItem] = []
      try places.order.forEachItem(
        in: { ItemOrder.Part(bytes: Array(bytes[$0]), start: $0.lowerBound) }, { items.append($0) })
      return "\(places.elements.map(\.range)) \(places.end) \(items)"
    } catch {
      return Objection(error).words
    }
  }
}
