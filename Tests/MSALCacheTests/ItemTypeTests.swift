// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import Testing

@Suite struct ItemTypeTests {
  @Test(
    "an item is MSAL's by its type number",
    arguments: [1000, 1001, 1002, 1003, 1004, 2000, 2001, 2002, 2003, 2006, 2009, 3000, 3001, 5001])
  func numbers(type: Int) {
    #expect(ItemType.isOfMSAL(item(type: type)))
  }

  @Test("other numbers are not MSAL's", arguments: [nil, 0, 999, 1005, 2010, 3002, 5000, 5002])
  func otherNumbers(type: Int?) {
    #expect(!ItemType.isOfMSAL(item(type: type)))
  }

  @Test(
    "an item without a number is MSAL's by its name",
    arguments: [
      ("useSingleFRT", "useSingleFRT", true), ("useSingleFRT", "mine", false),
      ("com.microsoft.identity.throttling.metadata", "Ver1", true),
      ("SDK.ObjC.teamIDHint", "", true), ("some account", "", false),
    ])
  func names(account: String, service: String, isOfMSAL: Bool) {
    #expect(ItemType.isOfMSAL(item(account, service)) == isOfMSAL)
  }

  @Test("each kind of token has a number of its own, and is found by it")
  func kinds() {
    for kind in MSALEntry.Kind.tokens {
      #expect(ItemType.credentials.contains(kind.typeNumber))
      #expect(MSALEntry.Kind(rawValue: kind.typeNumber) == kind)
    }
    #expect(
      Set(MSALEntry.Kind.allCases).subtracting(MSALEntry.Kind.tokens) == [.account, .appMetadata])
    #expect(MSALEntry.Kind(rawValue: 2000) == nil)
  }

  private func item(
    _ account: String = "x", _ service: String = "x", type: Int? = nil
  ) -> KeychainItem {
    KeychainItem(
      accessGroup: "g", account: account, service: service, generic: nil, type: type,
      data: TokenSecret("{}"))
  }
}
