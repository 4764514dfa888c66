// SPDX-License-Identifier: MIT

/// What a run leaves that found nothing to do: proof for the next start, which then need not decode anything.
///
/// An app keeps it, in its user defaults or a file, and hands it to `Migration.run(since:)`. It has
/// neither a secret nor a name nor an identifier of anybody: a number for all that was read, and what a report
/// without accounts says. Losing it costs one full run; one that was made by another version, with another
/// policy or for another cache counts for nothing.
public struct Receipt: Sendable, Hashable, Codable {
  /// A remark of the report: why, how bad, and which rows.
  public struct Finding: Sendable, Hashable, Codable {
    /// Why.
    public var reason: Reason
    /// How bad it is.
    public var severity: Report.Severity
    /// The rows that it is about, sorted.
    public var rows: [Int]
  }

  /// The counts of the report: every row is one of ``Report/Summary/alreadyThere`` and
  /// ``Report/Summary/notConverted``.
  public let summary: Report.Summary
  /// The findings of the report, in its order.
  public let findings: [Finding]
  /// When the run was, in Unix seconds.
  let time: Double
  /// The fingerprint of what the run found and was told, in hexadecimal: no format rounds a text.
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
  /// What time changes is that tokens expire, which makes nothing new to do; a clock that was put back can.
  func holds(at time: Double, _ fingerprint: Fingerprint) -> Bool {
    time >= self.time && fingerprint.text == self.fingerprint
  }
}

extension Migration {
  /// Migrates, unless everything is as it was when the receipt was given.
  ///
  /// One look at the store tells. It compares ADAL's rows byte by byte, and of MSAL's own entries in the target
  /// only keys: MSAL changes what is in them with every new token, and a migration changes none of them.
  ///
  /// ```swift
  /// let (report, receipt) = try migration.run(since: saved)
  /// saved = receipt
  /// ```
  ///
  /// - Parameters:
  ///   - receipt: what the last run returned; nil when there was none.
  ///   - onEvent: hears what happens while it happens; nothing when nothing does.
  /// - Returns: the report of a run, or nil when there was none to make; and what to keep for the next time, whose
  ///   ``Receipt/summary`` and ``Receipt/findings`` account for every row. It is nil after a run that wrote, and
  ///   for targets that are documents: the next run is a full one.
  /// - Throws: as a run without a receipt.
  public func run(
    since receipt: Receipt?, onEvent: (Event) -> Void = { _ in }
  ) throws -> (report: Report?, receipt: Receipt?) {
    // Taken before the run reads: what changes in between makes the next fingerprint another one.
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
