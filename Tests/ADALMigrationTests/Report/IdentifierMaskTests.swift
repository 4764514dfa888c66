// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Identifiers that are user names are masked with them.
@Suite struct IdentifierMaskTests {
  private static let guid = "11111111-2222-4333-8444-555555555555"
  private static let tenant = "99999999-2222-4333-8444-555555555555"

  private static let masks: [NameMask] =
    [.msal] + [NameMask.salted(TokenSecret("a key of the team's, not a guess"))].compactMap { $0 }

  /// Somebody whose name is everywhere where a cache can have it.
  private static func report(named name: String) -> Report {
    var account = Report.Account(userID: name, homeAccountID: name, signedIn: .yes)
    account.realms = [name, "adfs"]
    account.clients = [name]
    var entry = Report.Entry(row: 0, account: 0, outcome: .converted, reasons: [.okMRRT])
    entry.homeAccountID = name
    entry.userID = name
    entry.clientID = name
    entry.authority = "https://fs.contoso.com/\(name)"
    entry.resource = name
    entry.scope = "\(name)/.default"
    entry.documentName = name
    entry.place.service = "refreshtoken-c--\(name)"
    entry.place.account = name
    entry.writes = [
      Report.Write(
        type: .refreshToken, environment: "fs.contoso.com", realm: name, target: "a \(name) b")
    ]
    return Report(accounts: [account], entries: [entry])
  }

  @Test("no format shows the name", arguments: ReportFormat.allCases)
  func nothingLeaks(format: ReportFormat) {
    for mask in Self.masks {
      let text = format.render(
        Self.report(named: "zzname@contoso.com").masked(mask), style: TextStyle(width: 200))
      #expect(!text.contains("zzname"))
    }
  }

  @Test("a name without a domain is masked where it is an identifier")
  func shortName() {
    for mask in Self.masks {
      let report = Self.report(named: "zzname").masked(mask).content
      #expect(report.accounts[0].homeAccountID == mask("zzname"))
      #expect(report.accounts[0].realms == [mask("zzname"), "adfs"])
      #expect(report.entries[0].homeAccountID == mask("zzname"))
      #expect(report.entries[0].document == mask("zzname"))
      #expect(report.entries[0].writes[0].realm == mask("zzname"))
    }
  }

  @Test("identifiers of Entra ID stay, other home account ids do not")
  func identifiers() {
    for mask in Self.masks {
      let id = "\(Self.guid).\(Self.tenant)"
      #expect(mask.identifier(id) == id)
      #expect(mask.identifier("kim.\(Self.tenant)") == mask("kim.\(Self.tenant)"))
      #expect(mask.identifier("kim@contoso.com") == mask("kim@contoso.com"))
    }
  }

  @Test("a resource that names its tenant stays")
  func resources() {
    for mask in Self.masks {
      for text in [
        "https://graph.microsoft.com/.default openid", "spn:\(Self.guid)", "",
        "\(Self.guid)/contoso.sharepoint.com@\(Self.tenant)",
      ] {
        #expect(mask.text(text) == text)
      }
      #expect(mask.text("a kim@contoso.com/x") == "a \(mask("kim@contoso.com"))/x")
      #expect(!mask.text("kim@contoso.com-kim@contoso.com").contains("kim"))
      #expect(!mask.text("k\u{E9}m@contoso.com@\(Self.tenant)").contains("m@"))
    }
  }
}
