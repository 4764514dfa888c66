// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension ProjectDiagnosis {
  /// The diagnosis as a page in one file.
  func html(showingSuppressed: Bool, plan: String?) -> String {
    DiagnosisPage(
      diagnosis: self, findings: showingSuppressed ? findings : counted, plan: plan
    ).text
  }
}

private struct DiagnosisPage {
  let diagnosis: ProjectDiagnosis
  let findings: [ProjectDiagnosis.Finding]
  let plan: String?

  /// A page shows so many places of a finding.
  private static let mostPlaces = 200

  var text: String {
    HTMLPage.text(
      kind: "Doctor", headline: diagnosis.headline, tone: tone,
      lead: [diagnosis.sentenceOfReading] + diagnosis.remarks,
      figures: figures,
      chapters: [
        chapter("in-the-way", "Blocking problems", .error),
        chapter("to-check", "To check", .warning),
        changes, targets, values,
      ], remarks: remarks)
  }

  private var tone: HTML.Tone {
    findings.map(\.severity).max().map { $0 == .note ? .good : HTML.Tone($0) } ?? .good
  }

  private var figures: [HTML] {
    func number(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    let (errors, warnings) = (number(.error), number(.warning))
    return [
      HTMLPage.figure(errors, "blocking problems", errors == 0 ? .plain : .bad),
      HTMLPage.figure(warnings, "to check", warnings == 0 ? .plain : .fair),
      HTMLPage.figure(number(.note), "kinds of changes"),
      HTMLPage.figure(findings.reduce(0) { $0 + $1.places.count }, "places"),
      HTMLPage.figure(diagnosis.read.files, "files were read"),
    ]
  }

  private func chapter(_ anchor: HTML.Anchor, _ title: HTML, _ severity: Severity) -> HTML {
    let cards = findings.filter { $0.severity == severity }.map(card)
    return cards.isEmpty ? .none : .chapter(anchor, title, .group(cards))
  }

  /// What every app has many of, in a table.
  private var changes: HTML {
    let notes = findings.filter { $0.severity == .note }
    guard !notes.isEmpty else { return .none }
    let rows: [[HTML]] = notes.map { finding in
      [
        .tag(.code, content: .shown(finding.check.id)),
        .tag(.div, content: .sentence(finding.shownMessage)),
        .tag(.div, content: .words(finding.shownRemedy)), places(finding.places),
      ]
    }
    return .chapter(
      "changes", "Changes", .table("Changes", ["rule", "what", "to do", "where"], rows))
  }

  private func card(_ finding: ProjectDiagnosis.Finding) -> HTML {
    let check = finding.check
    let team = check.team.map { team in
      HTML.tag(
        .ul,
        content: .tag(.li, content: .tag(.b, content: "The app's team:"), " ", .words(team)))
    }
    return .card(
      HTML.Tone(finding.severity), badge: finding.severity.rawValue, code: finding.check.id,
      count: ProjectDiagnosis.count(finding.places.count, "place"),
      title: .sentence(finding.shownMessage),
      .tag(
        .p, .style("remedy"),
        content: .tag(.b, content: "To do:"), " ", .words(finding.shownRemedy + ".")),
      places(finding.places),
      .tag(
        .details, .style("reason"),
        content: .tag(.summary, content: "Why"),
        .tag(.p, content: .tag(.b, content: "What happened:"), " ", .words(check.happened)),
        .tag(.p, content: .tag(.b, content: "Why:"), " ", .words(check.because)),
        team ?? .none,
        .tag(.p, content: .link(finding.check.address, .shown("About \(finding.check.id)")))))
  }

  private func places(_ places: [ProjectDiagnosis.Occurrence]) -> HTML {
    let items = places.prefix(Self.mostPlaces).map { place in
      HTML.tag(.li, content: .name(shown: place.shown), .shown(place.mark))
    }
    let more = places.count - items.count
    let rest = more > 0 ? [HTML.tag(.li, content: .shown("and \(more) more"))] : []
    let list = HTML.element(.ul, [.style("places")], items + rest)
    guard items.count > 4 else { return list }
    return .folded(nil, .shown(ProjectDiagnosis.count(places.count, "place")), list)
  }

  private var targets: HTML {
    guard !diagnosis.targets.isEmpty else { return .none }
    let rows: [[HTML]] = diagnosis.targets.map { target in
      [
        .name(target.name), .text(target.platform), .name(target.bundleID),
        .name(target.deploymentTarget),
        .element(.div, [], target.keychainGroups.flatMap { [.name($0), " "] }),
      ]
    }
    let columns = ["target", "platform", "bundle id", "deployment target", "keychain groups"]
    return .chapter("targets", "Targets", .table("Targets", columns, rows))
  }

  private var values: HTML {
    let rows = diagnosis.facts.named.flatMap { what, facts in
      facts.map { [HTML.shown(what), .name($0.value.maskedAddress), places($0.places)] }
    }
    guard !rows.isEmpty else { return .none }
    return .chapter(
      "values", "Values in the project", .table("Values", ["what", "value", "where"], rows))
  }

  /// A backquote would end the code that the command stands in.
  private var planning: String {
    diagnosis.planning.filter { $0 != "`" }
  }

  private var remarks: [HTML] {
    [
      plan.map { .shown($0) }
        ?? (findings.isEmpty ? .none : .words("For the steps in order, run: `\(planning)`.")),
      "The project was neither run nor changed.",
    ]
  }
}
