// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

// Cocoa needs more than the sentence of an error: a domain, which all errors of this library share, a code for each
// case, and a remedy. `StoreError` has the codes below 20.

extension MigrationError: CustomNSError {
  /// As for `StoreError`.
  public static let errorDomain = StoreError.errorDomain
  /// As for `StoreError`.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 21 and 23.
  public var errorCode: Int {
    switch self {
    case .accessGroupNeeded: 21
    case .accessGroupWithoutTeam: 23
    }
  }

  /// The remedy.
  public var recoverySuggestion: String? {
    switch self {
    case .accessGroupNeeded:
      "Name the group with its team prefix, as in "
        + "Target.items(store, accessGroup: \"ABCDE12345.com.microsoft.adalcache\")."
    case .accessGroupWithoutTeam(_, let suggestions):
      suggestions.isEmpty
        ? "Put the team's prefix before it, as in ABCDE12345.GROUP."
        : "Put the team's prefix before it; the cache suggests "
          + "\(suggestions.joined(separator: " or "))."
    }
  }
}

extension PolicyError: CustomNSError {
  /// As for `StoreError`.
  public static let errorDomain = StoreError.errorDomain
  /// As for `StoreError`.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }
  /// 31.
  public var errorCode: Int { 31 }
  /// The remedy.
  public var recoverySuggestion: String? {
    "Correct the policy or the account map as the sentence says; nothing was read or written."
  }
}
