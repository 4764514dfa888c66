// SPDX-License-Identifier: MIT
import ADALMigration
import Foundation

/// The migration for Objective-C: MSAL's account identifiers by ADAL's user ids.
@objc(SignInMove) public final class SignInMove: NSObject {
  /// Runs off the main thread and answers on it, with an error where nothing could be read or written.
  @objc(runWithCompletion:)
  public static func run(completion: @escaping @Sendable ([String: String], Error?) -> Void) {
    Task { @MainActor in
      do {
        var identifiers: [String: String] = [:]
        for account in try await Migration(from: .keychain(), into: .keychain()).run().accounts {
          identifiers[account.userID ?? ""] = account.signedIn == .yes ? account.homeAccountID : nil
        }
        completion(identifiers, nil)
      } catch {
        completion([:], error)
      }
    }
  }
}
