// SPDX-License-Identifier: MIT
import MSALCache
import Testing

@testable import ADALCache
@testable import ADALMigration

/// The service's facts in a row about its account, and the part that MSAL's fallback reads.
@Suite struct StoredHomeTests {
  private let first = HomeAccountID(uid: "u1", utid: "t1")
  private let second = HomeAccountID(uid: "u2", utid: "t2")

  private func token(_ homeAccountID: String?, _ clientInfo: String?) -> LegacyToken {
    LegacyToken(
      homeAccountID: homeAccountID, clientInfo: clientInfo, place: .archive(index: 0))
  }

  private func stored(
    _ homeAccountID: String?, _ clientInfo: String?
  ) -> (id: HomeAccountID, field: StoredHome.Field)? {
    var reader = RowReader(Policy())
    reader.add(SharedToken(token(homeAccountID, clientInfo)), number: 0, group: "")
    return reader.table.rows.first?.storedHome.map { (reader.table.homes[$0.number], $0.field) }
  }

  @Test func theFieldThatHasAnIDIsNamed() {
    for (homeAccountID, clientInfo, id, field) in [
      ("u1.t1", nil, first, .homeAccountID), (nil, second.clientInfo, second, .clientInfo),
      ("u1.t1", second.clientInfo, first, .homeAccountID),
      ("damaged", second.clientInfo, second, .clientInfo),
    ] as [(String?, String?, HomeAccountID, StoredHome.Field)] {
      let stored = stored(homeAccountID, clientInfo)
      #expect(stored?.id == id)
      #expect(stored?.field == field)
    }
    #expect(stored("damaged", "damaged") == nil)
    #expect(stored(nil, nil) == nil)
  }

  @Test func theFallbackReadsOneFieldAlone() {
    #expect(token(nil, second.clientInfo).fallbackIdentifier == nil)
    #expect(token("damaged", second.clientInfo).fallbackIdentifier == "damaged")
    #expect(token("u1.t1", second.clientInfo).fallbackIdentifier == "u1.t1")
  }
}
