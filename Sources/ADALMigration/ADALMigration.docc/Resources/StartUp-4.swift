import ADALMigration

func prepareSignIn(replaceSaved: (_ userID: String, _ identifier: String) -> Void) async {
  let migration = Migration(from: .keychain(), into: .keychain())
  do {
    let report = try await migration.run { event in
      print("migration: \(event)")
    }
    for account in report.accounts where account.signedIn == .yes {
      if let userID = account.userID, let identifier = account.homeAccountID {
        replaceSaved(userID, identifier)
      }
    }
  } catch {
    // Existing entries are unchanged. The next start tries again.
  }
}
