// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache

// What Cocoa asks of errors beside their sentence: a domain, which is one for all, a code for each case, and what
// to do. `StoreError` has the codes below 20.

extension MigrationError: CustomNSError {
  /// The domain of all errors of this library.
  public static let errorDomain = StoreError.errorDomain
  /// What is wrong, and what to do.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 21 to 23.
  public var errorCode: Int {
    switch self {
    case .accessGroupNeeded: 21
    case .nothingMatches: 22
    case .accessGroupWithoutTeam: 23
    }
  }

  /// What to do.
  public var recoverySuggestion: String? {
    switch self {
    case .accessGroupNeeded:
      "Name the group with its team prefix, as in "
        + "Target.items(store, accessGroup: \"ABCDE12345.com.microsoft.adalcache\")."
    case .nothingMatches:
      "Correct the filter, or leave it out to take everything."
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
    case .notAJournal: "Hand over the journal that the migration wrote, unchanged."
    case .otherVersion: "Undo with the version of adal2msal that wrote the journal, or a newer one."
    }
  }
}

extension CacheDocumentError: LocalizedError, CustomNSError {
  /// The domain of all errors of this library.
  public static let errorDomain = StoreError.errorDomain
  /// What is wrong, and what to do.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 51 to 56.
  public var errorCode: Int {
    switch code {
    case .notUTF8: 51
    case .trailingComma: 52
    case .duplicateKey: 53
    case .notJSON: 54
    case .notAnObject: 55
    case .sectionNotAnObject: 56
    }
  }

  /// The sentence, for Cocoa.
  public var errorDescription: String? { description }

  /// What to do.
  public var recoverySuggestion: String? {
    switch code {
    case .notUTF8: "Convert the document to UTF-8."
    case .trailingComma: "Remove the comma: only MSAL.NET reads such a document."
    case .duplicateKey: "Let MSAL write the document anew, so that each key is there once."
    case .notJSON, .notAnObject:
      "Hand over the document that MSAL itself wrote, whole and unprotected."
    case .sectionNotAnObject:
      "Remove the section that is no object, or let MSAL write the document anew."
    }
  }
}
