// SPDX-License-Identifier: MIT
import ProjectFiles

/// Looks at a project and says what stands in the way of MSAL: reads, finds out facts, applies the
/// rules. Nothing is written, nothing is run, the clock and the network are not used.
package struct Doctor: Sendable {
  /// The MSAL release to move to
  package var msal: MSALRelease
  package var hosts: AuthorityHosts
  /// Only these rules; all where it is nil.
  package var rules: Set<Check>?
  /// What a cache holds, when there is one to compare with.
  package var evidence: [CacheEvidence] = []
  package var baseline: Baseline?

  package init(msal: MSALRelease = .newest, hosts: AuthorityHosts) {
    self.msal = msal
    self.hosts = hosts
  }

  /// - Parameters:
  ///   - path: The folder as it was given; for the report alone.
  ///   - folder: Which files there are.
  package func diagnose(
    _ path: String, _ folder: ProjectFolder, _ access: some FolderAccess
  ) -> ProjectDiagnosis {
    let reading = ProjectReading(folder, access)
    var examination = Examination(path, reading: reading, doctor: self)
    examination.run()
    var diagnosis = examination.diagnosis
    var hits = examination.hits
    if let rules { hits.removeAll { !rules.contains($0.check) } }
    var marking = Marking(hits: hits, reading: reading)
    marking.run(access, baseline)
    diagnosis.findings = ProjectDiagnosis.grouped(marking.hits)
    diagnosis.baselineStale = marking.stale
    diagnosis.idleSuppressions = rules == nil ? marking.idle : []
    return diagnosis
  }
}

extension ProjectDiagnosis {
  /// Findings of hits: those in the same words are one, each place once.
  static func grouped(_ hits: [Hit]) -> [Finding] {
    var places: [Finding: [Occurrence]] = [:]
    for hit in hits {
      let words = Finding(
        check: hit.check, severity: hit.severity, message: hit.message, remedy: hit.remedy,
        becomes: hit.becomes, places: [])
      places[words, default: []].append(hit.place)
    }
    return places.map { finding, places in
      var finding = finding
      finding.places = places.sorted { $0.isBefore($1) }
      return finding
    }.sorted { left, right in
      if left.severity != right.severity { return left.severity > right.severity }
      if left.check != right.check { return left.check < right.check }
      return (left.message, left.becomes ?? "", left.remedy)
        < (right.message, right.becomes ?? "", right.remedy)
    }
  }
}

extension ProjectDiagnosis.Occurrence {
  /// Paths by their bytes, then lines, then columns.
  package func isBefore(_ other: Self) -> Bool {
    if file != other.file { return RelativePath.isBefore(file, other.file) }
    let none = TextPosition(line: 0, column: 0)
    return (span?.start ?? none) < (other.span?.start ?? none)
  }
}
