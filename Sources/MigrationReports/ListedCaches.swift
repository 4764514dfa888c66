// SPDX-License-Identifier: MIT
import ADALMigration

extension Report {
  /// The same report with what became of each file.
  ///
  /// - Parameters:
  ///   - files: those that were read.
  ///   - unread: those that look like caches and cannot be read as such.
  ///   - isFailure: whether a finding of this severity makes the status 1.
  package func listing(
    _ files: some Sequence<String>, unread: [Cache], failingWhere isFailure: (Severity) -> Bool
  ) -> Report {
    var caches: [String: Cache] = [:]
    for file in files { caches[file] = Cache(file: file, status: 0) }
    var fileOfRow: [Int: String] = [:]
    var accounts: [String: Set<Int>] = [:]
    for entry in entries {
      guard let file = entry.place.file else { continue }
      fileOfRow[entry.row] = file
      caches[file]?.add(entry.outcome)
      if let account = entry.account { accounts[file, default: []].insert(account) }
    }
    for (file, accounts) in accounts { caches[file]?.accounts = accounts.sorted() }
    for finding in findings where isFailure(finding.severity) && kind != .inspection {
      for row in finding.rows {
        if let file = fileOfRow[row] { caches[file]?.status = 1 }
      }
    }
    for file in unread { caches[file.file] = file }
    var report = self
    report.caches = caches.values.sorted { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
    return report
  }
}

extension Report.Cache {
  fileprivate mutating func add(_ outcome: Report.Outcome) {
    rows += 1
    switch outcome {
    case .converted: converted += 1
    case .alreadyThere: alreadyThere += 1
    case .notConverted: notConverted += 1
    }
  }
}
