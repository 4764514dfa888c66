// SPDX-License-Identifier: MIT

/// How much a finding matters.
package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A mechanical replacement.
  case note
  /// It works on an assumption that somebody should check, or people notice something.
  case warning
  /// With MSAL the project does not build or start, or somebody has to sign in again.
  case error

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }

  /// Notes are less than warnings, warnings less than errors.
  package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}
