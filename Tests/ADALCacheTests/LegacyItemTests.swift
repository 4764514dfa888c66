// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import ADALCache

/// The meaning of a keychain item to ADAL by its attributes alone.
@Suite struct LegacyItemTests {
  private enum Form { case row, preview, cache, foreign }

  private static func item(
    account: String = "a", service: String = "s", generic: String? = nil
  ) -> KeychainItem {
    var item = KeychainItem(account: account, service: service, data: TokenSecret("x"))
    item.generic = generic.map { Array($0.utf8) }
    return item
  }

  private static func form(of item: KeychainItem) -> Form {
    switch LegacyItem(item) {
    case .token: .row
    case .unreadable(let row):
      if row.code == .previewFormat {
        .preview
      } else {
        LegacyItem.isCache(item) ? .cache : .row
      }
    case .cache: .cache
    case .foreign: .foreign
    }
  }

  @Test(
    arguments: [
      (item(generic: "MSOpenTech.ADAL.1"), .row),
      (item(generic: "MSOpenTech.ADAL.1.0"), .row),
      (item(account: "ADAL.PCL.iOS cache", generic: "MSOpenTech.ADAL.1"), .row),
      (item(service: "NextTombstoneCleanTime", generic: "MSOpenTech.ADAL.1"), .foreign),
      (item(service: "MSOpenTech.ADAL.1|a|b|c"), .foreign),
      (item(generic: "MSOpenTech.ADAL.2"), .foreign),
      (item(service: "MSOpenTech.ADAL", generic: "bplist00"), .preview),
      (item(service: "MSOpenTech.ADAL", generic: "bplist0"), .foreign),
      (item(service: "MSOpenTech.ADAL.1", generic: "bplist00"), .foreign),
      (item(service: "MSOpenTech.ADAL"), .foreign),
      (item(account: "ADAL.PCL.iOS cache", service: "ADAL.PCL.iOS Service"), .cache),
      (item(account: "ADAL.PCL.iOS cache"), .foreign),
      (item(service: "ADAL.PCL.iOS Service"), .foreign),
    ] as [(KeychainItem, Form)])
  private func form(item: KeychainItem, form: Form) {
    #expect(Self.form(of: item) == form)
    #expect(LegacyItem.isOfADAL(item) == (form != .foreign))
  }
}
