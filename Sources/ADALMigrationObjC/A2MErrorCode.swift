// SPDX-License-Identifier: MIT
#if canImport(ObjectiveC)
  /// What went wrong, in the domain `A2MMigration.errorDomain`. `localizedDescription` says it in a sentence,
  /// `localizedRecoverySuggestion` what to do.
  @objc(A2MErrorCode) public enum A2MErrorCode: Int, Sendable {
    /// What is there is not a token cache; the description says what it looks like.
    case notACache = 1
    /// The place does not exist or cannot be read.
    case unreadable = 2
    /// The place cannot be written; nothing was changed.
    case unwritable = 3
    /// It failed half way; run it again.
    case interrupted = 4
    /// The device is locked: run again once it is unlocked, before a sign-in is offered.
    case locked = 5
    /// There is no keychain on this system.
    case unavailable = 6
    /// The keychain refuses: entitlement or access group missing.
    case refused = 7
    /// Nothing says into which access group to write.
    case accessGroupNeeded = 21
    /// The access group has no team prefix.
    case accessGroupWithoutTeam = 23
    /// The policy cannot be used.
    case policy = 31
    /// A journal is none.
    case notAJournal = 41
    /// A journal is of another version.
    case otherVersion = 42
  }
#endif
