// SPDX-License-Identifier: MIT
import ADALMigration
import KeychainItems

extension TokenCacheMigration.Target {
  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  ///
  /// - Parameters:
  ///   - store: the place of the document.
  ///   - reader: the library that will read the document. It determines the host of the entries in a new
  ///     document. A document that has entries keeps its host.
  public static func document(
    _ store: any DocumentStore, for reader: TokenCacheMigration.MSALLibrary? = nil
  )
    -> TokenCacheMigration.Target
  {
    Target(.document(store), .none, for: reader)
  }

  /// One cache document for each account, named by the home account id, as MSAL.NET names the caches of a web
  /// app.
  ///
  /// - Parameters:
  ///   - folder: the place of the documents.
  ///   - reader: as in ``document(_:for:)``.
  public static func folder(
    _ folder: any DocumentFolder, for reader: TokenCacheMigration.MSALLibrary? = nil
  )
    -> TokenCacheMigration.Target
  {
    Target(.folder(folder), .none, for: reader)
  }
}
