// SPDX-License-Identifier: MIT

extension TokenCacheMigration.Report {
  /// The certainty of a home account ID, the most certain last.
  public enum Confidence: String, CaseIterable, Sendable, Comparable {
    /// No home account ID is known.
    case none
    /// Only a user name is known.
    case usernameOnly = "username-only"
    /// Another row or entry of the same account has it.
    case joined
    /// `oid` and `tid` of a member, through the tenant's own authority.
    case tenantMember = "tenant-member"
    /// `oid` and `tid`, through `common` or `organizations`.
    case homeAuthority = "home-authority"
    /// The cache stores it, or the account map gives it.
    case exact

    public static func < (left: Confidence, right: Confidence) -> Bool {
      left.level < right.level
    }

    private var level: Int {
      switch self {
      case .none: 0
      case .usernameOnly: 1
      case .joined: 2
      case .tenantMember: 3
      case .homeAuthority: 4
      case .exact: 5
      }
    }
  }
}
