// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports

extension DiagnosisReport {
  /// A page shows so many places of a finding.
  private static let mostPlaces = 200

  var html: String {
    let worst = findings.map(\.severity).max() ?? .note
    return HTMLPage.text(
      kind: "Doctor", headline: diagnosis.headline,
      tone: worst == .note ? .good : HTML.Tone(worst),
      lead: [diagnosis.sentenceOfReading] + diagnosis.remarks,
      figures: figures,
      chapters: [
        chapter("in-the-way", "Blocking problems", .error),
        chapter("to-check", "To check", .warning),
        changes, targets, values,
      ],
      remarks: [planned, "The project was neither run nor changed."])
  }

  private var figures: [HTML] {
    func number(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    let (errors, warnings) = (number(.error), number(.warning))
    return [
      HTMLPage.figure(errors, "blocking problems", errors == 0 ? .plain : .bad),
      HTMLPage.figure(warnings, "to check", warnings == 0 ? .plain : .fair),
      HTMLPage.figure(number(.note), "kinds of changes"),
      HTMLPage.figure(findings.placeCount, "places"),
      HTMLPage.figure(diagnosis.readFiles, "files were read"),
    ]
  }

  private var planned: HTML {
    if let plan { return .shown(plan) }
    // A backquote would end the code that the command stands in.
    let command = diagnosis.planning.filter { $0 != "`" }
    return findings.isEmpty ? .none : .words("For the steps in order, run: `\(command)`.")
  }

  private func chapter(_ anchor: HTML.Anchor, _ title: HTML, _ severity: Severity) -> HTML {
    let cards = findings.filter { $0.severity == severity }.map(card)
    return cards.isEmpty ? .none : .chapter(anchor, title, .group(cards))
  }

  /// The findings that every app has many of, in a table.
  private var changes: HTML {
    let rows = findings.filter { $0.severity == .note }.map { finding in
      [
        .tag(.code, content: .shown(finding.check.code)),
        .tag(.div, content: .sentence(finding.shownMessage)),
        .tag(.div, content: .words(finding.shownRemedy)), places(finding.places),
      ]
    }
    return table("changes", "Changes", ["rule", "what", "to do", "where"], rows)
  }

  private func table(
    _ anchor: HTML.Anchor, _ title: String, caption: String? = nil, _ columns: [String],
    _ rows: [[HTML]]
  ) -> HTML {
    guard !rows.isEmpty else { return .none }
    return .chapter(anchor, .shown(title), .table(caption ?? title, columns, rows))
  }

  private func card(_ finding: Finding) -> HTML {
    .card(
      HTML.Tone(finding.severity), badge: finding.severity.rawValue, code: finding.check.code,
      count: finding.places.count.counted("place"),
      title: .sentence(finding.shownMessage),
      .tag(
        .p, .style("remedy"),
        content: .tag(.b, content: "To do:"), " ", .words(finding.shownRemedy + ".")),
      places(finding.places),
      .tag(
        .details, .style("reason"),
        content: .tag(.summary, content: "Why"),
        finding.check.htmlPage))
  }

  private func places(_ places: [Occurrence]) -> HTML {
    let items = places.prefix(Self.mostPlaces).map { place in
      HTML.tag(.li, content: .name(shown: place.shown), .shown(place.mark))
    }
    let more = places.count - items.count
    let rest = more > 0 ? [HTML.tag(.li, content: .shown("and \(more) more"))] : []
    let list = HTML.element(.ul, [.style("places")], items + rest)
    guard items.count > 4 else { return list }
    return .folded(.shown(places.count.counted("place")), list)
  }

  private var targets: HTML {
    let rows: [[HTML]] = diagnosis.targets.map { target in
      [
        .name(target.name), .text(target.platform.rawValue), .name(target.bundleID),
        .name(target.deploymentTarget),
        .element(.div, [], target.keychainGroups.flatMap { [.name($0), " "] }),
      ]
    }
    return table("targets", "Targets", Self.targetColumns, rows)
  }

  private var values: HTML {
    let rows: [[HTML]] = diagnosis.facts.named.map { what, fact in
      [.shown(what), .name(fact.value.maskedAddress), places(fact.places)]
    }
    return table(
      "values", "Values in the project", caption: "Values", ["what", "value", "where"], rows)
  }
}
