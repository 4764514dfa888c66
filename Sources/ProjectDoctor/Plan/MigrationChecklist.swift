// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The plan of a migration: Markdown with boxes to tick.
package struct MigrationChecklist: Sendable {
  package let text: String
  /// How many boxes there are to tick.
  package let steps: Int

  /// - Parameter evidence: what caches hold, for numbers beside the project's values.
  package init(_ diagnosis: ProjectDiagnosis, evidence: [CacheEvidence] = []) {
    let chapters = ChecklistChapters(diagnosis: diagnosis, evidence: evidence).all
    var blocks = [
      "# From ADAL to MSAL: what to do", diagnosis.headlineInMarkdown,
    ]
    if diagnosis.hasADAL, diagnosis.path != "." {
      let folder = MarkdownWords.code(diagnosis.path)
      blocks.append("Keep this file in \(folder): its links and commands start there.")
    }
    for (index, chapter) in chapters.enumerated() {
      blocks.append("## \(index + 1). \(chapter.title)")
      blocks += chapter.blocks.isEmpty ? ["Nothing to do."] : chapter.blocks
    }
    if diagnosis.hasADAL {
      blocks.append(
        "Entra's recommendation for the app turns to completed 30 days after the last request of ADAL."
      )
    }
    text = Self.joined(blocks) + "\n"
    let lines = text.split(separator: "\n")
    steps = lines.count { $0.drop { $0 == " " }.hasPrefix(ChecklistChapters.box) }
  }

  /// Blocks with a free line between them, items of one list without.
  private static func joined(_ blocks: [String]) -> String {
    var text = ""
    var wasItem = false
    for block in blocks {
      let isItem = block.drop { $0 == " " }.hasPrefix("- ")
      if !text.isEmpty { text += isItem && wasItem ? "\n" : "\n\n" }
      text += block
      wasItem = isItem
    }
    return text
  }
}

extension ProjectDiagnosis {
  /// Whether there is something of ADAL's to migrate.
  var hasADAL: Bool { library == .adal || library == .both }
}

/// The chapters of a plan, in the order in which things are done.
struct ChecklistChapters {
  typealias Chapter = (title: String, blocks: [String])

  let diagnosis: ProjectDiagnosis
  let evidence: [CacheEvidence]
  let apps: [PlannedApp]
  /// What begins a step.
  static let box = "- [ ] "

  init(diagnosis: ProjectDiagnosis, evidence: [CacheEvidence]) {
    self.diagnosis = diagnosis
    self.evidence = evidence
    apps = PlannedApp.all(of: diagnosis)
  }

  var facts: ProjectDiagnosis.Facts { diagnosis.facts }

  var all: [Chapter] {
    guard diagnosis.hasADAL else {
      let missing = steps(Set(Check.allCases))
      return missing.isEmpty ? [] : [("What MSAL needs", missing)]
    }
    return [
      ("Registration", registration), ("Dependencies", dependencies),
      ("Property lists", propertyLists), ("Entitlements", entitlements),
      ("Configuration", configuration), ("Scopes", scopes), ("Calls", calls),
      ("What is saved", saved), ("The migration", migration), ("Verify", verification),
      ("To fill in", open),
    ]
  }

  // Pieces of chapters

  /// A step with its places: one or two in its line, more below it.
  func box(_ text: String, _ places: [ProjectDiagnosis.Occurrence] = []) -> String {
    let links = ProjectDiagnosis.links(places)
    guard places.count > 2 else { return "\(Self.box)\(text)\(links.isEmpty ? "" : " (\(links))")" }
    let lines = ProjectDiagnosis.lines(places).map { "  - \($0)" }
    return (["\(Self.box)\(text)"] + lines).joined(separator: "\n")
  }

  func code(_ text: String) -> String { MarkdownWords.code(text.maskedAddress) }

  func findings(_ checks: Set<Check>) -> [ProjectDiagnosis.Finding] {
    diagnosis.counted.filter { checks.contains($0.check) }
  }

  func places(_ checks: Set<Check>) -> [ProjectDiagnosis.Occurrence] {
    findings(checks).flatMap(\.places)
  }

  /// A step for each sentence of the findings, with the places of all that say it.
  func steps(_ checks: Set<Check>) -> [String] {
    let sentences = findings(checks).map { (text: sentence($0), places: $0.places) }
    return sentences.map(\.text).each.map { text in
      box(text, sentences.filter { $0.text == text }.flatMap(\.places))
    }
  }

  private func sentence(_ finding: ProjectDiagnosis.Finding) -> String {
    let what = MarkdownWords.text(
      finding.message.prefix(1).uppercased() + finding.message.dropFirst())
    return "\(what): \(MarkdownWords.text(finding.shownRemedy))"
  }

  /// The project of an app, where there are several.
  func named(_ app: PlannedApp) -> String {
    guard apps.count > 1, let project = app.project else { return "" }
    return " in \(code(project))"
  }

  /// How many rows a cache has, for a value of the project.
  private func seenInCache(_ count: (CacheEvidence) -> Int?) -> String {
    guard !evidence.isEmpty else { return "" }
    let number = evidence.compactMap(count).reduce(0, +)
    return ", seen in the cache: \(ProjectDiagnosis.count(number, "row"))"
  }

  // Chapters

  private var registration: [String] {
    guard facts.signsIn else { return [] }
    let clients =
      facts.clientIDs.isEmpty
      ? [ProjectDiagnosis.Fact(value: ApplicationConfiguration.openClientID, places: [])]
      : facts.clientIDs
    let ids = PlannedApp.bundleIDs(diagnosis.targets)
    let registered = Set(facts.redirectURIs.map(\.value))
    var lines: [String] = []
    for client in clients {
      let seen = seenInCache { $0.clients[client.value.lowercased()] }
      lines.append(box("Keep the registration \(code(client.value))\(seen)", client.places))
      for id in ids {
        let uri = PlannedApp.redirectURI(id)
        lines.append(
          registered.contains(uri)
            ? "  " + box("See that it has the redirect URI \(code(uri)), which the code has")
            : "  " + box("Add the redirect URI \(code(uri)): MSAL signs in with it"))
        let broker = "msauth://code/\(PlannedApp.scheme(id))%3A%2F%2Fauth"
        lines.append(
          "  " + box("Add the redirect URI \(code(broker)), for certificates through the broker"))
      }
    }
    let kept = facts.redirectURIs.filter { !$0.value.hasPrefix("msauth.") }
    lines += kept.map {
      box(
        "Keep the redirect URI \(code($0.value)) as long as users have versions with ADAL",
        $0.places)
    }
    return lines
      + steps([
        .redirectUnusable, .redirectBundleMismatch, .clientChanged, .clientUnseen, .clientUnlisted,
      ])
  }

  private var configuration: [String] {
    let steps = steps([
      .authorityValidationOff, .authorityUnknownHost, .authorityB2C, .authorityADFS,
      .authorityClosedCloud, .authorityDomain,
    ])
    guard facts.signsIn else { return steps }
    return steps
      + apps.flatMap { app in
        let each =
          facts.clientIDs.count > 1 ? "one application for each client id" : "the application"
        return [
          box("Create \(each)\(named(app)), after the migration"),
          ApplicationConfiguration(diagnosis: diagnosis, app: app).fenced,
        ]
      }
  }

  private var scopes: [String] {
    let steps = steps([.resourceAADGraph, .resourceDiscovery, .resourceUnlisted])
    guard !facts.resources.isEmpty else { return steps }
    let rows = facts.resources.map { resource in
      let isClosed = Check.ofClosedService(in: resource.value) != nil
      let scope = code(resource.value.scope)
      let seen = seenInCache { $0.resources[resource.value] }
      return [
        "\(code(resource.value))\(seen)", isClosed ? "<s>\(scope)</s> retired" : scope,
        ProjectDiagnosis.links(resource.places),
      ]
    }
    return [
      box("Ask for these scopes, to the letter: MSAL finds migrated access tokens by them"),
      table(["resource", "scope", "places"], rows),
    ] + steps
  }

  private var calls: [String] {
    let steps = steps([.cookieSignOut])
    let calls = diagnosis.counted.filter { ["import", "api", "store"].contains($0.check.family) }
    let uses = calls.flatMap { finding in
      finding.places.map { (check: finding.check, place: $0, row: row($0, finding)) }
    }.sorted { $0.place.isBefore($1.place) }
    guard !uses.isEmpty else { return steps }
    // Where a call and its type have the same name, the row of the call says more.
    let named = Set(uses.filter { $0.check != .type }.map { $0.row.prefix(2) })
    let rows = uses.filter { $0.check != .type || !named.contains($0.row.prefix(2)) }.map(\.row)
    return [box("Replace every call of ADAL's"), table(["place", "is", "becomes"], rows.each)]
      + steps
  }

  private func row(
    _ place: ProjectDiagnosis.Occurrence, _ finding: ProjectDiagnosis.Finding
  ) -> [String] {
    [
      ProjectDiagnosis.links([place]), code(place.symbol ?? finding.check.id),
      MarkdownWords.text(finding.becomes ?? finding.shownRemedy),
    ]
  }

  /// A plan has every row.
  private func table(_ headings: [String], _ rows: [[String]]) -> String {
    MarkdownWords.table(headings, rows, budget: .max, more: "rows")
  }

  /// Where the app saves a user id of ADAL's.
  private var savedUserIDs: [ProjectDiagnosis.Occurrence] {
    findings([.userID]).filter { $0.severity == .warning }.flatMap(\.places)
  }

  private var saved: [String] {
    let names = savedUserIDs
    let key = code(AppStartCode.identifierKey)
    return
      (names.isEmpty
      ? []
      : [
        box(
          "Save and read the account's identifier (\(key)) in place of the user id; the lines of chapter 9 replace what is saved already",
          names)
      ])
      + steps([.tokenSaved, .cacheWrite, .refreshToken])
  }

  private var migration: [String] {
    var lines: [String] = []
    for app in apps {
      let code = AppStartCode(
        app: app, group: app.group(facts), hasArchive: archives(app),
        savesUserID: !savedUserIDs.isEmpty, opensURLs: opensURLs(app))
      let text =
        app.delegates.isEmpty
        ? "Give the app a delegate\(named(app)) that moves the sign-ins when it starts"
        : "Move the sign-ins when the app starts\(named(app)): merge these lines into the app delegate"
      lines.append(box(text, app.delegates))
      lines.append(code.fenced)
    }
    lines.append(
      box("See that no line asks MSAL, clears ADAL's cache or offers a sign-in before that"))
    let handled = apps.filter(opensURLs).flatMap(\.delegates)
    lines += findings([.openURLMissing]).compactMap { finding in
      let places = finding.places.filter { place in
        !handled.contains { $0.file == place.file && $0.span == place.span }
      }
      let text = "Handle the broker's answer: \(MarkdownWords.text(finding.shownRemedy))"
      return places.isEmpty ? nil : box(text, places)
    }
    return lines + steps([.customStore, .appExtension])
  }

  /// Whether an app keeps ADAL's archive itself.
  private func archives(_ app: PlannedApp) -> Bool {
    app.isMac && !places([.macArchive]).isEmpty
  }

  /// Whether the lines for the app delegate hand the broker's answer to MSAL; with scenes, a scene does.
  private func opensURLs(_ app: PlannedApp) -> Bool {
    let missing = places([.openURLMissing])
    return app.delegates.contains { delegate in
      missing.contains { $0.file == delegate.file && $0.span == delegate.span }
    }
  }

  private var verification: [String] {
    func option(_ name: String, _ fact: ProjectDiagnosis.Fact) -> String {
      "\(name) \(ShellWord.quoted(PlainText.show(fact.value)))"
    }
    let clients = facts.clientIDs.map { option("--client-id", $0) }
    let groups = facts.keychainGroups.map { option("--access-group", $0) }
    let words = (["adal2msal migrate device.sqlite -n"] + clients + groups).joined(separator: " ")
    return [
      box("Take a snapshot from a test device, as \(Self.snapshots) of adal2msal shows, and try"),
      MarkdownWords.fenced("console", [words]),
      box("Read who would have to sign in again, and why"), box("See that no ADAL is left"),
      MarkdownWords.fenced("console", ["adal2msal doctor . --fail-on note"]),
    ]
  }

  private static let snapshots = MarkdownWords.code(shown: "Samples/SnapshotFromDevice")

  /// Everything that the plan has a name for in place of a value, and what the project does not tell.
  private var open: [String] {
    var lines: [String] = []
    if facts.signsIn {
      if facts.clientIDs.isEmpty {
        lines.append(
          box(
            "\(code(ApplicationConfiguration.openClientID)): the client id that the app gives ADAL")
        )
      }
      let targets = diagnosis.targets.filter { $0.isBundleIDOpen || $0.bundleIDs.isEmpty }
      if diagnosis.targets.isEmpty || !targets.isEmpty {
        let names = targets.map { code($0.name) }.joined(separator: ", ")
        let whose = names.isEmpty ? "the app" : names
        lines.append(box("\(code(PlannedApp.openBundleID)): the bundle id of \(whose)"))
      }
      if facts.redirectURIs.isEmpty {
        lines.append(box("The redirect URI that the app gives ADAL: keep it registered"))
      }
      if facts.authorities.isEmpty {
        lines.append(box("The authority: \(code("common")) stands for it in the configuration"))
      }
      if facts.resources.isEmpty {
        let scope = code("RESOURCE".scope)
        lines.append(box("The resources: the scope of each is \(scope)"))
      }
    }
    if !savedUserIDs.isEmpty {
      lines.append(
        box("\(code(AppStartCode.openKey)): the key that the user id is saved under", savedUserIDs))
    }
    let application = facts.signsIn ? " (chapter 5)" : ""
    lines.append(
      box(
        "\(code("startMSAL")): your method that makes the application\(application) and shows the first screen"
      ))
    if apps.contains(where: archives) {
      lines.append(box("\(code("archiveOfADAL")): the archive that the app keeps for ADAL"))
    }
    return lines
  }
}
