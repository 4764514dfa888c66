import ADALMigration

func prepareSignIn() async {
  let migration = Migration(from: .keychain(), into: .keychain())
  do {
    _ = try await migration.run()
  } catch {
    // Existing entries are unchanged. The next start tries again.
  }
}
