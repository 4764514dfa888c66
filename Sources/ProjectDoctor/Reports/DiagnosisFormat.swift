// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// A form that a diagnosis can be written in.
package enum DiagnosisFormat: String, CaseIterable, Sendable {
  case text, json, markdown, sarif, junit, github, azure, html

  /// The format of files with this ending, or nil.
  package init?(path: String) {
    guard let format = ReportFormat(path: path) else { return nil }
    self.init(rawValue: format.rawValue)
  }

  /// The diagnosis in this form, ending in a line break.
  ///
  /// - Parameters:
  ///   - root: The folder that ``files`` names them below, as a `file://` address that ends in a slash.
  ///   - showingSuppressed: Whether places that do not count are there too, marked.
  ///   - plan: The words about a written plan; nil without a plan.
  package func render(
    _ diagnosis: ProjectDiagnosis, root: String, files: RepositoryFiles = .asNamed,
    style: TextStyle = TextStyle(), showingSuppressed: Bool = false, plan: String? = nil
  ) -> String {
    let report = DiagnosisReport(
      diagnosis: diagnosis, findings: showingSuppressed ? diagnosis.findings : diagnosis.counted,
      root: root, files: files, style: style, plan: plan)
    return switch self {
    case .text: report.text
    case .json: report.json
    case .markdown: report.markdown
    case .sarif: report.sarif
    case .junit: report.junit
    case .github: report.githubAnnotations
    case .azure: report.azureAnnotations
    case .html: report.html
    }
  }
}

/// A diagnosis as it is shown.
struct DiagnosisReport {
  let diagnosis: ProjectDiagnosis
  /// Those that are shown, with their places.
  let findings: [Finding]
  let root: String
  let files: RepositoryFiles
  let style: TextStyle
  let plan: String?

  static let targetColumns = [
    "target", "platform", "bundle id", "deployment target", "keychain groups",
  ]
}
