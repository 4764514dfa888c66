// SPDX-License-Identifier: MIT
import KeychainItems

/// Where a migration reads.
public struct Source: Sendable {
  enum Content: Sendable {
    case items(any ItemStore)
    case blob([UInt8])
    case document([UInt8])
  }

  let content: Content
  /// The name of the file for reports; nil where there is none.
  let file: String?

  /// The keychain items of a store. It is only read.
  public static func items(_ store: any ItemStore, file: String? = nil) -> Source {
    Source(content: .items(store), file: file)
  }

  /// The system's keychain.
  ///
  /// - Parameter group: the access group, with or without its team prefix; nil for the one that ADAL and
  ///   MSAL share by default.
  public static func keychain(group: String? = nil) -> Source {
    .items(SystemKeychain(accessGroup: group))
  }

  /// What ADAL for macOS gave its app to keep, the file of a 0.5 preview, or one archived item.
  public static func blob(_ bytes: [UInt8], file: String? = nil) -> Source {
    Source(content: .blob(bytes), file: file)
  }

  /// The cache document of MSAL for Python, .NET, Java, Node or Go.
  public static func document(_ bytes: [UInt8], file: String? = nil) -> Source {
    Source(content: .document(bytes), file: file)
  }
}
