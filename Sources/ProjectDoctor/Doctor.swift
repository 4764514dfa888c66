// SPDX-License-Identifier: MIT
import ProjectFiles

/// Checks an app's project for what must change to move from ADAL to MSAL. It reads the project, collects facts and
/// applies the rules. It writes and runs nothing, and uses neither the clock nor the network.
package struct Doctor: Sendable {
  package var msal = MSALRelease.newest
  /// Hosts of clouds that are there.
  package var knownHosts: Set<String>
  /// Hosts of clouds that are closed.
  package var closedHosts: Set<String>
  /// Only these rules; all where it is nil.
  package var rules: Set<Check>?
  /// The content of a cache to compare with, if there is one.
  package var evidence: [CacheEvidence] = []
  package var baseline: Baseline?

  package init(knownHosts: Set<String>, closedHosts: Set<String>) {
    self.knownHosts = knownHosts
    self.closedHosts = closedHosts
  }

  /// - Parameters:
  ///   - path: The folder as it was given; for the report alone.
  ///   - folder: The files of the project.
  package func diagnose(
    _ path: String, _ folder: ProjectFolder, _ access: some FolderAccess
  ) -> ProjectDiagnosis {
    var examination = Examination(path, reading: ProjectReading(folder, access), doctor: self)
    examination.run()
    examination.mark(access)
    return examination.diagnosis
  }
}
