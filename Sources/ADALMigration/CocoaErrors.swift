// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems

// What Cocoa asks of errors beside their sentence: a domain, which is one for all, a code for each case, and what
// to do. `StoreError` has the codes below 20.

extension MigrationError: CustomNSError {
  /// The domain of all errors of this library.
  public static let errorDomain = StoreError.errorDomain
  /// What is wrong, and what to do.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 21 and 23.
  public var errorCode: Int {
    switch self {
    case .accessGroupNeeded: 21
    case .accessGroupWithoutTeam: 23
    }
  }

  /// What to do.
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
  /// The domain of all errors of this library.
  public static let errorDomain = StoreError.errorDomain
  /// What is wrong, and what to do.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }
  /// 31.
  public var errorCode: Int { 31 }
  /// What to do.
  public var recoverySuggestion: String? {
    "Correct the policy or the account map as the sentence says; nothing was read or written."
  }
}

extension JournalError: CustomNSError {
  /// The domain of all errors of this library.
  public static let errorDomain = StoreError.errorDomain
  /// What is wrong, and what to do.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 41 and 42.
  public var errorCode: Int {
    switch self {
    case .notAJournal: 41
    case .otherVersion: 42
    }
  }

  /// What to do.
  public var recoverySuggestion: String? {
    switch self {
    case .notAJournal: "Pass the journal that the migration wrote, unchanged."
    case .otherVersion: "Undo with the version of adal2msal that wrote the journal, or a newer one."
    }
  }
}
