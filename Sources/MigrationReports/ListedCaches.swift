// SPDX-License-Identifier: MIT
import ADALMigration

extension Report {
  /// The same report with the result of each file.
  ///
  /// - Parameters:
  ///   - files: those that were read.
  ///   - unread: those that look like caches and cannot be read as such.
  ///   - isFailure: whether a finding of this severity makes the status 1.
  package func listing(
    _ files: some Sequence<String>, unread: [Cache], failingWhere isFailure: (Severity) -> Bool
  ) -> Report {
    let decisive = findings.filter { isFailure($0.severity) && kind != .inspection }
    let failing = Set(decisive.flatMap(\.rows))
    let byFile = Dictionary(grouping: entries, by: \.place.file)
    var caches = unread
    for file in Set(files).subtracting(unread.map(\.file)) {
      let entries = byFile[file] ?? []
      let tally = entries.reduce(into: Tally()) { $0.add($1.outcome) }
      var cache = Cache(
        file: file, status: entries.contains { failing.contains($0.row) } ? 1 : 0)
      cache.accounts = Set(entries.compactMap(\.account)).sorted()
      cache.rows = tally.all
      cache.converted = tally.converted
      cache.alreadyThere = tally.alreadyThere
      cache.notConverted = tally.notConverted
      caches.append(cache)
    }
    var report = self
    report.caches = caches.sorted { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
    return report
  }
}
