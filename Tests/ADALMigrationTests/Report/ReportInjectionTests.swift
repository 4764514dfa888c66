// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Names, authorities, resources and file names are whatever somebody wrote into a cache. However a
/// report is printed, they only ever stand there.
@Suite struct ReportInjectionTests {
  let hostile = ReportSample.hostile.report

  private func everyText() -> [(String, String)] {
    var texts = ReportFormat.allCases.filter { $0 != .text }.flatMap { format in
      [
        ("\(format)", format.render(hostile.unmasked())),
        ("\(format), masked", format.render(hostile.masked())),
      ]
    }
    var inspection = hostile
    inspection.kind = .inspection
    for width in [nil, 20, 60, 80, 200] {
      let style = TextStyle(width: width)
      for report in [hostile, inspection] {
        texts.append(("text \(style)", ReportFormat.text.render(report.unmasked(), style: style)))
        texts.append(("text \(style)", ReportFormat.text.render(report.masked(), style: style)))
      }
    }
    return texts
  }

  @Test("nothing steers a terminal or the direction of writing")
  func terminal() {
    for (name, text) in everyText() {
      for scalar in text.unicodeScalars where scalar != "\n" {
        let category = scalar.properties.generalCategory
        #expect(category != .control && category != .lineSeparator, "\(name): \(scalar.value)")
        // Isolates are ours, around names that are written from right to left.
        #expect(category != .format, "\(name): U+\(PlainText.hex(scalar.value, digits: 4))")
      }
    }
  }

  @Test("no line is a command of GitHub's but our own")
  func githubCommands() {
    for (name, text) in everyText() {
      #expect(!text.contains("##["), "\(name)")
      for line in text.split(whereSeparator: \.isNewline) {
        let trimmed = line.drop { $0.isWhitespace }
        guard trimmed.hasPrefix("::") else { continue }
        #expect(name.hasPrefix("github"), "\(name): \(line)")
        #expect(
          line.wholeMatch(of: /::(error|warning|notice) (file=[^:,]+,)?title=[^:,]+::.*/)
            != nil)
      }
    }
  }

  @Test("no line is a command of Azure's but our own")
  func azureCommands() {
    for (name, text) in everyText() {
      for line in text.split(whereSeparator: \.isNewline) {
        let commands = line.components(separatedBy: "##vso[").count - 1
        #expect(commands <= (name.hasPrefix("azure") ? 1 : 0), "\(name): \(line)")
        if commands == 1 {
          let properties = /type=(error|warning);(sourcepath=[^;\]]+;)?code=[a-z0-9.-]+/
          let start = line.dropFirst("##vso[task.logissue ".count).prefix { $0 != "]" }
          #expect(line.hasPrefix("##vso[task.logissue "))
          #expect(start.wholeMatch(of: properties) != nil)
        }
      }
    }
  }

  @Test("percent signs are not decoded into line breaks")
  func percent() {
    #expect(ReportFormat.github.render(hostile.unmasked()).contains("%250A:\\u{3A}warning"))
    #expect(!ReportFormat.github.render(hostile.unmasked()).contains(/%0[AD]/))
    #expect(!ReportFormat.azure.render(hostile.unmasked()).contains(/logissue.*\].*%0[AD]/))
  }

  @Test("annotations are as many as there are findings, and ten of a kind at most")
  func annotations() {
    let github = ReportFormat.github.render(hostile.unmasked()).split(separator: "\n")
    for kind in ["error", "warning", "notice"] {
      #expect(github.filter { $0.hasPrefix("::\(kind) ") }.count == 10)
    }
    #expect(github.count == 30)
    let azure = ReportFormat.azure.render(hostile.unmasked()).split(separator: "\n")
    #expect(azure.count == 1 + hostile.findings.count)
  }

  @Test("Markdown has no more cells, tags or links than we made")
  func markdown() {
    let text = ReportFormat.markdown.render(hostile.unmasked())
    for line in text.split(separator: "\n") where line.hasPrefix("|") {
      #expect([6, 7, 8].contains(line.filter { $0 == "|" }.count), "\(line)")
    }
    // Nothing acts in a code span: between runs of as many backquotes, in one line.
    let rest = text.replacingOccurrences(
      of: "(?<!`)(`+)(?!`).*?[^`]\\1(?!`)", with: "", options: .regularExpression)
    #expect(rest.count < text.count)
    let tags = rest.matches(of: /<[^>]*>/).map { String($0.0) }
    #expect(
      Set(tags) == ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"])
    for trigger in ["](", "://", "www.", "@", "\\", "*bold", "_it", "~~", "$x", "``"] {
      #expect(!rest.contains(trigger), "\(trigger)")
    }
  }

  @Test("XML is read back with every name as it was shown")
  func xml() throws {
    let text = ReportFormat.junit.render(hostile.unmasked())
    #expect(text.components(separatedBy: "<testcase ").count - 1 == hostile.entries.count)
    #expect(!text.contains("<!") && !text.contains("]]>") && !text.contains("<script"))
    let bare = text.replacingOccurrences(
      of: "&(amp|lt|gt|quot|#39);", with: "", options: .regularExpression)
    #expect(!bare.contains("&"))
  }

  @Test("JSON is read back with every string as it was", arguments: [ReportFormat.json, .sarif])
  func json(format: ReportFormat) throws {
    let data = Data(format.render(hostile.unmasked()).utf8)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    guard format == .json else { return }
    let entries = try #require(object["entries"] as? [[String: Any]])
    for (entry, attack) in zip(entries, ReportSample.attacks) {
      let authority = try #require(entry["authority"] as? String)
      #expect(authority.utf8.elementsEqual(attack.utf8))
    }
  }

  @Test(
    "harmful characters become visible",
    arguments: [
      ("\u{1B}[31m", "\\u{1B}[31m"), ("a\u{202E}b", "a\\u{202E}b"), ("::x", ":\\u{3A}x"),
      ("##vso[", "#\\u{23}vso["), ("\u{0}", "\\u{00}"), ("user#EXT#@x", "user#EXT#@x"),
      ("C:\\x", "C:\\x"), ("אב", "\u{2068}אב\u{2069}"), ("é", "é"), (":::", ":\\u{3A}\\u{3A}"),
      ("مثنی‌", "\u{2068}مثنی‌\u{2069}"),
    ])
  func show(text: String, shown: String) {
    #expect(PlainText.show(text).utf8.elementsEqual(shown.utf8))
  }

  @Test("a column of a path name in SARIF is a valid reference")
  func uris() {
    let text = ReportFormat.sarif.render(hostile.unmasked())
    for match in text.matches(of: /"uri" : "(.*)"/) {
      #expect(match.1.wholeMatch(of: /[A-Za-z0-9._~\/%-]+/) != nil, "\(match.1)")
    }
  }
}
