// SPDX-License-Identifier: MIT
import ADALMigration

extension TokenCacheMigration {
  /// The proof of a run that had nothing to add, so that the next start need not decode the rows.
  ///
  /// An app stores it, in its user defaults or a file, and passes it to `TokenCacheMigration.run(since:)`. It has a number for
  /// all rows and entries, and a report without accounts: no secret, name or identifier. Without it, the next run
  /// is a full one. A receipt of another version, policy or cache has no effect.
  public struct Receipt: Sendable, Hashable, Codable {
    /// A finding of the report, without its words.
    public struct Finding: Sendable, Hashable, Codable {
      /// The reason.
      public var reason: Reason
      /// The severity.
      public var severity: Reason.Severity
      /// The rows that it is about, sorted.
      public var rows: [Int]
    }

    /// The counts of the report: every row is one of ``Report/Summary/alreadyThere`` and
    /// ``Report/Summary/notConverted``.
    public let summary: Report.Summary
    /// The findings of the report, in its order.
    public let findings: [Finding]
    /// The time of the run, in Unix seconds.
    let time: Double
    /// The fingerprint of the run's input and settings, in hexadecimal, because no format rounds a text.
    let fingerprint: String

    init(_ report: Report, at time: Double, _ fingerprint: Fingerprint) {
      summary = report.summary
      findings = report.findings.map {
        Finding(reason: $0.reason, severity: $0.severity, rows: $0.rows)
      }
      self.time = time
      self.fingerprint = fingerprint.text
    }

    /// Whether a run at this time that finds this, and is told this, finds nothing to do.
    ///
    /// Time only makes tokens expire, which needs no new work. A clock that was set back can.
    func holds(at time: Double, _ fingerprint: Fingerprint) -> Bool {
      time >= self.time && fingerprint.text == self.fingerprint
    }
  }
}

extension TokenCacheMigration {
  /// Migrates, unless the cache is unchanged since the receipt.
  ///
  /// It reads the store once, and compares ADAL's rows byte by byte, but only the keys of MSAL's entries: MSAL
  /// changes their contents with every new token, and a migration changes none of them.
  ///
  /// ```swift
  /// let (report, receipt) = try migration.run(since: saved)
  /// saved = receipt
  /// ```
  ///
  /// - Parameters:
  ///   - receipt: the receipt of the last run; nil for none.
  ///   - onEvent: gets each event of the run.
  /// - Returns: the report, or nil if the cache is unchanged; and the receipt for the next run, whose
  ///   ``Receipt/summary`` and ``Receipt/findings`` account for every row. The receipt is nil after a run that
  ///   wrote, and for targets that are documents: the next run is a full one.
  /// - Throws: as `TokenCacheMigration.run(onEvent:)`.
  public func run(
    since receipt: Receipt?, onEvent: (Event) -> Void = { _ in }
  ) throws -> (report: Report?, receipt: Receipt?) {
    // Taken before the run reads, so that a change in between gives the next run another fingerprint.
    let fingerprint = try Fingerprint(of: self)
    let time = now().timeIntervalSince1970
    if let receipt, let fingerprint, receipt.holds(at: time, fingerprint) {
      return (nil, receipt)
    }
    let report = try run(onEvent: onEvent)
    guard let fingerprint, report.summary.written == 0 else { return (report, nil) }
    return (report, Receipt(report, at: time, fingerprint))
  }

  /// Migrates, away from the caller's actor, unless everything is as it was when the receipt was given.
  ///
  /// - Returns: as the synchronous form.
  /// - Throws: as the synchronous form.
  nonisolated public func run(
    since receipt: Receipt?, onEvent: @Sendable (Event) -> Void = { _ in }
  ) async throws -> (report: Report?, receipt: Receipt?) {
    let migrate: (Migration, Receipt?, (Event) -> Void) throws -> (Report?, Receipt?) = {
      try $0.run(since: $1, onEvent: $2)
    }
    return try migrate(self, receipt, onEvent)
  }
}
