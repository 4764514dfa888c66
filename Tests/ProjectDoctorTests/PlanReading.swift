// SPDX-License-Identifier: MIT
import Foundation

@testable import ProjectDoctor

/// A plan read back as somebody who follows it reads it: the steps, and what is to be pasted.
struct PlanReading {
  let text: String
  private(set) var steps: [String] = []
  /// Blocks of code, by language.
  private(set) var blocks: [(language: String, text: String)] = []

  init(_ text: String) {
    self.text = text
    var open: (fence: Substring, language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let (fence, language, lines) = open {
        if line == fence {
          blocks.append((language, lines.joined(separator: "\n")))
          open = nil
        } else {
          open = (fence, language, lines + [String(line)])
        }
      } else if line.hasPrefix("```") {
        let fence = line.prefix { $0 == "`" }
        open = (fence, String(line.dropFirst(fence.count)), [])
      } else if line.drop(while: { $0 == " " }).hasPrefix("- [ ] ") {
        steps.append(String(line.drop { $0 == " " }.dropFirst(6)))
      }
    }
  }

  /// The match of a pattern's first group.
  private func all(_ pattern: String, in text: String) -> [String] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { match in
      Range(match.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  private func code(_ languages: Set<String>) -> String {
    blocks.filter { languages.contains($0.language) }.map(\.text).joined(separator: "\n")
  }
  private var sources: String { code(["swift", "objective-c"]) }
  private var lists: String { code(["xml"]) }

  var registered: Set<String> {
    Set(steps.flatMap { all("redirect URI `([^`]*)`", in: $0) })
  }
  /// The redirect URIs of configurations; an empty one where MSAL makes it.
  var redirectURIs: [String] {
    all("redirectUri: ?@?\"([^\"]*)\"", in: sources)
      + all("redirectUri: ?nil()", in: sources)
  }
  var schemes: Set<String> { Set(all("<string>(msauth\\.[^<]*)</string>", in: lists)) }
  var queries: Set<String> { Set(all("<string>(msauthv[23])</string>", in: lists)) }
  var entitled: Set<String> {
    Set(all("<string>\\$\\(AppIdentifierPrefix\\)([^<]*)</string>", in: lists))
  }
  /// The keychain group of MSAL's configuration.
  var sharingGroups: Set<String> { Set(all("keychainSharingGroup = @?\"([^\"]*)\"", in: sources)) }
  /// The keychain group of the migration.
  var migrationGroups: Set<String> {
    Set(
      all("accessGroup = @?\"([^\"]*)\"", in: sources) + all("group: \"([^\"]*)\"", in: sources))
  }
  var imports: Set<String> { Set(all("import (ADALMigration\\w*)", in: sources)) }
  var pods: [String] { all("pod '(\\w+)'", in: code(["ruby"])) }
  var packages: [String] { all("url: \"[^\"]*/([\\w-]+)\"", in: sources) }
  /// The names that stand for values which the project does not tell.
  var placeholders: Set<String> {
    Set(
      ["CLIENT-ID", "BUNDLE-ID", "USER-ID-KEY"].filter { name in
        sources.contains(name) || lists.contains(name) || registered.contains { $0.contains(name) }
      })
  }
  var toFillIn: Set<String> { Set(steps.flatMap { all("^`([A-Z-]+)`:", in: $0) }) }

  /// The contradictions in a plan for a project.
  func contradictions(_ diagnosis: ProjectDiagnosis) -> [String] {
    var found: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { found.append(what) } }
    // A project with MSAL alone has what it needs, or steps for what is missing.
    let signsIn = diagnosis.facts.signsIn && diagnosis.hasADAL
    let apps = diagnosis.targets.filter { $0.platform == .iOS && !$0.isExtension }
    let used = Set(
      redirectURIs.flatMap { uri in
        uri.isEmpty ? diagnosis.targets.flatMap(\.bundleIDs).map { "msauth.\($0)://auth" } : [uri]
      })
    expect(!used.isEmpty || !signsIn, "no redirect URI")
    for uri in used { expect(registered.contains(uri), "\(uri) is not registered") }
    for app in apps where signsIn {
      let schemes = self.schemes.union(app.urlSchemes)
      for id in app.bundleIDs + (app.isBundleIDOpen ? ["BUNDLE-ID"] : []) {
        let isThere = schemes.contains { $0 == "msauth.\(id)" || $0.hasPrefix("msauth.$") }
        expect(isThere, "no scheme of \(id)")
        expect(registered.contains("msauth.\(id)://auth"), "\(id) is not registered")
      }
      let queries = self.queries.union(app.querySchemes)
      expect(queries.isSuperset(of: ["msauthv2", "msauthv3"]), "no query schemes of \(app.name)")
      // Each of several apps has its own group, or all have the same.
      let own = sharingGroups.first { app.bundleIDs.contains($0) }
      let group = own ?? sharingGroups.first ?? "com.microsoft.adalcache"
      let groups = entitled.union(app.keychainGroups.map(\.groupName)).union(app.bundleIDs)
      expect(groups.contains(group), "\(group) is not in the entitlements of \(app.name)")
    }
    expect(sharingGroups == migrationGroups, "groups: \(sharingGroups) and \(migrationGroups)")
    expect(placeholders.isSubset(of: toFillIn), "to fill in: \(placeholders) and \(toFillIn)")
    for name in imports {
      let pod = name == "ADALMigrationObjC" && pods.contains(name)
      expect(pod || packages.contains("adal2msal"), "\(name) is no dependency")
    }
    if diagnosis.hasADAL {
      let podfiles = Set(PlannedApp.all(of: diagnosis).compactMap(\.podfile))
      expect(pods.filter { $0 == "MSAL" }.count == podfiles.count, "MSAL is added \(pods)")
      expect(!imports.isEmpty, "nothing is imported")
      expect(sources.contains("locked") || sources.contains("Locked"), "no locked device")
    }
    let real = [sources, lists] + Array(registered)
    for text in real {
      expect(!text.contains("--TARGET") && !text.contains("-PRODUCT"), "a variable looks real")
    }
    expect(!text.contains("&#46;"), "a full stop is an entity")
    return found
  }
}
