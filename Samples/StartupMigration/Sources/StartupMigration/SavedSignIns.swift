// SPDX-License-Identifier: MIT
import ADALMigration

/// The app's record of its sign-ins: a user ID with ADAL, an account's identifier with MSAL.
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
