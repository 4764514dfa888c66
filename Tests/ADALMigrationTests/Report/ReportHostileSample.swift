// SPDX-License-Identifier: MIT
@testable import ADALMigration

extension ReportSample {
  /// Strings that would do something somewhere if they were printed as they are.
  static let attacks = [
    "::error::owned", "  ::set-output name=x::y", "##vso[task.setvariable variable=x]y",
    "a ##[set-env name=PATH]/evil", "%0A::warning::decoded twice", "%25%0D%0Aplain",
    "line\r\n::error title=x::second line", "line\u{2028}::stop-commands::x", "]; type=error]x",
    "\u{1B}[2J\u{1B}[31mred", "\u{9B}31mC1", "\u{1B}]0;title\u{07}", "nul\u{0}bell\u{7}\u{8}\u{7F}",
    "abc\u{202E}txt.exe", "\u{2066}left\u{2069}\u{200F}", "zero\u{200B}width\u{FEFF}",
    "<script>alert(1)</script>", "</code><img src=x onerror=alert(1)>", "&lt;b&gt;&#60;i&#62;",
    "]]><x/>", "\"/><testcase name='x'/><!--", "| cell | cell |", "a\\|b", "`code` ``x``", "```",
    "[link](https://evil.example)", "![i](https://evil.example/i.png)", "www.evil.example",
    "https://evil.example/a", "@everyone", "#1", "*bold* _it_ ~~s~~ $x$", "# heading", "</details>",
    "\u{FFFE}\u{FFFF}\u{E000}", "\u{E0041}tag", "-->", "= - + * 1. x", "'; drop table items; --",
    "x\u{0300}\u{0301}\u{0302}", "C:\\Windows\\System32", "{\"json\": true}",
  ]

  static let hostileReport = Report(
    kind: .dryRun,
    accounts: attacks.map { attack in
      Report.Account(
        userID: "\(attack)@contoso.com", homeAccountID: attack, environment: attack,
        confidence: .exact, clients: [attack], realms: [attack], signedIn: .yes)
    },
    entries: attacks.enumerated().map { row, attack in
      Report.Entry(
        row: row,
        place: .init(
          file: attack, index: row, accessGroup: attack, account: attack, service: attack),
        kind: .accessToken, clientID: attack, authority: attack, resource: attack, scope: attack,
        userID: "\(attack)@contoso.com", homeAccountID: attack, account: row,
        outcome: .notConverted, reasons: [.atExpired], evidence: [attack],
        writes: [
          Report.Write(type: .accessToken, environment: attack, realm: attack, target: attack)
        ])
    },
    findings: zip(attacks, Reason.allCases).enumerated().map { row, pair in
      Report.Finding(
        reason: pair.1, severity: Report.Severity.allCases[row % 3], rows: [row],
        fragments: [.text(pair.0), " of ", .user("\(pair.0)@contoso.com")], remedy: pair.0)
    })
}
