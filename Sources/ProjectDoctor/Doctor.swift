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
    var examination = Examination(reading: reading, doctor: self)
    examination.run()
    var diagnosis = ProjectDiagnosis(path: path, msal: msal)
    diagnosis.library = examination.library
    diagnosis.dependsOnMSAL = examination.dependsOnMSAL
    diagnosis.adalOnlyThrough = examination.onlyThrough
    diagnosis.adalVersions = examination.versions
    diagnosis.read = reading.read
    diagnosis.skipped = reading.skipped
    diagnosis.targets = examination.targets
    diagnosis.facts = examination.facts
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
    struct Key: Hashable {
      var check: Check
      var severity: Severity
      var message: String
      var remedy: String
      var becomes: String?
    }
    var findings: [Key: Finding] = [:]
    for hit in hits {
      let key = Key(
        check: hit.check, severity: hit.severity, message: hit.message, remedy: hit.remedy,
        becomes: hit.becomes)
      findings[
        key,
        default: Finding(
          check: hit.check, severity: hit.severity, message: hit.message, remedy: hit.remedy,
          becomes: hit.becomes, places: [])
      ].places.append(hit.place)
    }
    return findings.values.map { finding in
      var finding = finding
      finding.places.sort { $0.isBefore($1) }
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
