// SPDX-License-Identifier: MIT
// BlobOnMac BLOB [ITEMS ACCESS-GROUP]
// Without an items file, into the system's keychain.
import ADALMigration
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard let blob = arguments.first, arguments.count == 1 || arguments.count == 3 else {
  print("usage: BlobOnMac BLOB [ITEMS ACCESS-GROUP]")
  exit(64)
}
let move = BlobMove(blob: URL(fileURLWithPath: blob))
let report =
  arguments.count == 3
  ? try await move.intoItems(at: arguments[1], accessGroup: arguments[2])
  : try await move.intoKeychain()
for account in report.accounts {
  print("\(account.userID ?? "(no name)"): \(account.signedIn.rawValue)")
}
