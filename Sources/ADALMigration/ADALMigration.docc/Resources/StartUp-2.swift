import ADALMigration

func prepareSignIn() async {
  let migration = Migration(from: .keychain(), into: .keychain())
  do {
    _ = try await migration.run()
  } catch {
    // What is there is unchanged; the next start tries again.
  }
}
