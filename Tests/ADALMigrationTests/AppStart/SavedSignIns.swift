// SPDX-License-Identifier: MIT
import ADALMigration

/// What the app remembers of who is signed in: with ADAL a user id, with MSAL an account's identifier.
struct SavedSignIns: Codable, Equatable {
  /// Identifiers by user id; nil where the app still knows ADAL's user id alone.
  var identifiers: [String: String?]

  /// Takes over MSAL's identifiers for the user ids that the app has saved.
  mutating func replaceUserIDs(with report: Report) {
    for account in report.accounts where account.signedIn == .yes {
      guard let userID = account.userID, let identifier = account.homeAccountID else { continue }
      for saved in identifiers.keys where saved.lowercased() == userID.lowercased() {
        identifiers[saved] = identifier
      }
    }
  }
}
