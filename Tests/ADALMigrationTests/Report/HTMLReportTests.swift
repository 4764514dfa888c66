// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// The page of a report: what its parts say, and that nothing in it is anything but text. That browsers
/// agree is judged in Tests/EndToEnd.
@Suite struct HTMLReportTests {
  /// The only addresses outside a page that it may lead to.
  private static let pages = Set(Reason.allCases.map { PageAddress($0).url })

  /// A report of so many people with three rows each; every hundredth has lost one.
  private func report(of people: Int) -> Report {
    let accounts = (0..<people).map {
      Report.Account.sample(
        "person\($0)@contoso.com", "\($0).\(ReportSample.tenant)",
        signedIn: $0 % 100 == 0 ? .no : .yes)
    }
    let entries = (0..<people * 3).map { row in
      let isLost = (row / 3) % 100 == 0
      return Report.Entry.sample(
        row, row % 3 == 0 ? .multiResourceRefreshToken : .accessToken, row / 3,
        isLost ? .notConverted : .converted, isLost ? [.homeNoIDToken] : [.okMRRT])
    }
    return Report(kind: .dryRun, accounts: accounts, entries: entries, findings: [])
  }

  @Test("the columns count the rows by kind, account and end")
  func flowOfTheMixedSample() {
    let flow = Flow(ReportSample.mixed.printed.content)
    let columns = flow.columns.map { $0.nodes.map { "\($0.rows) \($0.short)" } }
    #expect(
      columns == [
        [
          "1 family refresh tokens", "3 access tokens", "5 refresh tokens",
          "1 entries of MSAL's", "1 tombstones",
        ],
        [
          "3 2bd806c9__contoso.com", "2 81b637d8__contoso.com", "2 7cbccb0c__contoso.com",
          "1 61ea0803__fabrikam.com", "2 4c26d907__fabrikam.com", "1 no account",
        ],
        [
          "5 converted", "1 already there", "1 at.expired", "1 home.no-id-token",
          "2 home.guest-unresolved", "1 rt.tombstone",
        ],
      ])
  }

  @Test("every row is in each column once", arguments: ReportSample.allCases)
  func conservation(sample: ReportSample) {
    let report = sample.printed.content
    let flow = Flow(report)
    for column in flow.columns {
      #expect(column.nodes.reduce(0) { $0 + $1.rows } == report.summary.rows)
    }
    for (column, streams) in flow.streams.enumerated() {
      for node in flow.columns[column].nodes.indices {
        let left = streams.filter { $0.from == node }.reduce(0) { $0 + $1.rows }
        #expect(left == flow.columns[column].nodes[node].rows)
      }
      for node in flow.columns[column + 1].nodes.indices {
        let arrived = streams.filter { $0.to == node }.reduce(0) { $0 + $1.rows }
        #expect(arrived == flow.columns[column + 1].nodes[node].rows)
      }
    }
  }

  @Test("many accounts without a problem are one line, and each with a problem has its own")
  func aggregation() {
    let nodes = Flow(report(of: 300)).columns[1].nodes
    #expect(
      nodes.map(\.label) == [
        "297 accounts that stay signed in", "person0@contoso.com", "person100@contoso.com",
        "person200@contoso.com",
      ])
    #expect(nodes.map(\.rows) == [891, 3, 3, 3])
    #expect(Flow(report(of: 12)).columns[1].nodes.count == 12)
    #expect(Flow(report(of: 1300)).columns[1].nodes.count == 2)
  }

  @Test("a page grows with its rows, up to the limit of a browser")
  func growth() {
    func size(_ people: Int) -> Int { report(of: people).masked().html().utf8.count }
    let (none, some, more) = (size(0), size(250), size(1000))
    #expect(more - none < (some - none) * 41 / 10)
    let page = report(of: 10_100).masked().html()
    #expect(page.contains("And 20,300 more rows; the JSON report has them all."))
    #expect(page.contains("And 100 more accounts; the JSON report has them all."))
  }

  @Test("nothing in a page is markup but ours")
  func markup() throws {
    for sample in ReportSample.allCases {
      let page = sample.printed.html()
      let body = try #require(page.components(separatedBy: "<body>").last)
      let text = try #require(body.components(separatedBy: "<script>").first)
      let known = Set(HTML.Tag.knownNames)
      for tag in text.matches(of: /<\/?([a-z0-9]*)/) {
        #expect(known.contains(String(tag.1)), "\(sample): \(tag.0)")
      }
      #expect(page.components(separatedBy: "<script").count == 2)
      #expect(page.components(separatedBy: "<style").count == 2)
      let names = text.matches(of: /<[a-z0-9]+((?: [a-z-]+="[^"]*")*)>/).flatMap {
        $0.1.matches(of: #/\ ([A-Za-z-]+)="([^"]*)"/#).map { (String($0.1), String($0.2)) }
      }
      for (name, value) in names {
        #expect(!name.hasPrefix("on") && name != "style" && name != "src", "\(sample): \(name)")
        if name == "href" {
          #expect(value.hasPrefix("#") || Self.pages.contains(value), "\(sample): \(value)")
        }
      }
      for address in ["http:", "https:"] {
        let attributes = names.filter {
          $0.1.contains(address) && $0.0 != "aria-label" && !Self.pages.contains($0.1)
        }
        #expect(attributes.isEmpty, "\(sample)")
      }
    }
  }

  @Test("every name stands there as it is shown")
  func names() {
    let page = ReportSample.hostile.printed.html()
    for attack in ReportSample.attacks {
      let shown = PlainText.show("\(attack)@contoso.com")
      #expect(page.contains(HTML.shown(shown).markup), "\(shown)")
    }
    let escaped = HTML.shown("<a href='x'>\"&amp;\"").markup
    #expect(escaped == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;amp;&quot;")
    #expect(HTML.text("a\u{202E}b\u{0}").markup == "a\\u{202E}b\\u{00}")
    let long = HTML.name(String(repeating: "a", count: 3000)).markup
    #expect(long.count == 256 + "<bdi class=\"name\"></bdi>".count && long.contains("aa…aa"))
    #expect(HTML.words("a `b`\nc").markup == "a <code>b</code> c")
  }

  @Test("each link leads somewhere, and no two places have one name")
  func anchors() {
    for sample in ReportSample.allCases {
      let page = sample.printed.html()
      let places = page.matches(of: #/\ id="([^"]*)"/#).map { String($0.1) }
      #expect(Set(places).count == places.count, "\(sample)")
      let links = Set(page.matches(of: #/\ href="\#([^"]*)"/#).map { String($0.1) })
      #expect(links.subtracting(places) == [], "\(sample)")
    }
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func grouped(number: Int, text: String) {
    #expect(HTMLPage.grouped(number) == text)
  }
}

extension HTML.Tag {
  fileprivate static var knownNames: [String] {
    [
      "a", "article", "b", "bdi", "caption", "code", "dd", "details", "div", "dl", "dt", "footer",
      "h1", "h2", "h3", "header", "li", "main", "p", "path", "rect", "section", "small", "span",
      "summary", "svg", "table", "tbody", "td", "text", "th", "thead", "tr", "tspan", "ul",
    ]
  }
}
