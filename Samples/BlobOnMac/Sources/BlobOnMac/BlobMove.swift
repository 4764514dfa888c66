// SPDX-License-Identifier: MIT
import ADALMigration
import CacheFiles
import Foundation

/// The file in which the app kept what ADAL for macOS handed it, `ADTokenCacheDelegate` after delegate
/// call: ADAL stored nothing by itself.
struct BlobMove {
  let blob: URL

  /// Moves the blob's sign-ins into MSAL's keychain group. The blob stays as it is.
  func intoKeychain() async throws -> TokenCacheMigration.Report {
    try await run(into: .keychain())
  }

  /// Moves them into an items file, to look at on a machine without a keychain.
  func intoItems(at path: String, accessGroup: String) async throws -> TokenCacheMigration.Report {
    let items = ItemFile(path: path, missing: .isEmpty)
    return try await run(into: .items(items, accessGroup: accessGroup))
  }

  private func run(into target: TokenCacheMigration.Target) async throws
    -> TokenCacheMigration.Report
  {
    let bytes = [UInt8](try Data(contentsOf: blob))
    return try await TokenCacheMigration(from: .blob(bytes), into: target).run()
  }
}
