// SPDX-License-Identifier: MIT
import ADALMigration
import Testing

@Suite struct ReportAccountsTests {
  private static let adele = Report.Account(
    userID: "adele@contoso.com", homeAccountID: "u1.t1", signedIn: .yes)

  @Test func anAccountIsFoundByTheSavedUserIDInAnyCase() {
    let report = Report(accounts: [Self.adele])
    #expect(report.account(forADALUserID: "Adele@CONTOSO.com") == Self.adele)
    #expect(report.account(forADALUserID: " adele@contoso.com\n") == Self.adele)
    #expect(report.account(forADALUserID: "adel@contoso.com") == nil)
    #expect(report.account(forADALUserID: "") == nil)
    #expect(Report(accounts: []).account(forADALUserID: "adele@contoso.com") == nil)
  }

  @Test func anAccountWithoutANameIsNobodys() {
    let report = Report(accounts: [.init(userID: nil, homeAccountID: "u1.t1", signedIn: .yes)])
    #expect(report.account(forADALUserID: "") == nil)
    #expect(report.accounts(forADALUserID: "").isEmpty)
  }

  /// The states of accounts of one name, and which of them is meant.
  static let several: [([Report.SignedIn], Int?)] = [
    ([.no, .yes], 1), ([.yes, .byUserName], 0), ([.byUserName, .no], 0), ([.no, .no], nil),
    ([.yes, .yes], nil), ([.byUserName, .byUserName], nil), ([.byUserName, .yes, .byUserName], 1),
  ]

  @Test(arguments: several)
  func ofAccountsOfOneNameTheSignedInOneIsMeant(_ states: [Report.SignedIn], _ meant: Int?) {
    let accounts = states.enumerated().map { number, state in
      Report.Account(userID: "a@contoso.com", homeAccountID: "u\(number).t", signedIn: state)
    }
    let report = Report(accounts: accounts + [Self.adele])
    #expect(report.account(forADALUserID: "A@contoso.com") == meant.map { accounts[$0] })
    #expect(report.accounts(forADALUserID: "A@contoso.com") == accounts)
  }

  @Test func onlyAnAccountThatMSALFindsByItHasAnIdentifier() {
    func identifier(_ state: Report.SignedIn) -> String? {
      Report.Account(userID: "a", homeAccountID: "u.t", signedIn: state).identifier
    }
    #expect(identifier(.yes) == "u.t")
    #expect(identifier(.byUserName) == nil)
    #expect(identifier(.no) == nil)
  }

  @Test func anAccountThatMustSignInHasTheReasonsOfItsRows() {
    let lost = Report.Account(userID: "carol@fabrikam.com", signedIn: .no)
    let report = Report(
      accounts: [Self.adele, lost],
      entries: [
        .init(row: 0, account: 0, outcome: .notConverted, reasons: [.rtDuplicate]),
        .init(row: 1, account: 1, outcome: .notConverted, reasons: [.rtMissing, .atExpired]),
        .init(row: 2, account: 1, outcome: .notConverted, reasons: [.homeGuestUnresolved]),
        .init(row: 3, account: 1, outcome: .notConverted, reasons: [.homeGuestUnresolved]),
        .init(row: 4, account: 1, outcome: .converted, reasons: [.okAT]),
        .init(row: 5, outcome: .notConverted, reasons: [.rowEmpty]),
      ])
    #expect(report.accounts.map(\.reasons) == [[], [.homeGuestUnresolved, .rtMissing]])
    #expect(report.account(forADALUserID: "carol@fabrikam.com")?.identifier == nil)
  }
}
