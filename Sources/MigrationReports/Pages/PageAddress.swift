// SPDX-License-Identifier: MIT
import ADALMigration

/// The web address of a page of this project, for reports that leave the machine.
package struct PageAddress: Sendable, Hashable {
  /// An `https` URL with the anchor of the page.
  package let url: String

  private init(document: StaticString, anchor: String) {
    url = "\(Report.homepage)/blob/main/\(document)#\(anchor)"
  }

  /// The chapter of MIGRATION.md that tells how to read a report.
  package static let readingReports = PageAddress(
    document: "MIGRATION.md", anchor: "read-the-report")

  /// The page of a reason, in Documentation/reasons.md.
  package init(_ reason: Reason) {
    self.init(document: "Documentation/reasons.md", anchor: reason.anchor)
  }

  /// The page of a rule of `doctor`, in Documentation/rules.md.
  package init(ruleAnchor anchor: String) {
    self.init(document: "Documentation/rules.md", anchor: anchor)
  }
}
