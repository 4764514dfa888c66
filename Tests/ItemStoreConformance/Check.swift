// SPDX-License-Identifier: MIT
import KeychainItems

extension ItemStoreConformance {
  /// One check of the exam.
  public enum Check: String, Sendable, CaseIterable {
    case aNewStoreIsEmpty
    case addingNothingLeavesItEmpty
    case itemsComeInTheOrderOfKeys
    case takenKeysAreReturnedAndUntouched
    case aRepeatedKeyIsTakenWithinOneAdd
    case theOrderOfTakenItemsIsTheirOwn
    case everyAttributeIsKept
    case absentAndEmptyAreDifferent
    case typeAndGenericAreNotPartOfTheKey
    case eachPartOfTheKeyCounts
    case keysAreComparedByteByByte
    case textOfAnyKindIsKept
    case extremeNumbersAreKept
    case bigDataIsKept
    case manyItemsAreKept
    case addingAgainAddsNothing

    struct Step {
      var items: [KeychainItem]
      var taken: [KeychainItem] = []
      var after: [KeychainItem]
    }

    /// The added items, and the expected content afterwards.
    var steps: [Step] {
      switch self {
      case .aNewStoreIsEmpty: return [Step(items: [], after: [])]
      case .addingNothingLeavesItEmpty:
        return [Step(items: [], after: []), Step(items: [], after: [])]
      case .itemsComeInTheOrderOfKeys:
        let items = Self.ordered
        return [Step(items: items.reversed(), after: items)]
      case .takenKeysAreReturnedAndUntouched:
        let first = Self.item("b", data: "first")
        let second = Self.item("b", data: "second")
        let other = Self.item("a", data: "other")
        return [
          Step(items: [first], after: [first]),
          Step(items: [second, other], taken: [second], after: [other, first]),
        ]
      case .aRepeatedKeyIsTakenWithinOneAdd:
        let first = Self.item("a", data: "first")
        let second = Self.item("a", data: "second")
        return [Step(items: [first, second, first], taken: [second, first], after: [first])]
      case .theOrderOfTakenItemsIsTheirOwn:
        let there = ["a", "b", "c"].map { Self.item($0, data: "there") }
        let again = ["c", "a", "b"].map { Self.item($0, data: "again") }
        return [
          Step(items: there, after: there), Step(items: again, taken: again, after: there),
        ]
      case .everyAttributeIsKept:
        return [Step(items: [Self.full], after: [Self.full])]
      case .absentAndEmptyAreDifferent:
        let items = [Self.item("absent", data: nil), Self.empty]
        return [Step(items: items, after: items)]
      case .typeAndGenericAreNotPartOfTheKey:
        var other = Self.full
        other.type = 2006
        other.generic = [1]
        return [Step(items: [Self.full, other], taken: [other], after: [Self.full])]
      case .eachPartOfTheKeyCounts:
        let items = [("a", "a", "a"), ("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]
          .map { KeychainItem(accessGroup: $0, account: $1, service: $2) }
        return [Step(items: items, after: items)]
      case .keysAreComparedByteByByte:
        // The second is the first with its accent as a character of its own: equal to Swift's String.
        let items = ["A", "a", "a\u{301}", "\u{C1}", "\u{E1}"].map { Self.item($0, data: nil) }
        return [Step(items: items, after: items)]
      case .textOfAnyKindIsKept:
        let texts = [
          "", " ", "\"quoted\\ 'x'; DROP TABLE items;--", "\u{1}\n\r\t\u{1F}", "é", "\u{2028}",
          "日本語", "\u{FFFD}", "\u{FFFF}", "\u{10000}", "👩‍👩‍👧",
        ].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let items = texts.map { text in
          KeychainItem(
            accessGroup: "G" + text, account: text, service: text, label: text,
            itemDescription: text,
            comment: text)
        }
        return [Step(items: items, after: items)]
      case .extremeNumbersAreKept:
        let items = [
          KeychainItem(
            accessGroup: "G", account: "a", type: Int(Int32.max), isInvisible: false, created: 0,
            modified: -1),
          KeychainItem(
            accessGroup: "G", account: "b", type: Int(Int32.min), created: 1_699_999_999.123_456,
            modified: 1e18 + 512),
          KeychainItem(
            accessGroup: "G", account: "c", type: 0, created: 0.1 + 0.2,
            modified: .leastNonzeroMagnitude),
        ]
        return [Step(items: items, after: items)]
      case .bigDataIsKept:
        var item = Self.item("big", data: nil)
        item.data = TokenSecret((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
        return [Step(items: [item], after: [item])]
      case .manyItemsAreKept:
        let items = (1000..<2000).map { Self.item("user\($0)", data: "\($0)") }
        let odd = stride(from: 1, to: 1000, by: 2).map { items[$0] }
        let even = stride(from: 0, to: 1000, by: 2).map { items[$0] }
        return [Step(items: odd, after: odd), Step(items: even, after: items)]
      case .addingAgainAddsNothing:
        return [
          Step(items: Self.ordered, after: Self.ordered),
          Step(items: Self.ordered, taken: Self.ordered, after: Self.ordered),
        ]
      }
    }

    private static func item(_ account: String, data: String?) -> KeychainItem {
      KeychainItem(
        accessGroup: "group", account: account, service: "service",
        data: data.map { TokenSecret($0) })
    }

    private static var ordered: [KeychainItem] {
      [
        ("A.group", "z", "z"), ("B.group", "", ""), ("B.group", "", "s"), ("B.group", "B", "s"),
        ("B.group", "a", "s"), ("B.group", "a", "s|t"), ("B.group", "ab", "s"),
      ].map { KeychainItem(accessGroup: $0, account: $1, service: $2, data: TokenSecret($1)) }
    }

    private static var full: KeychainItem {
      KeychainItem(
        accessGroup: "ABCDE12345.com.microsoft.adalcache", account: "account", service: "service",
        generic: [0, 1, 0xFF], type: 2002, accessibility: "cku", label: "label",
        itemDescription: "description", comment: "comment", isInvisible: true,
        created: 1_700_000_000, modified: 1_700_000_001.5, data: TokenSecret([0xFF, 0, 0xC3, 0x28]))
    }

    private static var empty: KeychainItem {
      KeychainItem(
        accessGroup: "group", account: "empty", service: "service", generic: [], type: 0,
        accessibility: "", label: "", itemDescription: "", comment: "", isInvisible: false,
        created: 0, modified: 0, data: TokenSecret([]))
    }
  }
}
