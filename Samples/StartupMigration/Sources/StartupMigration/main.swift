// SPDX-License-Identifier: MIT
// The app, without its windows: StartupMigration [SNAPSHOT] USER-ID...
// Without a snapshot the system's keychain is migrated. Ends with 1 if a user must sign in.
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
let snapshot = arguments.first?.hasSuffix(".sqlite") ?? false ? arguments.removeFirst() : nil
let before = SavedSignIns(
  identifiers: .init(uniqueKeysWithValues: Set(arguments).map { ($0, nil) }))

let after = await SignInMove.run(SignInMove.migration(snapshot: snapshot), saved: before)
for (userID, identifier) in after.identifiers.sorted(by: { $0.key < $1.key }) {
  print("\(userID): \(identifier ?? "must sign in")")
}
exit(after.identifiers.values.contains(nil) ? 1 : 0)
