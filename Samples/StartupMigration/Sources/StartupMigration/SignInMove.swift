// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles

/// The one call: before the app makes its public client application, at every start.
enum SignInMove {
  /// How often a move waits for an unlocked device: a device can be locked again before the move has read.
  static let attempts = 3

  /// The app's migration: the system's keychain on Apple's systems, elsewhere a snapshot of one.
  static func migration(snapshot: String?) -> TokenCacheMigration {
    if let snapshot {
      let store = SnapshotFile(path: snapshot)
      return TokenCacheMigration(from: .items(store), into: .items(store))
    }
    return TokenCacheMigration()
  }

  /// Migrates, says who has to sign in again and why, and takes over what the app has saved.
  ///
  /// The system also starts apps in the background, while the device is locked and ADAL's rows may be
  /// unreadable. The process then lives on until the user opens the app, so the next start is too late. The
  /// move waits, and with it everything that asks for its result, such as the screen that offers a sign-in.
  ///
  /// Any other error leaves everything usable: users whose sign-in is not moved are asked to sign in, and the
  /// next start tries again.
  static func run(
    _ migration: TokenCacheMigration, saved: SavedSignIns,
    unlocked: @Sendable () async -> Void = ProtectedData.isAvailable
  ) async -> SavedSignIns {
    for _ in 0..<attempts {
      do {
        return try await run(migration, saved: saved)
      } catch StoreError.locked {
        print("migration: waits for an unlocked device")
        await unlocked()
      } catch {
        print("migration: \(error)")
        return saved
      }
    }
    return saved
  }

  private static func run(
    _ migration: TokenCacheMigration, saved: SavedSignIns
  ) async throws -> SavedSignIns {
    var saved = saved
    let report = try await migration.run { print("migration: \($0)") }
    // A code and a remedy have no name in them, so that a log may have them.
    for finding in report.findings where finding.severity == .error {
      print("migration: \(finding.reason.code): \(finding.remedy)")
    }
    saved.replaceUserIDs(with: report)
    return saved
  }
}
