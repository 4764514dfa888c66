// SPDX-License-Identifier: MIT
import ADALMigration

/// The web address of the page of a reason or of a rule, for reports that leave the machine.
package struct PageAddress: Sendable, Hashable {
  /// An `https` URL with the anchor of the page.
  package let url: String

  private init(document: StaticString, anchor: String) {
    url = "\(Report.homepage)/blob/main/Documentation/\(document)#\(anchor)"
  }

  /// The page of a reason, in Documentation/reasons.md.
  package init(_ reason: Reason) {
    self.init(document: "reasons.md", anchor: reason.anchor)
  }

  /// The page of a rule of `doctor`, in Documentation/rules.md.
  package init(ruleAnchor anchor: String) {
    self.init(document: "rules.md", anchor: anchor)
  }
}
