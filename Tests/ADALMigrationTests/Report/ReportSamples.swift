// SPDX-License-Identifier: MIT
@testable import ADALMigration

/// Reports to look at: what the formats are judged by.
enum ReportSample: String, CaseIterable, Sendable {
  /// A dry run over people with all kinds of fates.
  case mixed
  /// A run after which everybody stays signed in.
  case everybody
  /// A second run: everything is there.
  case again
  /// A cache without any token.
  case nothing
  /// Names that are wide, long, or written from right to left.
  case names
  /// Names, authorities, resources and files that were made to do harm.
  case hostile
  /// The report of an inspection.
  case inspection

  var report: Report {
    switch self {
    case .mixed: Self.mixedReport
    case .everybody: Self.everybodyReport
    case .again: Self.againReport
    case .nothing: Report(kind: .dryRun, accounts: [], entries: [], findings: [], foreign: 1)
    case .names: Self.namesReport
    case .hostile: Self.hostileReport
    case .inspection: Self.inspectionReport
    }
  }

  /// The printed reports, with real names if the test is about names.
  var printed: MaskedReport {
    self == .names || self == .hostile ? report.unmasked() : report.masked()
  }

  static let client = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
  static let other = "d3590ed6-52b3-4102-aeff-aad2292ab01c"
  static let tenant = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
  static let home = "9f4880d8-80ba-4c40-97bc-f7a23c703084.f645ad92-e38d-4d1a-b510-d1b09a74a8ca"

  private static let mixedReport = Report(
    kind: .dryRun,
    accounts: [
      .sample("alice@contoso.com", home),
      .sample(
        "bob@contoso.com", "0f3c8a52-7d11-4c7e-9a0b-5b8f1a6d2e31.\(tenant)",
        confidence: .homeAuthority),
      .sample("carol@fabrikam.com", nil, signedIn: .no),
      .sample("dave@fabrikam.com", nil, signedIn: .byUserName),
      .sample(
        "erin@contoso.com", "7c2e91b4-08f5-4f0a-8d3c-94a1c5e7b602.\(tenant)", confidence: .joined),
    ],
    entries: [
      .sample(0, .multiResourceRefreshToken, 0, .converted, [.okMRRT, .homeExact]),
      .sample(1, .accessToken, 0, .converted, [.okAT], resource: "https://graph.microsoft.com"),
      .sample(2, .accessToken, 0, .notConverted, [.atExpired], resource: "https://contoso.com/"),
      .sample(3, .multiResourceRefreshToken, 1, .converted, [.okMRRT, .homeCommonAuthority]),
      .sample(4, .familyRefreshToken, 1, .converted, [.okFRT, .homeCommonAuthority]),
      .sample(5, .multiResourceRefreshToken, 2, .notConverted, [.homeGuestUnresolved]),
      .sample(6, .accessToken, 2, .notConverted, [.homeGuestUnresolved], resource: "spn:x"),
      .sample(7, .multiResourceRefreshToken, 3, .notConverted, [.homeNoIDToken]),
      .sample(8, .unifiedRefreshToken, 4, .alreadyThere, [.keepIdentical]),
      .sample(9, .multiResourceRefreshToken, 4, .converted, [.okMRRT, .homeJoined]),
      .sample(10, .tombstone, nil, .notConverted, [.rtTombstone]),
    ],
    findings: [
      Report.Finding(
        reason: .atExpired, severity: .note, rows: [2], fragments: ["access token has expired"],
        remedy: Reason.atExpired.remedy),
      Report.Finding(
        reason: .homeGuestUnresolved, severity: .error, rows: [5, 6],
        fragments: [
          "home tenant unknown; ", .user("carol@fabrikam.com"), " must sign in again",
        ], remedy: Reason.homeGuestUnresolved.remedy),
      Report.Finding(
        reason: .homeNoIDToken, severity: .warning, rows: [7],
        fragments: [
          "home account unknown; MSAL finds the account by user name as long as ADAL's row stays"
        ],
        remedy: Reason.homeNoIDToken.remedy),
      Report.Finding(
        reason: .homeJoined, severity: .warning, rows: [9],
        fragments: [.text(Reason.homeJoined.summary)], remedy: Reason.homeJoined.remedy),
      Report.Finding(
        reason: .rtTombstone, severity: .note, rows: [10],
        fragments: [.text(Reason.rtTombstone.summary)], remedy: Reason.rtTombstone.remedy),
      Report.Finding(
        reason: .coexistenceLogout, severity: .note, rows: [],
        fragments: [.text(Reason.coexistenceLogout.summary)],
        remedy: Reason.coexistenceLogout.remedy),
    ], foreign: 2)

  private static let everybodyReport = Report(
    kind: .applied,
    accounts: [.sample("alice@contoso.com", home)],
    entries: [
      .sample(0, .multiResourceRefreshToken, 0, .converted, [.okMRRT, .homeExact]),
      .sample(1, .accessToken, 0, .converted, [.okAT], resource: "https://graph.microsoft.com"),
    ], findings: [])

  private static let againReport = Report(
    kind: .applied,
    accounts: [
      .sample("alice@contoso.com", home),
      .sample(
        "bob@contoso.com", "0f3c8a52-7d11-4c7e-9a0b-5b8f1a6d2e31.\(tenant)", signedIn: .byUserName),
    ],
    entries: [
      .sample(0, .multiResourceRefreshToken, 0, .alreadyThere, [.keepIdentical]),
      .sample(1, .unifiedAccount, 0, .alreadyThere, [.keepAccount]),
      .sample(2, .multiResourceRefreshToken, 1, .alreadyThere, [.keepIdentical]),
    ],
    findings: [
      Report.Finding(
        reason: .keepIdentical, severity: .note, rows: [0, 2],
        fragments: [.text(Reason.keepIdentical.summary)], remedy: Reason.keepIdentical.remedy)
    ])

  private static let namesReport = Report(
    kind: .dryRun,
    accounts: [
      .sample("אורי.כהן@contoso.com", home),
      .sample("山田太郎@例え.jp", "58d1f7e0-3b6a-42c9-b1e4-60c2d9f8a713.\(tenant)"),
      .sample(
        "zoë.müller-lüdenscheidt.with.a.very.long.name@subsidiary.of.contoso.com", nil,
        signedIn: .no),
      .sample("👩‍👩‍👧‍👦parents@contoso.com", "a94b6c03-e2d8-4f57-8c1a-37e5b0d4f629.\(tenant)"),
      .sample(nil, "c6e05d1f-94a7-4b3e-8f62-1d7a9c8b0e54.\(tenant)"),
      .sample("محمد@فابريكام.com", nil, signedIn: .no),
    ],
    entries: (0..<6).map { row in
      .sample(
        row, .multiResourceRefreshToken, row, row == 2 || row == 5 ? .notConverted : .converted,
        row == 2 || row == 5 ? [.homeUsernameOnly] : [.okMRRT])
    },
    findings: [
      Report.Finding(
        reason: .homeUsernameOnly, severity: .error, rows: [2, 5],
        fragments: [
          "only a user name is known: ",
          .user("zoë.müller-lüdenscheidt.with.a.very.long.name@subsidiary.of.contoso.com"), ", ",
          .user("محمد@فابريكام.com"),
        ], remedy: Reason.homeUsernameOnly.remedy)
    ])

  private static let inspectionReport: Report = {
    var report = mixedReport
    report.kind = .inspection
    report.findings = []
    return report
  }()
}

extension Report.Account {
  static func sample(
    _ userID: String?, _ homeAccountID: String?, confidence: Report.Confidence? = nil,
    signedIn: Report.SignedIn = .yes
  ) -> Self {
    Self(
      userID: userID, homeAccountID: homeAccountID, environment: "login.windows.net",
      confidence: confidence ?? (homeAccountID == nil ? .none : .exact),
      clients: [ReportSample.client], realms: [ReportSample.tenant], signedIn: signedIn)
  }
}

extension Report.Entry {
  static func sample(
    _ row: Int, _ kind: Report.RowKind, _ account: Int?, _ outcome: Report.Outcome,
    _ reasons: [Reason], resource: String? = nil, file: String = "cache.sqlite"
  ) -> Self {
    Self(
      row: row,
      place: .init(
        file: file, index: row, accessGroup: "TEAM.com.microsoft.adalcache", account: "acct",
        service: "MSOpenTech.ADAL.1"),
      kind: kind, clientID: ReportSample.client,
      authority: "https://login.windows.net/contoso.com", resource: resource,
      scope: resource.map { "\($0)/.default" }, userID: account.map { "user\($0)@contoso.com" },
      homeAccountID: nil, account: account, outcome: outcome, reasons: reasons,
      evidence: ["idtoken.oid+tid"],
      writes: outcome == .converted
        ? [
          Report.Write(
            type: kind == .accessToken ? .accessToken : .refreshToken,
            environment: "login.windows.net",
            realm: kind == .accessToken ? ReportSample.tenant : nil,
            target: kind == .accessToken ? resource.map { "\($0)/.default" } : nil)
        ] : [])
  }
}
