// SPDX-License-Identifier: MIT
import ADALMigration
import Testing

@testable import adal2msal

/// How words on the command line are understood.
@Suite struct WordTests {
  @Test(
    arguments: [
      ("0", 0), ("1700000000", 1_700_000_000), ("1700000000.5", 1_700_000_000.5),
      ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("2023-11-14T22:13:20Z", 1_700_000_000),
      ("2023-11-14T22:13:20", 1_700_000_000), ("2023-11-14t22:13:20.25z", 1_700_000_000.25),
      ("2023-11-14 22:13:20Z", 1_700_000_000), ("2023-11-15T00:13:20+02:00", 1_700_000_000),
      ("2023-11-14T17:13:20-0500", 1_700_000_000), ("2023-11-14T22:13Z", 1_699_999_980),
      ("2023-11-15T03:43:20+05:30", 1_700_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("2024-12-31", 1_735_603_200), ("1900-03-01T00:00:00Z", nil),
    ] as [(String, Double?)])
  func instants(text: String, seconds: Double?) {
    #expect(Instant(argument: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", " ", "-1", "+1", "1e9", "0x10", "inf", "nan", "1.", ".5", "1_000", "١٢", "2023-1-1",
    "2023-02-29", "2023-13-01", "2023-00-01", "2023-01-00", "2023-01-01T", "2023-01-01T24:00:00Z",
    "2023-01-01T00:60:00Z", "2023-01-01T00:00:61Z", "2023-01-01T00:00:00ZZ",
    "2023-01-01T00:00:00.Z",
    "2023-01-01T00:00:00+1", "2023-01-01Z", "2023-01-01T00", "253402300800", "0000-01-01",
    "99999999999999999999999999",
  ])
  func whatIsNoInstant(text: String) {
    #expect(Instant(argument: text) == nil)
  }

  @Test func places() {
    #expect(Place(argument: "-")?.kind == .standardInput)
    #expect(Place(argument: "a.json")?.kind == .path("a.json"))
    #expect(Place(argument: "./-")?.kind == .path("./-"))
    #expect(Place(argument: "sqlite:a:b")?.kind == .snapshot(path: "a:b"))
    #expect(Place(argument: "items:-")?.kind == .items(path: "-"))
    #expect(Place(argument: "msal-json:a")?.kind == .document(path: "a"))
    #expect(Place(argument: "keychain:")?.kind == .keychain(group: nil))
    #expect(Place(argument: "keychain:T.g")?.kind == .keychain(group: "T.g"))
    #expect(Place(argument: "SQLITE:a")?.kind == .path("SQLITE:a"))
    for text in ["", "sqlite:", "items:", "msal-json:"] { #expect(Place(argument: text) == nil) }
  }

  @Test func everyReasonIsListedAndFindsItself() {
    for reason in Reason.allCases {
      #expect(Explain.list.contains("\n  \(reason.code) "))
      #expect(Explain.closest(to: reason.code).first == reason.code)
      #expect(Explain.closest(to: String(reason.code.dropLast())).contains(reason.code))
    }
  }

  @Test func otherProgramsSentencesBecomeOurs() {
    #expect("Unknown option '--x'.".asClause == "unknown option '--x'")
    #expect(
      "The value is bad. Please provide one of the following:\n  - a\n  - b".asClause
        == "the value is bad; it is one of a, b")
    #expect("Bad. Please provide one of 'a' or 'b'.".asClause == "bad; it is one of 'a' or 'b'")
    #expect("".asClause == "")
  }
}
