// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@Suite struct CalendarInstantTests {
  @Test func instants() {
    #expect(CalendarInstant([1970, 1, 1, 0, 0, 0])?.seconds == 0)
    #expect(CalendarInstant([2023, 11, 14, 22, 13, 20])?.seconds == 1_700_000_000)
    #expect(CalendarInstant([1, 1, 1, 0, 0, 0])?.seconds == -62_135_596_800)
    #expect(CalendarInstant([2000, 2, 29, 0, 0, 0])?.seconds == 951_782_400)
    #expect(CalendarInstant([2016, 12, 31, 23, 59, 60])?.seconds == 1_483_228_800)
  }

  @Test func noInstants() {
    let parts = [2023, 11, 14, 22, 13, 20]
    for (index, value) in [
      (0, 0), (0, 10_000), (1, 0), (1, 13), (2, 0), (2, 31), (3, 24), (4, 60), (5, 61), (5, -1),
    ] {
      var changed = parts
      changed[index] = value
      #expect(CalendarInstant(changed) == nil)
    }
    #expect(CalendarInstant([2023, 2, 29, 0, 0, 0]) == nil)
    #expect(CalendarInstant([1900, 2, 29, 0, 0, 0]) == nil)
    #expect(CalendarInstant(Array(parts.dropLast())) == nil)
  }

  @Test func spelledDatesHaveEachDigitAndSignInItsPlace() {
    func seconds(_ text: String, _ separator: Unicode.Scalar = " ") -> Double? {
      CalendarInstant(Array(text.utf8)[...], separator: separator)?.seconds
    }
    #expect(seconds("2023-11-14 22:13:20") == 1_700_000_000)
    #expect(seconds("2023-11-14T22:13:20", "T") == 1_700_000_000)
    for text in [
      "2023-11-14T22:13:20", "2023-11-14 22:13:2", "2023-11-14 22:13:200", "2023-11-14 22.13:20",
      "2023/11-14 22:13:20", "2023-11-14 22:13:+1", "2023-11-1a 22:13:20", "2023-02-29 22:13:20",
      "",
    ] {
      #expect(seconds(text) == nil)
    }
    #expect(CalendarInstant(digits: Array("20231114221320".utf8)[...])?.seconds == 1_700_000_000)
    for text in ["2023111422132", "202311142213200", "2023111422132a", "20231314221320"] {
      #expect(CalendarInstant(digits: Array(text.utf8)[...]) == nil)
    }
  }
}
