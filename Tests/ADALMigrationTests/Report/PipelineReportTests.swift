// SPDX-License-Identifier: MIT
@testable import ADALMigration
@testable import MigrationReceipts
import Foundation
import MigrationReports
import Testing

/// Messages for build services: files, users, numbers.
@Suite struct PipelineReportTests {
  // MARK: Files

  @Test(arguments: [
    ("App/S.swift", "/repo/ios", "ios/App/S.swift"), ("./a//b/../c", "/repo", "a/c"),
    ("../x.json", "/repo/ios", "x.json"), ("/repo/a", "/elsewhere", "a"),
    ("/tmp/x.json", "/repo", "/tmp/x.json"), ("../../out", "/repo/ios", "../../out"),
    ("../repository/x", "/repo", "../repository/x"),
  ])
  func aFileIsNamedFromTheRoot(file: String, folder: String, name: String) {
    #expect(RepositoryFiles(root: "/repo", folder: folder).name(of: file) == name)
  }

  @Test func withoutARepositoryFilesKeepTheirNames() {
    #expect(RepositoryFiles.asNamed.name(of: "./a/../b") == "./a/../b")
    #expect(RepositoryFiles(root: "/", folder: "/x").name(of: "y") == "x/y")
  }

  /// Two files, a finding about rows of both, and a file that cannot be read.
  private var folder: Report {
    var report = Report(
      kind: .dryRun,
      accounts: [
        Report.Account(userID: "ann@contoso.com", signedIn: .no),
        Report.Account(userID: "bob@contoso.com", signedIn: .no),
        Report.Account(userID: "eve@contoso.com", signedIn: .no),
        Report.Account(userID: "joe@contoso.com", signedIn: .yes),
      ],
      entries: [
        Report.Entry(row: 0, account: 0, outcome: .notConverted, reasons: [.adfsUnsupported]),
        Report.Entry(row: 1, account: 1, outcome: .notConverted, reasons: [.adfsUnsupported]),
        Report.Entry(
          row: 2, kind: .tombstone, account: 2, outcome: .notConverted, reasons: [.rtTombstone]),
        Report.Entry(row: 3, account: 3, outcome: .converted, reasons: [.okMRRT]),
      ],
      findings: [
        Report.Finding(.adfsUnsupported, severity: .error, rows: [0, 1]),
        Report.Finding(.rtTombstone, severity: .note, rows: [2]),
      ])
    for (row, file) in ["in/b", "in/a", "in/a", "in/a"].enumerated() {
      report.entries[row].place.file = file
    }
    return report.listing(
      ["in/a", "in/b"],
      unread: [Report.Cache(file: "in/cut", status: 65, objection: "in/cut is cut")]
    ) { $0 >= .error }
  }

  private let files = RepositoryFiles(root: "/repo", folder: "/repo/sub")
  private static let ann = "auth.placeholder-49915e0d__contoso.com"
  private static let bob = "auth.placeholder-81b637d8__contoso.com"

  @Test("each file of a folder has its annotation, with the account and a title in words")
  func github() {
    let lines = ReportFormat.github.render(folder.masked(), files: files).split(separator: "\n")
      .map(String.init)
    let words = "authority is an AD FS server (1 token). Who: "
    let toDo = "To do: let the user sign in once, through Microsoft Entra ID."
    let title = "title=Authority is an AD FS server (adfs.unsupported)"
    #expect(
      lines.filter { $0.hasPrefix("::error") } as [String]
        == [
          "::error file=sub/in/cut,title=File cannot be read as a cache::in/cut is cut",
          "::error file=sub/in/b,\(title)::\(words)\(Self.ann). \(toDo)",
          "::error file=sub/in/a,\(title)::\(words)\(Self.bob). \(toDo)",
        ])
  }

  @Test func azure() {
    let lines = ReportFormat.azure.render(folder.masked(), files: files).split(separator: "\n").map(
      String.init)
    #expect(lines.count == 5)
    #expect(lines[1] == "##vso[task.logissue type=error;sourcepath=sub/in/cut]in/cut is cut")
    let issue = "##vso[task.logissue type=error;sourcepath=sub/in/b;code=adfs.unsupported]"
    let words = "authority is an AD FS server (adfs.unsupported, 1 token). Who: \(Self.ann). "
    let toDo = "To do: let the user sign in once, through Microsoft Entra ID."
    #expect(lines[2] == "\(issue)\(words)\(toDo)")
    #expect(
      lines[4].hasPrefix(
        "note: refresh token that the service has rejected (rt.tombstone, 1 token). "))
  }

  @Test("SARIF has a result for each file, since GitHub shows the first place alone") func sarif()
    throws
  {
    let text = ReportFormat.sarif.render(folder.masked(), files: files)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    func first(_ result: [String: Any]) -> String? {
      let location = (result["locations"] as? [[String: Any]])?.first
      let physical = location?["physicalLocation"] as? [String: Any]
      return (physical?["artifactLocation"] as? [String: Any])?["uri"] as? String
    }
    #expect(results.map(first) == ["sub/in/b", "sub/in/a", "sub/in/a", "sub/in/cut"])
    let messages = results.compactMap { ($0["message"] as? [String: Any])?["text"] as? String }
    #expect(messages[0].hasPrefix("Authority is an AD FS server. Who: \(Self.ann). To do: "))
    #expect(messages[3] == "In/cut is cut.")
    let prints = results.compactMap { $0["partialFingerprints"] as? [String: String] }
    #expect(Set(prints).count == 4)
  }

  @Test("Markdown says in words what happened to which account, and then the code") func markdown()
  {
    let text = ReportFormat.markdown.render(folder.masked())
    #expect(text.contains("|  | what happened | who | tokens | what to do | reason |\n"))
    #expect(text.contains("| **error** | Authority is an AD FS server | `auth"))
    #expect(text.contains("| `adfs.unsupported` |\n"))
  }

  @Test("a file that cannot be read has failed in JUnit, too") func junit() {
    let text = ReportFormat.junit.render(folder.masked())
    #expect(text.contains("<testsuite name=\"(the files)\" tests=\"1\" failures=\"1\""))
  }

  @Test("a page says which file cannot be read, and is not green") func html() {
    var report = Report(kind: .dryRun, accounts: [])
    report = report.listing(
      [], unread: [Report.Cache(file: "in/<cut>", status: 65, objection: "in/<cut> is cut")]
    ) { $0 >= .error }
    let text = ReportFormat.html.render(report.masked())
    #expect(text.contains("<p>In/&lt;cut&gt; is cut.</p>"))
    #expect(!text.contains("Nothing."))
  }

  // MARK: Numbers

  @Test("accounts that had no sign-in with ADAL are counted apart") func signedOut() {
    let report = folder
    #expect(report.summary.accountsToSignIn == 3)
    #expect(report.summary.accountsSignedOut == 1)
    let text = ReportFormat.text.render(report.masked())
    #expect(
      text.hasPrefix(
        "1 file cannot be read, and its users are unknown. 1 account stays signed in, "
          + "2 must sign in again, 1 must sign in (ADAL could not have signed it in silently either).\n"
      ))
    let json = ReportFormat.json.render(report.masked())
    #expect(json.contains("\"accountsSignedOut\" : 1"))
    let nobody = Report(
      kind: .dryRun, accounts: Array(report.accounts.prefix(3)),
      entries: Array(report.entries.prefix(3)), findings: report.findings)
    #expect(
      ReportFormat.text.render(nobody.masked()).hasPrefix(
        "2 accounts must sign in again, 1 must sign in (ADAL could not have signed it in silently either).\n"
      ))
  }

  @Test("an error about the whole run is about everybody") func errorOfTheRun() {
    let accounts = [Report.Account(userID: "ann@contoso.com", signedIn: .no)]
    let all = Report(
      accounts: accounts, findings: [Report.Finding(.checkNotFound, severity: .error)])
    #expect(all.summary.accountsSignedOut == 0)
    #expect(Report(accounts: accounts).summary.accountsSignedOut == 1)
  }

  @Test("a dry run says which target it was decided for") func target() {
    var report = Report(kind: .dryRun, accounts: [])
    report.target = Report.JudgedTarget(.items, place: nil)
    let nothing = "and there is nothing to write."
    #expect(
      ReportFormat.markdown.render(report.masked()).contains(
        "Nothing was written (dry run, as if into an empty items file), \(nothing)"))
    report.target = Report.JudgedTarget(.document, place: "cache.json")
    #expect(
      ReportFormat.github.render(report.masked()).contains(
        "Nothing was written (dry run, as if into cache.json), \(nothing)"))
    let json = ReportFormat.json.render(report.masked())
    #expect(json.contains("\"kind\" : \"document\",\n    \"place\" : \"cache.json\""))
  }
}
