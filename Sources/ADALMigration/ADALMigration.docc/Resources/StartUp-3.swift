import ADALMigration

func prepareSignIn(_ settings: Settings) async {
  let migration = TokenCacheMigration()
  do {
    let report = try await migration.run()
    let account = report.account(forADALUserID: settings.userID)
    settings.accountIdentifier = account?.identifier
  } catch {
    // Existing entries are unchanged. The next start tries again.
  }
}
