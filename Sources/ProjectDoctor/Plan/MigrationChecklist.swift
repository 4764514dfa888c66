// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The checklist of the migration with this project's own values: Markdown with boxes to tick.
  package func checklist(evidence: [CacheEvidence] = []) -> String {
    MigrationChecklist(diagnosis: self, evidence: evidence).text
  }
}

/// Writes the checklist chapter by chapter, in the order in which things are done.
struct MigrationChecklist {
  let diagnosis: ProjectDiagnosis
  let evidence: [CacheEvidence]

  var facts: ProjectDiagnosis.Facts { diagnosis.facts }

  var text: String {
    let chapters: [(String, [String])] = [
      ("Registration", registration), ("Dependencies", dependencies),
      ("Property lists", propertyLists), ("Entitlements", entitlements),
      ("Configuration", configuration), ("Scopes", scopes), ("Calls", calls),
      ("What is saved", saved), ("The migration", migration), ("Verify", verification),
      ("Not found: fill in", missing),
    ]
    var blocks = [
      "# From ADAL to MSAL: what to do",
      MarkdownWords.escape(DiagnosisWords(diagnosis: diagnosis).headline),
    ]
    for (index, chapter) in chapters.enumerated() {
      blocks.append("## \(index + 1). \(chapter.0)")
      blocks.append(chapter.1.isEmpty ? "Nothing to do." : chapter.1.joined(separator: "\n"))
    }
    blocks.append(
      "Entra's recommendation for the app turns to completed 30 days after the last request of ADAL."
    )
    return blocks.joined(separator: "\n\n") + "\n"
  }

  // Pieces of lines

  private func box(_ text: String, _ places: [ProjectDiagnosis.Occurrence] = []) -> String {
    let links = places.isEmpty ? "" : " (\(ProjectDiagnosis.links(places)))"
    return "- [ ] \(text)\(links)"
  }

  private func code(_ text: String) -> String { MarkdownWords.code(text.maskedAddress) }

  func findings(_ checks: Set<Check>) -> [ProjectDiagnosis.Finding] {
    diagnosis.counted.filter { checks.contains($0.check) }
  }

  private func boxes(_ checks: Set<Check>) -> [String] {
    findings(checks).map {
      box(
        "\(MarkdownWords.text($0.message)): \(MarkdownWords.text($0.shownRemedy))", $0.places)
    }
  }

  private var bundleIDs: [String] {
    var ids: [String] = []
    for id in diagnosis.targets.compactMap(\.bundleID) where !ids.contains(id) { ids.append(id) }
    return ids
  }

  /// How many rows a cache has, for a column of its own.
  private func rows(_ count: (CacheEvidence) -> Int?) -> String {
    evidence.isEmpty ? "" : " — seen in the cache: \(evidence.compactMap(count).reduce(0, +)) rows"
  }

  // Chapters

  private var registration: [String] {
    let ids = bundleIDs
    var lines: [String] = []
    for client in facts.clientIDs {
      let seen = rows { $0.clients[client.value.lowercased()] }
      lines.append(box("Keep the registration \(code(client.value))\(seen)", client.places))
      for id in ids {
        lines.append("  " + box("add the redirect URI \(code("msauth.\(id)://auth"))"))
        lines.append(
          "  " + box("add the redirect URI \(code("msauth://code/msauth.\(id)%3A%2F%2Fauth"))"))
      }
    }
    lines += findings([.redirectUnusable, .redirectBundleMismatch]).map {
      box("Remove later, when the old app is gone: the redirect URI", $0.places)
    }
    return lines
  }

  private var dependencies: [String] {
    boxes([
      .sdkWithADAL, .adalTransitive, .intuneSDK, .adalPlugin, .adalDeclared, .adalLinked,
      .adalVendored, .adalFork, .adalBesideMSAL, .deployTarget,
    ])
      + (diagnosis.library == .none
        ? []
        : [
          box(
            "Add \(code("pod 'MSAL', '~> 2.14'")) or the Swift package \(code("https://github.com/AzureAD/microsoft-authentication-library-for-objc"))"
          )
        ])
  }

  private var propertyLists: [String] {
    var lines: [String] = []
    for finding in findings([.querySchemesMissing]) {
      lines.append(box("Add what MSAL asks for brokers with", finding.places))
      lines += Self.fence(
        "xml",
        [
          "<key>LSApplicationQueriesSchemes</key>", "<array>", "  <string>msauthv2</string>",
          "  <string>msauthv3</string>", "</array>",
        ])
    }
    for finding in findings([.urlSchemeMissing]) {
      for id in bundleIDs.isEmpty ? ["BUNDLE-ID"] : bundleIDs {
        lines.append(box("Register the scheme of MSAL's redirect URI", finding.places))
        lines += Self.fence(
          "xml",
          [
            "<key>CFBundleURLTypes</key>", "<array>", "  <dict>",
            "    <key>CFBundleURLSchemes</key>", "    <array>",
            "      <string>msauth.\(Self.xml(id))</string>", "    </array>", "  </dict>",
            "</array>",
          ])
      }
    }
    return lines + boxes([.urlSchemeReserved])
  }

  private var entitlements: [String] {
    let groups = diagnosis.targets.map { target in
      let list = target.keychainGroups.map(code).joined(separator: ", ")
      return "- \(code(target.name)) (\(target.platform)): "
        + (list.isEmpty ? "no keychain groups are known" : list)
    }
    let seen = evidence.flatMap(\.groups).sorted { $0.key < $1.key }.map { group, rows in
      "- seen in the cache: \(code(group)), \(DiagnosisWords.count(rows, "row"))"
    }
    return groups + seen
      + boxes([
        .groupCustom, .groupPrivate, .groupNotEntitled, .groupMissing, .universalStorageMissing,
      ])
  }

  private var configuration: [String] {
    guard diagnosis.library == .adal || diagnosis.library == .both else { return [] }
    let lines = ApplicationConfiguration(diagnosis).lines
    return boxes([.authorityValidationOff, .authorityUnknownHost, .authorityB2C, .authorityADFS])
      + [box("Create one application for each client id")] + lines
  }

  private var scopes: [String] {
    guard !facts.resources.isEmpty else { return [] }
    return ["| resource | scope | places |", "| --- | --- | --- |"]
      + facts.resources.map { resource in
        let isClosed = ClosedService.check(resource.value) != nil
        let scope = code(resource.value.scope)
        let seen = rows { $0.resources[resource.value] }
        return
          "| \(code(resource.value))\(seen) | \(isClosed ? "<s>\(scope)</s> retired" : scope) | "
          + "\(ProjectDiagnosis.links(resource.places)) |"
      }
  }

  private var calls: [String] {
    let calls = diagnosis.counted.filter { ["import", "api", "store"].contains($0.check.family) }
    var rows: [(ProjectDiagnosis.Occurrence, String)] = []
    for finding in calls {
      for place in finding.places {
        let what = MarkdownWords.text(finding.becomes ?? finding.shownRemedy)
        let name = code(place.symbol ?? finding.check.id)
        rows.append(
          (place, "| \(ProjectDiagnosis.links([place])) | \(name) | \(what) |"))
      }
    }
    guard !rows.isEmpty else { return [] }
    rows.sort { $0.0.isBefore($1.0) }
    return ["| place | is | becomes |", "| --- | --- | --- |"] + rows.map(\.1)
  }

  private var saved: [String] {
    let names = findings([.userID]).filter { $0.severity == .warning }
    var lines = names.map {
      box("Replace the saved user id by the account's identifier", $0.places)
    }
    lines += boxes([.tokenSaved, .cacheWrite, .refreshToken])
    guard !names.isEmpty else { return lines }
    return lines
      + Self.fence(
        "swift",
        [
          "for account in report.accounts where account.userID == saved {",
          "  defaults.set(account.homeAccountID, forKey: \"account\")", "}",
        ])
  }

  private var migration: [String] {
    let isMac = diagnosis.counted.contains { $0.check == .macArchive }
    let source = isMac ? ".blob(…) with the archive that the app stores" : ".keychain()"
    let delegates = findings([.openURLMissing]).flatMap(\.places)
    let groups = facts.keychainGroups.map { "--access-group \($0.value)" }
    var lines = [
      box(
        "Call the migration at start, before MSAL is asked and before any line that clears ADAL's cache; the source is \(code(source))"
      )
    ]
    if !groups.isEmpty {
      lines.append(box("The groups are \(code(groups.joined(separator: " ")))"))
    }
    if !delegates.isEmpty { lines.append(box("Handle the broker's answer", delegates)) }
    return lines + boxes([.customStore, .appExtension])
  }

  private var verification: [String] {
    let clients = facts.clientIDs.map { "--client-id \($0.value)" }
    let groups = facts.keychainGroups.map { "--access-group \($0.value)" }
    let words = (["adal2msal migrate device.sqlite -n"] + clients + groups).joined(separator: " ")
    return [box("Take a snapshot from a test device and try")] + Self.fence("console", [words])
      + [box("Nobody has to sign in again, or you know who"), box("No ADAL is left:")]
      + Self.fence("console", ["adal2msal doctor . --fail-on note"])
  }

  private var missing: [String] {
    [
      ("client ids", facts.clientIDs.isEmpty), ("redirect URIs", facts.redirectURIs.isEmpty),
      ("resources", facts.resources.isEmpty), ("authorities", facts.authorities.isEmpty),
      ("bundle ids", bundleIDs.isEmpty),
    ].filter(\.1).map { name, _ in
      box("\(name): they are variables or placeholders, or chosen at run time")
    }
  }

  /// Lines of code, in which nothing ends the block.
  static func fence(_ language: String, _ lines: [String]) -> [String] {
    ["", "```\(language)"]
      + lines.map { line in PlainText.show(line).split(separator: "```").joined() } + ["```", ""]
  }

  private static func xml(_ text: String) -> String {
    text.filter { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }
}
