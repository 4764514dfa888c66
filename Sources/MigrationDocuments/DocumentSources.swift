// SPDX-License-Identifier: MIT
import ADALCache
import ADALMigration
import Foundation
import KeychainItems

extension TokenCacheMigration.Source {
  /// The bytes that ADAL for .NET or Xamarin gave its app to store (`Serialize`, `SerializeAdalV3`), also after
  /// MSAL.NET used them, without encryption (other-adals).
  public static func dotNet(_ bytes: [UInt8], file: String? = nil) -> TokenCacheMigration.Source {
    Source(.dotNet(bytes), file: file)
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
    return Source(.list(bytes, localTime), file: file)
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go, or the list that ADAL.NET 4 and 5 wrote for
  /// MSAL.NET 2 beside their own cache.
  public static func document(_ bytes: [UInt8], file: String? = nil) -> TokenCacheMigration.Source {
    Source(.document(bytes), file: file)
  }
}
