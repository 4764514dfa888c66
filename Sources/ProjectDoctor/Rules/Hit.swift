// SPDX-License-Identifier: MIT
import ProjectFiles

/// A rule that fired at one place.
struct Hit: Sendable, Hashable {
  var check: Check
  var severity: Severity
  var message: String
  var remedy: String
  var becomes: String?
  var place: ProjectDiagnosis.Occurrence

  init(
    _ check: Check, _ file: String, _ span: TextSpan?, symbol: String? = nil,
    severity: Severity? = nil, message: String? = nil, remedy: String? = nil,
    becomes: String? = nil
  ) {
    self.check = check
    self.severity = severity ?? check.severity
    self.message = message ?? check.summary
    self.remedy = remedy ?? check.remedy
    self.becomes = becomes
    place = ProjectDiagnosis.Occurrence(file: file, span: span, symbol: symbol)
  }
}
