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
      try Golden.check(format.render(report), "\(sample)/\(name)")
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
