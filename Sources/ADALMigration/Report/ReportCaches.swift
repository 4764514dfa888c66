// SPDX-License-Identifier: MIT

extension Report {
  /// One file of several that are read as one cache, and what became of its rows.
  ///
  /// They are one cache together, so that an account stays signed in when any of them has what it needs.
  package struct Cache: Sendable, Hashable {
    /// The file, as it was named.
    package var file: String
    /// What the command would end with, were the findings about the file's rows all there are: 0 or 1; 65
    /// when the file is no cache that can be read.
    package var status: Int
    /// Its rows.
    package var rows = 0
    /// Its rows whose content was or would be written.
    package var converted = 0
    /// Its rows whose content the target already holds.
    package var alreadyThere = 0
    /// Its rows that stay what they are.
    package var notConverted = 0
    /// Whose its rows are, as indices into ``Report/accounts``, sorted.
    package var accounts: [Int] = []
    /// Why it cannot be read, in one line without a full stop; nil when it can.
    package var objection: String?

    package init(file: String, status: Int, objection: String? = nil) {
      self.file = file
      self.status = status
      self.objection = objection
    }
  }

  /// What a run was decided for.
  package struct JudgedTarget: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
      case keychain, snapshot, items, document, documents
    }
    package var kind: Kind
    /// The place as it was named; nil for a dry run that names none, which is decided for an empty items file.
    package var place: String?

    package init(_ kind: Kind, place: String?) {
      self.kind = kind
      self.place = place
    }
  }

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
    for (file, accounts) in accounts { caches[file]?.accounts = accounts.ordered() }
    for finding in findings where isFailure(finding.severity) && kind != .inspection {
      for row in finding.rows {
        if let file = fileOfRow[row] { caches[file]?.status = 1 }
      }
    }
    for file in unread { caches[file.file] = file }
    var report = self
    report.caches = caches.values.ordered { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
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
