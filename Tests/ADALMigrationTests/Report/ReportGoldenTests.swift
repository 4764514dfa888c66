// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Every format of every sample, as it was looked at by a person and judged by other tools.
@Suite struct ReportGoldenTests {
  @Test(arguments: ReportSample.allCases)
  func formats(sample: ReportSample) throws {
    let report = sample.printed
    for format in ReportFormat.allCases where format != .text {
      // Pages are long, and differ from each other in what the others show already.
      if format == .html, sample != .mixed, sample != .hostile { continue }
      let name =
        switch format {
        case .json: "report.json"
        case .markdown: "summary.md"
        case .sarif: "results.sarif"
        case .junit: "tests.xml"
        case .github: "github.log"
        case .azure: "azure.log"
        case .html: "report.html"
        case .summary: "telemetry.json"
        case .text: ""
        }
      let text = format.render(report)
      try Golden.check(format == .html ? Self.withoutStyle(text) : text, "\(sample)/\(name)")
    }
  }

  /// A page whose style and script, which are the same on every page, are left out.
  private static func withoutStyle(_ page: String) -> String {
    ["style", "script"].reduce(page) { page, element in
      guard let start = page.range(of: "<\(element)>\n"),
        let end = page.range(of: "</\(element)>", range: start.upperBound..<page.endIndex)
      else { return page }
      return page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: "")
    }
  }

  @Test(arguments: ReportSample.allCases)
  func text(sample: ReportSample) throws {
    for width in [60, 80, 200] {
      let text = ReportFormat.text.render(sample.printed, style: TextStyle(width: width))
      try Golden.check(text, "\(sample)/terminal-\(width).txt")
    }
    try Golden.check(ReportFormat.text.render(sample.printed), "\(sample)/pipe.txt")
  }

  @Test("the same report gives the same bytes", arguments: ReportFormat.allCases)
  func stable(format: ReportFormat) {
    for sample in ReportSample.allCases {
      #expect(format.render(sample.printed) == format.render(sample.printed))
    }
  }

  @Test("every format ends in one line break", arguments: ReportFormat.allCases)
  func lineBreak(format: ReportFormat) {
    for sample in ReportSample.allCases {
      let text = format.render(sample.printed)
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }
  }
}
