// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MigrationReports
import SyntheticCaches
import Testing

@testable import ADALMigration

/// D42 in every form of a report: a row that cannot be read is an error, with the account that must sign in.
@Suite struct DamagedRowReportTests {
  /// Eve's only row is cut in half, Ann's is sound, and the place of a third, damaged row names no user.
  private static let report = Result { () throws -> Report in
    func halved(_ row: SyntheticRow) -> KeychainItem {
      var item = row.item
      item.data = TokenSecret(Array(row.archive.prefix(row.archive.count / 2)))
      return item
    }
    let (eve, ann) = (World.eve, World.ann)
    let row = SyntheticRow.stored(eve.home, .refresh("rt-eve", eve.upn, eve.token()))
    var unknown = halved(row)
    unknown.account = ""
    let sound = SyntheticRow.stored(ann.home, .refresh("rt-ann", ann.upn, ann.token()))
    let store = MemoryStore([halved(row), sound.item, unknown])
    return try Migration(
      from: [.items(store, file: "in/a.items.json")], into: .items(store),
      now: { Date(timeIntervalSince1970: World.now) }
    ).plan()
  }

  private static let headline =
    "1 account stays signed in, 1 account must sign in again, and unknown users (1 token) must sign in again."
  private static let message =
    "ow cannot be decoded; 1 account and unknown users must sign in again"
  private static let who = "unknown users, eve@fabrikam.com"
  private static let toDo = "let the user sign in once"

  @Test(
    "a damaged row is an error that names the account to sign in",
    arguments: [
      (
        ReportFormat.text,
        [
          "\(headline)\n",
          "error    row.undecodable      2 tokens   r\(message)\n         who: \(who)\n",
          "eve@fabrikam.com  no ", "unknown users     no ", "to do: \(toDo)\n",
        ]
      ),
      (
        .markdown,
        [
          "### \(headline)\n", "| `eve@fabrikam.com` | **no** |", "| `unknown users` | **no** |",
          "| **error** | R\(message) | `unknown users`, `eve@fabrikam.com` | 2 | \(toDo) |",
        ]
      ),
      (
        .html,
        [
          "<header class=\"bad\">", "<h1>\(headline)</h1>",
          "<span class=\"badge bad\">error</span> <code>row.undecodable</code>",
          "<h3>R\(message).</h3>", "<bdi class=\"name\">eve@fabrikam.com</bdi>",
          "<b>To do:</b> \(toDo).",
        ]
      ),
      (
        .sarif,
        [
          "\"level\" : \"error\"", "\"ruleId\" : \"row.undecodable\"",
          "\"text\" : \"R\(message). Who: \(who). To do: \(toDo).\"",
        ]
      ),
      (
        .junit,
        [
          "<testsuites name=\"adal2msal\" tests=\"3\" failures=\"2\"",
          "<testsuite name=\"eve@fabrikam.com\" tests=\"1\" failures=\"1\"",
          "<testsuite name=\"unknown users\" tests=\"1\" failures=\"1\"",
          "<failure type=\"row.undecodable\" message=\"row.undecodable: r\(message)\">",
        ]
      ),
      (
        .github,
        [
          "::\(headline)",
          "::error file=in/a.items.json,title=Row cannot be decoded (row.undecodable)"
            + "::r\(message) (2 tokens). Who: \(who). To do: \(toDo).",
        ]
      ),
      (
        .azure,
        [
          "##vso[task.logissue type=error;sourcepath=in/a.items.json;code=row.undecodable]"
            + "r\(message) (row.undecodable, 2 tokens). Who: \(who). To do: \(toDo)."
        ]
      ),
      (.json, ["\"message\" : \"r\(message)\"", "\"severity\" : \"error\""]),
      (.summary, ["\"error\" : {\n      \"row.undecodable\" : 2\n    }"]),
    ])
  func damaged(format: ReportFormat, wanted: [String]) throws {
    let report = try Self.report.get()
    #expect(report.worstSeverity == .error && report.summary.accountsToSignIn == 2)
    let text = format.render(
      report.unmasked(), files: RepositoryFiles(root: "/repo", folder: "/repo"))
    for line in wanted { #expect(text.contains(line), "\(line)\n\(text)") }
  }
}
