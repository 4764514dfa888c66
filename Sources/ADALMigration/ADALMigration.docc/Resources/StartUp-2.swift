import ADALMigration

func prepareSignIn() async {
  let migration = TokenCacheMigration()
  do {
    _ = try await migration.run()
  } catch {
    // Existing entries are unchanged. The next start tries again.
  }
}
