// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// A form that a diagnosis can be written in.
package enum DiagnosisFormat: String, CaseIterable, Sendable {
  case text, json, markdown, sarif, junit, github, azure, html

  /// The format of files whose name ends so, or nil.
  package init?(path: String) {
    guard let format = ReportFormat(path: path) else { return nil }
    self.init(rawValue: format.rawValue)
  }

  /// The diagnosis in this form, ending in a line break.
  ///
  /// - Parameters:
  ///   - root: The folder that ``files`` names them below, as a `file://` address that ends in a slash.
  ///   - files: How build services name files.
  ///   - style: How text looks.
  ///   - showingSuppressed: Whether places that do not count are there too, marked.
  ///   - plan: What was said of a plan that was written; nil where none was.
  package func render(
    _ diagnosis: ProjectDiagnosis, root: String, files: RepositoryFiles = .asNamed,
    style: TextStyle = TextStyle(), showingSuppressed: Bool = false, plan: String? = nil
  ) -> String {
    switch self {
    case .text: diagnosis.text(style: style, showingSuppressed: showingSuppressed, plan: plan)
    case .json: diagnosis.json(showingSuppressed: showingSuppressed)
    case .markdown: diagnosis.markdown(showingSuppressed: showingSuppressed)
    case .sarif:
      diagnosis.sarif(root: root, files: files, showingSuppressed: showingSuppressed)
    case .junit: diagnosis.junit(showingSuppressed: showingSuppressed)
    case .github: diagnosis.githubAnnotations(files)
    case .azure: diagnosis.azureAnnotations(files)
    case .html: diagnosis.html(showingSuppressed: showingSuppressed, plan: plan)
    }
  }
}
