// SPDX-License-Identifier: MIT
import ADALMigration

/// What the app remembers of who is signed in: with ADAL a user id, with MSAL an account's identifier.
struct SavedSignIns: Codable, Equatable {
  /// Identifiers by user id; nil where the app still knows ADAL's user id alone.
  var identifiers: [String: String?]

  /// Takes over MSAL's identifiers for the user ids that the app has saved.
  mutating func replaceUserIDs(with report: TokenCacheMigration.Report) {
    for userID in identifiers.keys {
      if let identifier = report.account(forADALUserID: userID)?.identifier {
        identifiers[userID] = identifier
      }
    }
  }
}
