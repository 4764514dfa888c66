// SPDX-License-Identifier: MIT

extension TokenCacheMigration.Report {
  /// The result of a row.
  public enum Outcome: String, CaseIterable, Codable, Sendable {
    /// Its content was or would be written.
    case converted
    /// The target already holds its content.
    case alreadyThere = "already-there"
    /// It stays what it is.
    case notConverted = "not-converted"
  }
}

extension RowOutcome {
  func isBetter(than other: RowOutcome) -> Bool { rank > other.rank }

  private var rank: Int {
    switch self {
    case .notConverted: 0
    case .alreadyThere: 1
    case .converted: 2
    }
  }
}
