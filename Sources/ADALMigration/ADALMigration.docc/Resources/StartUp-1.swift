import ADALMigration

func prepareSignIn() async {
}
