// SPDX-License-Identifier: MIT

extension Reason {
  /// The effect of a finding on the user; compares from `note` up to `error`.
  public enum Severity: String, CaseIterable, Codable, Sendable, Comparable {
    /// Users notice no change.
    case note
    /// It works, on an assumption that the team should check or only as MSAL reads ADAL's rows.
    case warning
    /// A user must sign in again.
    case error

    public static func < (left: Severity, right: Severity) -> Bool {
      left.level < right.level
    }

    private var level: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }
}
