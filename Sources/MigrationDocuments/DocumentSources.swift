// SPDX-License-Identifier: MIT
import ADALCache
import ADALMigration
import Foundation
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
  ///   - timeZone: the zone of the machine that wrote the list, because Python's times have none.
  ///   - file: the name of the file in reports; nil for none.
  public static func list(
    _ bytes: [UInt8], timeZone: TimeZone = .current, file: String? = nil
  ) -> TokenCacheMigration.Source {
    let localTime = LocalTime {
      timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: $0))
    }
    return Source(
      .tokens(bytes) {
        let list = try TokenList($0, localTime: localTime)
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
