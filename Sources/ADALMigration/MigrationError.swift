// SPDX-License-Identifier: MIT
import PlatformFoundation
import KeychainItems

extension TokenCacheMigration {
  /// An error of a migration that wrote nothing.
  public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Rows of a macOS blob or a document have no access group, and the target needs one.
    case accessGroupNeeded
    /// The given access group has no team prefix, so apps cannot find items there. The suggestions are the same group
    /// with the prefixes in the caches.
    case accessGroupWithoutTeam(String, suggestions: [String])
    /// A policy or an account map cannot be used: one sentence, with the line if there is one. The command ends with
    /// status 64.
    case invalidPolicy(String)

    public var description: String {
      switch self {
      case .accessGroupNeeded:
        "the source has no keychain access groups; name the group to write to"
      case .accessGroupWithoutTeam(let group, _):
        "the access group \(group) has no team prefix, so that no app finds what is written there"
      case .invalidPolicy(let sentence): sentence
      }
    }
  }
}

extension MigrationError: LocalizedError {
  /// The sentence, for Cocoa.
  public var errorDescription: String? { description }
}

// Cocoa needs more than the sentence of an error: a domain, which all errors of this library share, a code for each
// case, and a remedy. `StoreError` has the codes below 20.

#if canImport(Darwin)
  extension MigrationError: CustomNSError {}
#endif

extension MigrationError {
  /// As for `StoreError`.
  public static let errorDomain = StoreError.errorDomain
  /// As for `StoreError`.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 21, 23 and 31.
  public var errorCode: Int {
    switch self {
    case .accessGroupNeeded: 21
    case .accessGroupWithoutTeam: 23
    case .invalidPolicy: 31
    }
  }

  /// The remedy.
  public var recoverySuggestion: String? {
    switch self {
    case .accessGroupNeeded:
      "Name the group with its team prefix, as in "
        + ".items(store, accessGroup: \"ABCDE12345.com.microsoft.adalcache\")."
    case .accessGroupWithoutTeam(_, let suggestions):
      suggestions.isEmpty
        ? "Put the team's prefix before it, as in ABCDE12345.GROUP."
        : "Put the team's prefix before it; the cache suggests "
          + "\(suggestions.joined(separator: " or "))."
    case .invalidPolicy:
      "Correct the policy or the account map as the sentence says; nothing was read or written."
    }
  }
}
