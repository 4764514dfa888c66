// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@Suite struct KeychainItemTests {
  private func key(_ group: String, _ account: String, _ service: String) -> KeychainItem.Key {
    KeychainItem.Key(accessGroup: group, account: account, service: service)
  }

  @Test func keysSortByGroupAccountService() {
    let keys = [key("b", "a", "a"), key("a", "b", "a"), key("a", "a", "b"), key("a", "a", "a")]
    #expect(
      keys.sorted() == [
        key("a", "a", "a"), key("a", "a", "b"), key("a", "b", "a"), key("b", "a", "a"),
      ])
  }

  @Test func keysAreComparedByteByByte() {
    #expect(key("", "\u{E9}", "") != key("", "e\u{301}", ""))
    #expect(key("", "e\u{301}", "") < key("", "\u{E9}", ""))
    #expect(Set([key("", "\u{E9}", ""), key("", "e\u{301}", "")]).count == 2)
    // Where one part ends and the next begins is part of the key.
    #expect(key("a", "b", "") != key("ab", "", ""))
    #expect(Set([key("a", "b", ""), key("ab", "", "")]).count == 2)
  }

  @Test func aKeyIsNotSmallerThanItself() {
    #expect(!(key("a", "b", "c") < key("a", "b", "c")))
  }

  @Test func errorsAreEqualByCode() {
    #expect(StoreError(.locked, "one") == StoreError(.locked, "two"))
    #expect(StoreError(.locked, "one") != StoreError(.unwritable, "one"))
    #expect("\(StoreError(.locked, "a sentence"))" == "a sentence")
    #expect("\(StoreError.Code.notACache)" == "not a cache")
  }
}
