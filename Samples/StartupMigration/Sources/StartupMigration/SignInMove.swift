// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles

/// The one call: before the app makes its public client application, at every start.
enum SignInMove {
  /// The app's migration: the system's keychain on Apple's systems, elsewhere a snapshot of one.
  static func migration(snapshot: String?) -> Migration {
    if let snapshot {
      let store = SnapshotFile(path: snapshot)
      return Migration(from: .items(store), into: .items(store))
    }
    return Migration(from: .keychain(), into: .keychain())
  }

  /// Migrates, says who has to sign in again and why, and takes over what the app has saved.
  ///
  /// An error leaves everything usable: people whose sign-in is not moved are asked to sign in, and the
  /// next start tries again.
  static func run(_ migration: Migration, saved: SavedSignIns) async -> SavedSignIns {
    var saved = saved
    do {
      let report = try await migration.run { print("migration: \($0)") }
      // A code and a remedy have no name in them, so that a log may have them.
      for finding in report.findings where finding.severity == .error {
        print("migration: \(finding.reason.code): \(finding.remedy)")
      }
      saved.replaceUserIDs(with: report)
    } catch {
      print("migration: \(error)")
    }
    return saved
  }
}
