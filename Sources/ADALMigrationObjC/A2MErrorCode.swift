// SPDX-License-Identifier: MIT
#if canImport(ObjectiveC)
  /// The code of an error in the domain `A2MMigration.errorDomain`.
  ///
  /// `localizedDescription` is one sentence, and `localizedRecoverySuggestion` is the remedy. 1 to 7 are the
  /// codes of `StoreError`, 21, 23 and 31 those of `MigrationError`, 41 and 42 those of
  /// `JournalError`.
  @objc(A2MErrorCode) public enum A2MErrorCode: Int, Sendable {
    /// The place does not contain a token cache. The description names its likely content.
    case notACache = 1
    /// The place does not exist or cannot be read.
    case unreadable = 2
    /// The place cannot be written; nothing was changed.
    case unwritable = 3
    /// Reading or writing failed half way; run it again.
    case interrupted = 4
    /// The device is locked: run again once it is unlocked, before the app offers a sign-in.
    case locked = 5
    /// There is no keychain on this system.
    case unavailable = 6
    /// The keychain denied access: the entitlement or the access group is missing.
    case refused = 7
    /// The rows have no access group, and none was named.
    case accessGroupNeeded = 21
    /// The access group has no team prefix.
    case accessGroupWithoutTeam = 23
    /// The policy cannot be used.
    case policy = 31
    /// The bytes are not a journal.
    case notAJournal = 41
    /// A journal is of another version.
    case otherVersion = 42
  }
#endif
