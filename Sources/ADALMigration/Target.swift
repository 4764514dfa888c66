// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

extension TokenCacheMigration {
  /// A place to which a migration adds entries.
  public struct Target: Sendable {
    package enum Content: Sendable {
      case items(any ItemStore)
      case document(any DocumentStore)
      case folder(any DocumentFolder)
    }

    package let content: Content
    package let groups: AccessGroups
    /// The library that will read a document, if the caller named it.
    let reader: MSALLibrary?

    package init(_ content: Content, _ groups: AccessGroups, for reader: MSALLibrary? = nil) {
      self.content = content
      self.groups = groups
      self.reader = reader
    }

    /// The same target with another store.
    package func with(_ content: Content) -> Target { Target(content, groups, for: reader) }

    /// Keychain items in a store.
    ///
    /// - Parameters:
    ///   - store: the place of the items.
    ///   - accessGroup: the group of all entries, with its team prefix (default: the group of the source row,
    ///     and that of the system's keychain). Required if rows have no group.
    public static func items(_ store: any ItemStore, accessGroup: String? = nil) -> Target {
      let own = store.asGroup.map { AccessGroups.ofStore($0) }
      return Target(.items(store), accessGroup.map { .one($0) } ?? own ?? .ofRows)
    }

    /// One access group of the system's keychain, for all entries.
    ///
    /// - Parameter group: as in ``Source/keychain(group:)``.
    public static func keychain(group: String? = nil) -> Target {
      items(SystemKeychain(accessGroup: group))
    }

    var form: CacheForm {
      switch content {
      case .items: .keychainItems
      case .document, .folder: .document
      }
    }

    /// The severity of a filter that matches nothing. In a keychain that an app shares with other apps, this happens at
    /// every start until a user signs in to the app, and no sign-in is lost.
    var severityOfUnmatchedFilters: Reason.Severity {
      if case .ofStore = groups { .warning } else { .error }
    }

    /// Rethrows a failure to open the target as a failure to write it.
    package static func opening<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as StoreError where error.code == .unreadable {
        throw StoreError(.unwritable, error.message)
      }
    }

    /// The same for one of several documents. If some are already written when it fails, the message must not claim
    /// that nothing was changed.
    static func opening<Result>(
      after written: Int, of count: Int, _ body: () throws -> Result
    ) throws -> Result {
      do {
        return try opening(body)
      } catch let error as StoreError where written > 0 {
        let verb = written == 1 ? "was" : "were"
        throw StoreError(
          error.code == .unwritable ? .interrupted : error.code,
          "\(error.message); \(written) of \(count) documents \(verb) written before, so run again")
      }
    }
  }
}

extension TokenCacheMigration {
  /// An MSAL library whose cache is the portable document. The raw value is the value of `--for`.
  public enum MSALLibrary: String, CaseIterable, Sendable {
    case python, net, java, node, go

    /// The host under which the library looks for the entries of a cloud first.
    ///
    /// MSAL for Python lists the accounts of the host that an app signs in with. It lists the accounts of aliases only
    /// if that host has none (msal/application.py, get_accounts). The others write the cache's host themselves, and
    /// read all aliases.
    func host(of cloud: Cloud) -> String {
      switch self {
      case .python: cloud.preferredNetwork
      case .net, .java, .node, .go: cloud.preferredCache
      }
    }

    /// The form of the library's keys for tokens.
    var documentKeys: MSALEntry.DocumentKeys {
      switch self {
      case .node: .node
      case .go: .go
      case .python, .net, .java: .common
      }
    }
  }
}

/// The form in which a target keeps MSAL's entries.
enum CacheForm: Sendable {
  case keychainItems, document
}
