// SPDX-License-Identifier: MIT
import ADALMigration

/// A form that a report can be written in.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Text: which accounts stay signed in, then why not.
  case text
  /// For programs: version 1 of `Schemas/report.schema.json`.
  case json
  /// For GitHub step summaries and comments on pull requests.
  case markdown
  /// SARIF 2.1.0: one result for each finding.
  case sarif
  /// JUnit XML: a suite for each account, a case for each row.
  case junit
  /// Annotations of GitHub Actions: one for each reason.
  case github
  /// Annotations of Azure Pipelines: one for each reason.
  case azure
  /// A page in one file, to read, print or forward: it needs no network and no script.
  case html
  /// For telemetry: counts as JSON, without names, identifiers or paths (`TelemetrySummary`).
  case summary

  /// The extension of its files, without a dot; nil where an extension does not tell the format.
  package var fileExtension: String? {
    switch self {
    case .text: "txt"
    case .json: "json"
    case .markdown: "md"
    case .sarif: "sarif"
    case .junit: "xml"
    case .html: "html"
    case .github, .azure, .summary: nil
    }
  }

  /// The format that the extension of a file's name tells, or nil.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let name = path[path.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.fileExtension == name }) else { return nil }
    self = format
  }

  /// The report in this form, ending in a line break.
  ///
  /// - Parameters:
  ///   - report: The report, masked or not.
  ///   - style: The style of ``text``; the others ignore it.
  public func render(_ report: TokenCacheMigration.MaskedReport, style: TextStyle = TextStyle())
    -> String
  {
    render(report, style: style, files: .asNamed)
  }

  /// The same with files of annotations and alerts as a build service names them.
  package func render(
    _ report: MaskedReport, style: TextStyle = TextStyle(),
    files: @autoclosure () -> RepositoryFiles
  ) -> String {
    switch self {
    case .text: report.text(style: style)
    case .json: report.json()
    case .markdown: report.markdown()
    case .sarif: report.sarif(files: files())
    case .junit: report.junit()
    case .github: report.githubAnnotations(files: files())
    case .azure: report.azureAnnotations(files: files())
    case .html: report.html()
    case .summary: report.telemetry()
    }
  }

  /// Passes on the result of ``render(_:style:files:)``. A large one, as in JSON, comes in pieces.
  package func write(
    _ report: MaskedReport, style: TextStyle = TextStyle(),
    files: @autoclosure () -> RepositoryFiles = .asNamed,
    to sink: ([UInt8]) throws -> Void
  ) rethrows {
    guard self == .json else {
      return try sink(Array(render(report, style: style, files: files()).utf8))
    }
    try report.writeJSON(to: sink)
  }
}

/// The style of a text report.
public struct TextStyle: Sendable, Hashable {
  /// The columns of the terminal; nil where lines may be as long as they are, as in a file or a pipe.
  public var width: Int?
  /// Whether escape sequences for bold, red, yellow and dim are used. Meaning never rests on them.
  public var color: Bool

  /// A style of this width, without colour unless asked for.
  public init(width: Int? = nil, color: Bool = false) {
    self.width = width
    self.color = color
  }

  package enum Emphasis: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "33"
    case dim = "2"

    /// The style of a severity's word.
    package init(_ severity: Report.Severity) {
      self =
        switch severity {
        case .error: .red
        case .warning: .yellow
        case .note: .dim
        }
    }
  }

  package func apply(_ emphasis: Emphasis?, to text: String) -> String {
    guard color, let emphasis, !text.isEmpty else { return text }
    return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
  }
}
