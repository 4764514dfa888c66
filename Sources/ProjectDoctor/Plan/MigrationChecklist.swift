// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

/// The plan of a migration: Markdown with boxes to tick.
package struct MigrationChecklist: Sendable {
  let diagnosis: ProjectDiagnosis
  let evidence: [CacheEvidence]
  let apps: [PlannedApp]
  package private(set) var text = ""
  /// The number of boxes to tick.
  package private(set) var steps = 0

  private static let box = "- [ ] "

  /// - Parameter evidence: the content of caches, for numbers beside the project's values.
  package init(_ diagnosis: ProjectDiagnosis, evidence: [CacheEvidence] = []) {
    self.diagnosis = diagnosis
    self.evidence = evidence
    apps = PlannedApp.all(of: diagnosis)
    var blocks = ["# From ADAL to MSAL: what to do", diagnosis.headlineInMarkdown]
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
    // Blocks have a free line between them, items of one list have none.
    var wasItem = false
    for block in blocks {
      let isItem = block.drop { $0 == " " }.hasPrefix("- ")
      text += (text.isEmpty ? "" : isItem && wasItem ? "\n" : "\n\n") + block
      wasItem = isItem
    }
    text += "\n"
    steps = text.split(separator: "\n").count { $0.drop { $0 == " " }.hasPrefix(Self.box) }
  }
}

extension ProjectDiagnosis {
  /// Whether there is something of ADAL's to migrate.
  var hasADAL: Bool { library == .adal || library == .both }
}

extension MigrationChecklist {
  var facts: Facts { diagnosis.facts }

  /// The chapters, in the order in which things are done.
  private var chapters: [(title: String, blocks: [String])] {
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
  func box(_ text: String, _ places: [Occurrence] = []) -> String {
    guard places.count > 2 else {
      return "\(Self.box)\(text)\(places.isEmpty ? "" : " (\(places.links))")"
    }
    return (["\(Self.box)\(text)"] + places.linkLines.map { "  - \($0)" }).joined(separator: "\n")
  }

  /// A step with the places of some findings; empty without findings.
  func step(_ text: String, at checks: Set<Check>) -> [String] {
    let places = diagnosis.places(checks)
    return places.isEmpty ? [] : [box(text, places)]
  }

  func code(_ text: String) -> String { MarkdownWords.code(text.maskedAddress) }

  /// A step for each sentence of the findings, with the places of all that say it.
  func steps(_ checks: Set<Check>) -> [String] {
    let sentences = diagnosis.counted(checks).map { finding in
      let what = MarkdownWords.text(finding.message.capitalizedStart)
      return (text: "\(what): \(MarkdownWords.text(finding.shownRemedy))", places: finding.places)
    }
    return sentences.map(\.text).each.map { text in
      box(text, sentences.filter { $0.text == text }.flatMap(\.places))
    }
  }

  /// The project of an app, where there are several.
  func named(_ app: PlannedApp) -> String {
    guard apps.count > 1, let project = app.project else { return "" }
    return " in \(code(project))"
  }

  /// The number of a cache's rows for a value of the project.
  private func seenInCache(_ count: (CacheEvidence) -> Int?) -> String {
    guard !evidence.isEmpty else { return "" }
    let number = evidence.compactMap(count).reduce(0, +)
    return ", seen in the cache: \(number.counted("row"))"
  }

  // Chapters

  private var registration: [String] {
    guard facts.signsIn else { return [] }
    let open = Fact(value: PlannedApp.openClientID, places: [])
    let added = PlannedApp.bundleIDs(diagnosis.targets).flatMap { id in
      let uri = PlannedApp.redirectURI(id)
      let broker = "msauth://code/\(PlannedApp.scheme(id))%3A%2F%2Fauth"
      return [
        facts[.redirectURI].contains { $0.value == uri }
          ? "See that it has the redirect URI \(code(uri)), which the code has"
          : "Add the redirect URI \(code(uri)): MSAL signs in with it",
        "Add the redirect URI \(code(broker)), for certificates through the broker",
      ].map { "  " + box($0) }
    }
    let registrations = (facts[.clientID].isEmpty ? [open] : facts[.clientID]).flatMap { client in
      let seen = seenInCache { $0.clients[client.value.lowercased()] }
      return [box("Keep the registration \(code(client.value))\(seen)", client.places)] + added
    }
    let kept = facts[.redirectURI].filter { !$0.value.hasPrefix("msauth.") }
    let keptSteps = kept.map {
      box(
        "Keep the redirect URI \(code($0.value)) as long as users have versions with ADAL",
        $0.places)
    }
    // These steps are all that a kept URI needs which MSAL rejects.
    let spans = Set(kept.flatMap(\.places).map(\.span))
    let isRejected = diagnosis.places([.redirectUnusable]).contains { !spans.contains($0.span) }
    return registrations + keptSteps + (isRejected ? steps([.redirectUnusable]) : [])
      + steps([.redirectBundleMismatch, .clientChanged, .clientUnseen, .clientUnlisted])
  }

  private var configuration: [String] {
    let steps = steps([
      .authorityValidationOff, .authorityUnknownHost, .authorityB2C, .authorityADFS,
      .authorityClosedCloud, .authorityDomain,
    ])
    let each = facts[.clientID].count > 1 ? "one application for each client id" : "the application"
    let created = apps.flatMap { app in
      [box("Create \(each)\(named(app)), after the migration"), app.configuration]
    }
    return steps + (facts.signsIn ? created : [])
  }

  private var scopes: [String] {
    let steps = steps([.resourceAADGraph, .resourceDiscovery, .resourceUnlisted])
    guard !facts[.resource].isEmpty else { return steps }
    let rows = facts[.resource].map { resource in
      let isClosed = Check.ofClosedService(in: resource.value) != nil
      let scope = code(resource.value.scope)
      let seen = seenInCache { $0.resources[resource.value] }
      return [
        "\(code(resource.value))\(seen)", isClosed ? "<s>\(scope)</s> retired" : scope,
        resource.places.links,
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
      finding.places.map { place in
        let name = [[place].links, code(place.symbol ?? finding.check.code)]
        let becomes = MarkdownWords.text(finding.becomes ?? finding.shownRemedy)
        return (check: finding.check, place: place, name: name, becomes: becomes)
      }
    }.sorted { $0.place.isBefore($1.place) }
    guard !uses.isEmpty else { return steps }
    // If a call and its type have the same name, the row of the call says more.
    let named = Set(uses.filter { $0.check != .type }.map(\.name))
    let rows = uses.filter { $0.check != .type || !named.contains($0.name) }
      .map { $0.name + [$0.becomes] }
    return [box("Replace every call of ADAL's"), table(["place", "is", "becomes"], rows.each)]
      + steps
  }

  private func table(_ headings: [String], _ rows: [[String]]) -> String {
    MarkdownWords.table(headings, rows, budget: .max, more: "rows")
  }

  private var saved: [String] {
    let names = diagnosis.savedUserIDs
    let key = code(PlannedApp.identifierKey)
    let replaced = box(
      "Save and read the account's identifier (\(key)) in place of the user id; the lines of chapter 9 replace what is saved already",
      names)
    return (names.isEmpty ? [] : [replaced]) + steps([.tokenSaved, .cacheWrite, .refreshToken])
  }

  private var migration: [String] {
    let moved = apps.flatMap { app in
      let text =
        app.delegates.isEmpty
        ? "Give the app a delegate\(named(app)) that moves the sign-ins when it starts"
        : "Move the sign-ins when the app starts\(named(app)): merge these lines into the app delegate"
      return [box(text, app.delegates), app.startCode]
    }
    let handled = apps.filter(\.opensURLs).flatMap(\.delegates)
    let answers = diagnosis.counted([.openURLMissing]).compactMap { finding in
      let places = finding.places.filter { place in !handled.contains { $0.span == place.span } }
      let text = "Handle the broker's answer: \(MarkdownWords.text(finding.shownRemedy))"
      return places.isEmpty ? nil : box(text, places)
    }
    return moved
      + [box("See that no line asks MSAL, clears ADAL's cache or offers a sign-in before that")]
      + answers + steps([.customStore, .appExtension])
  }

  private var verification: [String] {
    func option(_ name: String, _ fact: Fact) -> String {
      "\(name) \(ShellWord.quoted(PlainText.show(fact.value)))"
    }
    let clients = facts[.clientID].map { option("--client-id", $0) }
    let groups = facts[.keychainGroup].map { option("--access-group", $0) }
    let snapshots = code("Samples/SnapshotFromDevice")
    let words = (["adal2msal migrate device.sqlite -n"] + clients + groups).joined(separator: " ")
    return [
      box("Take a snapshot from a test device, as \(snapshots) of adal2msal shows, and try"),
      MarkdownWords.fenced("console", [words]),
      box("Read who would have to sign in again, and why"), box("See that no ADAL is left"),
      MarkdownWords.fenced("console", ["adal2msal doctor . --fail-on note"]),
    ]
  }

  /// All placeholders of the plan, for values that the project does not tell.
  private var open: [String] {
    let targets = diagnosis.targets.filter { $0.isBundleIDOpen || $0.bundleIDs.isEmpty }
    let names = targets.map { code($0.name) }.joined(separator: ", ")
    let whose = names.isEmpty ? "the app" : names
    let hasIDs = !diagnosis.targets.isEmpty && targets.isEmpty
    let values: KeyValuePairs = [
      "\(code(PlannedApp.openClientID)): the client id that the app gives ADAL":
        facts[.clientID].isEmpty,
      "\(code(PlannedApp.openBundleID)): the bundle id of \(whose)": !hasIDs,
      "The redirect URI that the app gives ADAL: keep it registered": facts[.redirectURI].isEmpty,
      "The authority: \(code("common")) stands for it in the configuration":
        facts[.authority].isEmpty,
      "The resources: the scope of each is \(code("RESOURCE".scope))": facts[.resource].isEmpty,
    ]
    var lines = values.filter { facts.signsIn && $0.value }.map { box($0.key) }
    if !diagnosis.savedUserIDs.isEmpty {
      let key = code(PlannedApp.openKey)
      lines.append(box("\(key): the key that the user id is saved under", diagnosis.savedUserIDs))
    }
    let application = facts.signsIn ? " (chapter 5)" : ""
    lines.append(
      box(
        "\(code("startMSAL")): your method that makes the application\(application) and shows the first screen"
      ))
    if apps.contains(where: \.hasArchive) {
      lines.append(box("\(code("archiveOfADAL")): the archive that the app keeps for ADAL"))
    }
    return lines
  }
}
