// SPDX-License-Identifier: MIT
import ADALCache
import ADALMigration
import PlatformFoundation
import KeychainItems
import MSALCache

extension TokenCacheMigration.Source {
  /// The bytes that ADAL for .NET or Xamarin gave its app to store (`Serialize`, `SerializeAdalV3`), also after
  /// MSAL.NET used them, without encryption (other-adals).
  public static func dotNet(_ bytes: [UInt8], file: String? = nil) -> TokenCacheMigration.Source {
    Source(
      .tokens(bytes) {
        let blob = try DotNetBlob($0)
        return (blob.tokens, blob.unreadable)
      }, file: file)
  }

  /// A list of ADAL for Python or Node, or `accessTokens.json` of Azure CLI.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - timeZone: the zone of the machine that wrote the list, because Python's times have none; nil for this
  ///     machine's.
  ///   - file: the name of the file in reports; nil for none.
  public static func list(
    _ bytes: [UInt8], timeZone: TimeZone? = nil, file: String? = nil
  ) -> TokenCacheMigration.Source {
    let localTime = timeZone.map { zone in
      LocalTime { zone.secondsFromGMT(for: Date(timeIntervalSince1970: $0)) }
    }
    return Source(
      .tokens(bytes) {
        let list = try TokenList($0, localTime: localTime ?? .ofThisMachine)
        return (list.tokens, list.unreadable)
      }, file: file)
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go, or the list that ADAL.NET 4 and 5 wrote for
  /// MSAL.NET 2 beside their own cache.
  public static func document(_ bytes: [UInt8], file: String? = nil) -> TokenCacheMigration.Source {
    Source(
      .document(bytes) {
        CacheDocument.isUnifiedList($0)
          ? try CacheDocument(unifiedList: $0) : try CacheDocument($0)
      }, file: file)
  }
}

extension TokenCacheMigration.Target {
  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  ///
  /// - Parameters:
  ///   - store: the place of the document.
  ///   - reader: the library that will read the document. It determines the keys of tokens, and the host of the
  ///     entries in a new document. A document that has entries keeps its host, and keys of Node or Go.
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

extension TokenCacheMigration.Report.Entry {
  /// The name of the document that the row's content is in, where each account has its own; nil elsewhere.
  public var document: String? { documentName }
}
