// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension Check {
  /// The web address of the rule's page.
  package var address: PageAddress { PageAddress(ruleAnchor: anchor) }

  /// The page that `adal2msal explain` shows, as plain text that ends in a line break.
  ///
  /// - Parameter width: The columns to fill; never less than 40.
  package func page(width: Int = 80) -> String {
    let width = max(40, width)
    let advice = team.map {
      TextLines.fill("The app's team: \($0)", width: width, indent: 2, hanging: 4)
    }
    return Self.joined([
      TextLines.fill("\(id): \(summary) (\(severity.rawValue))", width: width),
      TextLines.fill("What happened: \(happened)", width: width),
      TextLines.fill("Why: \(because)", width: width),
      TextLines.fill("What to do: \(remedy).", width: width) + (advice ?? []),
      ["Link: \(address.url)"],
    ])
  }

  /// Blocks of lines with a free line between them.
  private static func joined(_ blocks: [[String]]) -> String {
    blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// The page in Documentation/rules.md: Markdown with an anchor, that ends in a line break.
  package var markdownPage: String {
    let advice = team.map { TextLines.fill("- The app's team: \($0)", width: 120, hanging: 2) }
    return Self.joined(
      [
        ["<a id=\"\(anchor)\"></a>"], ["### \(id)"],
        TextLines.fill("**\(summary.asSentence)** \(happened)", width: 120),
        TextLines.fill("*Why:* \(because)", width: 120),
        TextLines.fill("*What to do:* \(remedy).", width: 120),
      ] + (advice.map { [$0] } ?? []))
  }

  /// The pages in Documentation/rules.md: every rule by topic.
  package static var markdownPages: String {
    topics.map { title, checks in
      "## \(title)\n\n" + checks.map(\.markdownPage).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
