// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The workflow of a build service, which the samples of ContinuousIntegration are, too.
struct WorkflowFile {
  enum Service: String, CaseIterable {
    case github, azure

    /// The path where the service looks for it, below the repository's root. Azure reads any file that a pipeline
    /// names.
    var file: String {
      switch self {
      case .github: ".github/workflows/adal2msal.yml"
      case .azure: "azure-pipelines-adal2msal.yml"
      }
    }
  }

  let service: Service
  let found: RepositorySurvey
  /// The instant that tokens are judged at, in Unix seconds.
  let now: Int

  /// Whether a service takes a value as it stands: neither expands anything in it, nor is there a line break.
  static func isUsable(_ value: String) -> Bool {
    !["${{", "$(", "$["].contains(where: value.contains)
      && !value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  var summary: [String] {
    var lines = found.project.map { ["  project   \(PlainText.show($0))"] } ?? []
    lines += found.caches.map { "  cache     \(PlainText.show($0)), judged at \(now)" }
    if let accountMap = found.accountMap {
      lines.append("  map       \(PlainText.show(accountMap))")
    }
    if let baseline = found.baseline { lines.append("  baseline  \(PlainText.show(baseline))") }
    if service == .azure {
      lines.append("Make a pipeline of it, and a service connection to GitHub named 'github'.")
    }
    return lines
  }

  var text: String {
    switch service {
    case .github: github
    case .azure: azure
    }
  }

  private typealias Values = [(name: String, value: String)]

  /// The inputs of each run: one for each cache. The first one also checks the project.
  private var runs: [Values] {
    let isGitHub = service == .github
    var runs: [Values] = found.caches.map { cache in
      [("cache", cache)] + (found.accountMap.map { [("map", $0)] } ?? []) + [("now", "\(now)")]
    }
    if runs.isEmpty { runs = [[]] }
    if let project = found.project {
      runs[0].append(("project", project))
      runs[0].append((isGitHub ? "project-fail-on" : "projectFailOn", "error"))
      if let baseline = found.baseline { runs[0].append(("baseline", baseline)) }
    }
    // Each has an artifact of its own.
    for number in runs.indices.dropFirst() {
      runs[number].append(("artifact", "adal2msal-\(number + 1)"))
    }
    return runs
  }

  private static func lines(_ values: Values, indent: Int) -> String {
    let start = String(repeating: " ", count: indent)
    return values.flatMap { name, value in
      let comment =
        name.lowercased().hasSuffix("failon") || name.hasSuffix("fail-on")
        ? ["\(start)# Write note once the app has moved: then nothing of ADAL's may come back."]
        : []
      return comment + ["\(start)\(name): \(scalar(value))"]
    }.joined(separator: "\n")
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-".utf8)

  /// A text as YAML has it: plain where that cannot be read as anything else.
  private static func scalar(_ text: String) -> String {
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    let isNumber = text.utf8.first.map { (0x30...0x39).contains($0) } ?? true
    if text.utf8.allSatisfy(plain.contains), !isNumber, !text.hasPrefix("-"),
      !words.contains(text.lowercased())
    {
      return text
    }
    let escaped = text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }

  private var github: String {
    let steps = runs.map { values in
      """
            - name: Dry run
              # Planned: until v\(Report.toolVersion) is published, use adal2msal/adal2msal@main with 'version: source'.
              uses: adal2msal/adal2msal@v\(Report.toolVersion) # zizmor: ignore[unpinned-uses] pin it by the commit of the release that you took
              with:
      \(Self.lines(values, indent: 10))

      """
    }
    return filled(PackageResources.github_yml_template, steps)
  }

  private var azure: String {
    let steps = runs.map { values in
      """
        - template: Samples/ContinuousIntegration/azure-template.yml@adal2msal
          parameters:
      \(Self.lines(values, indent: 6))

      """
    }
    return filled(PackageResources.azure_yml_template, steps)
  }

  private func filled(_ template: [UInt8], _ steps: [String]) -> String {
    Template.lines(of: template, ["version": Report.toolVersion, "runs": steps.joined()])
      .joined(separator: "\n")
  }
}
