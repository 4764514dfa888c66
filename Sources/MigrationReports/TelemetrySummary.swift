// SPDX-License-Identifier: MIT
import ADALMigration

extension TokenCacheMigration.Report {
  /// The counts of a migration that a team can send home.
  ///
  /// It has only numbers and words of fixed lists, so it cannot contain a name, identifier, path or token of a
  /// cache. ``Report/summaryForTelemetry`` returns it. Its JSON (`Schemas/summary.schema.json`) has a member for
  /// each count except zeros.
  ///
  /// ```swift
  /// var summary = report.summaryForTelemetry
  /// summary.milliseconds = elapsed
  /// telemetry.send(try JSONEncoder().encode(summary))
  /// ```
  public struct TelemetrySummary: Codable, Sendable, Hashable {
    /// A number for each word of a fixed list (default: 0).
    public struct Counts<Key>: Sendable, Hashable
    where Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
      private var numbers: [Key: Int] = [:]

      /// The number of this key.
      public subscript(key: Key) -> Int {
        get { numbers[key] ?? 0 }
        set { numbers[key] = newValue == 0 ? nil : newValue }
      }

      /// All of them together.
      public var total: Int { numbers.values.reduce(0, +) }

      /// All counts are zero.
      public init() {}

      fileprivate init(_ keys: some Sequence<Key>) {
        for key in keys { self[key] += 1 }
      }
    }

    /// The findings of one severity, by how many rows each reason is about; one about the run counts 1.
    public struct Findings: Codable, Sendable, Hashable {
      /// A user must sign in again.
      public var error = Counts<TokenCacheMigration.Reason>()
      /// It works, on an assumption.
      public var warning = Counts<TokenCacheMigration.Reason>()
      /// Users notice nothing.
      public var note = Counts<TokenCacheMigration.Reason>()
    }

    /// The version of this form.
    public private(set) var version = 1
    /// The kind of the run.
    public var run: TokenCacheMigration.Report.Kind
    /// The duration of the run, if the caller sets it.
    public var milliseconds: Int?
    /// The number of the source's rows.
    public var rows: Int
    /// The number of other items.
    public var foreign: Int
    /// The rows by kind.
    public var kinds: Counts<TokenCacheMigration.Report.RowKind>
    /// The rows by the library and the form that they were kept in.
    public var generations: Counts<TokenCacheMigration.Report.Generation>
    /// The rows by result; empty for an inspection.
    public var outcomes: Counts<TokenCacheMigration.Report.Outcome>
    /// The number of rows with each reason.
    public var reasons: Counts<TokenCacheMigration.Reason>
    /// The findings; empty for an inspection.
    public var findings: Findings
    /// The accounts by whether MSAL finds them; empty for an inspection.
    public var accounts: Counts<TokenCacheMigration.Report.SignedIn>
    /// The accounts by how certain their home account id is.
    public var confidences: Counts<TokenCacheMigration.Report.Confidence>
    /// The entries that were or would be added, by type; empty for an inspection.
    public var written: Counts<TokenCacheMigration.Report.EntryType>
  }
}

extension Report {
  /// The counts of the report to send home, without names, identifiers or paths.
  public var summaryForTelemetry: TokenCacheMigration.Report.TelemetrySummary {
    let isDecided = kind != .inspection
    var summary = TelemetrySummary(
      run: kind, milliseconds: milliseconds, rows: entries.count,
      foreign: summary.foreign, kinds: .init(entries.lazy.map(\.kind)),
      generations: .init(entries.lazy.map(\.generation)),
      outcomes: isDecided ? .init(entries.lazy.map(\.outcome)) : .init(),
      reasons: .init(entries.lazy.flatMap { Set($0.reasons) }), findings: .init(),
      accounts: isDecided ? .init(accounts.lazy.map(\.signedIn)) : .init(),
      confidences: .init(accounts.lazy.map(\.confidence)), written: .init())
    guard isDecided else { return summary }
    for (type, number) in writtenByType { summary.written[type] = number }
    for finding in findings {
      let number = max(1, finding.rows.count)
      switch finding.severity {
      case .error: summary.findings.error[finding.reason] += number
      case .warning: summary.findings.warning[finding.reason] += number
      case .note: summary.findings.note[finding.reason] += number
      }
    }
    return summary
  }
}

extension MaskedReport {
  func telemetry() -> String { JSONText.encode(content.summaryForTelemetry) }
}

extension TokenCacheMigration.Report.TelemetrySummary.Counts: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (key, number) in numbers {
      try container.encode(number, forKey: Name(stringValue: key.rawValue))
    }
  }

  /// It contains nothing of keys that this version does not know.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    for name in container.allKeys {
      guard let key = Key(rawValue: name.stringValue) else { continue }
      self[key] = try container.decode(Int.self, forKey: name)
    }
  }
}
