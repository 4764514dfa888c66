// SPDX-License-Identifier: MIT
import ADALMigration
import PlatformFoundation
import KeychainItems
import MSALCache

package typealias Journal = TokenCacheMigration.Journal
package typealias JournalError = TokenCacheMigration.JournalError

extension TokenCacheMigration {
  /// The record of the entries that a run added: keys and hashes, no secrets.
  ///
  /// With it, `undo(in:)` removes the unchanged entries, for example after a wrong account map.
  public struct Journal: Sendable, Hashable, Codable {
    /// One added item or entry.
    public struct Entry: Sendable, Hashable, Codable {
      /// For an item: the access group, with its team prefix.
      public var agrp: String?
      /// For an item: its account.
      public var acct: String?
      /// For an item: its service.
      public var svce: String?
      /// For an entry in a folder of documents: the name of its document.
      public var document: String?
      /// For a document's entry: its section.
      public var section: String?
      /// For a document's entry: its key there.
      public var key: String?
      /// The SHA-256 of the content, in 64 hexadecimal digits.
      public var sha256: String
    }

    private var format = Self.name
    private var version = 1
    /// In the order in which they were added.
    public private(set) var entries: [Entry] = []

    private static let name = "adal2msal-journal"

    package init() {}

    /// The journal in a file.
    ///
    /// - Throws: ``JournalError`` if the bytes are not a journal, or one of another version.
    public init(json: [UInt8]) throws {
      do {
        self = try JSONDecoder().decode(Journal.self, from: Data(json))
      } catch {
        throw JournalError.notAJournal
      }
      guard format == Self.name else { throw JournalError.notAJournal }
      guard version == 1 else { throw JournalError.otherVersion(version) }
      guard entries.lazy.compactMap(\.document).allSatisfy(PersonalDocument.isName) else {
        throw JournalError.notAJournal
      }
    }

    /// The file: sorted keys, indented, ending in a line break.
    public var json: [UInt8] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(self) else {
        preconditionFailure("a journal consists of strings, which JSON has")
      }
      return Array(data) + [UInt8(ascii: "\n")]
    }

    mutating func add(_ others: some Sequence<Entry>) { entries += others }

    /// The parts that identify an item. A keychain sets dates and accessibility as it likes.
    static func digest(of item: KeychainItem) -> String {
      // Reveal: only to hash it.
      let parts = [item.generic, item.type.map { Array("\($0)".utf8) }, item.data?.reveal()]
      let bytes = parts.flatMap { part -> [UInt8] in
        Array("\(part?.count ?? -1):".utf8) + (part ?? [])
      }
      return SHA256Digits.text(of: bytes)
    }
  }
}

extension Journal.Entry {
  init(_ item: KeychainItem) {
    self.init(
      agrp: item.accessGroup, acct: item.account, svce: item.service,
      sha256: Journal.digest(of: item))
  }

  /// - Parameter document: the name of the document in its folder; nil for one that is in none.
  init(_ object: DocumentObject, in document: String?) {
    self.init(
      document: document, section: object.section.rawValue, key: object.key, sha256: object.digest)
  }
}

extension TokenCacheMigration {
  /// An error of a journal that cannot be used.
  public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// It is something else.
    case notAJournal
    /// It is one of a version that is not known.
    case otherVersion(Int)

    /// The reason, as the rest of a sentence.
    public var description: String {
      switch self {
      case .notAJournal: "it is not the journal of a migration"
      case .otherVersion(let version):
        "it is a journal of version \(version); this program does not know that version"
      }
    }

    /// The same, for an app's own messages.
    public var errorDescription: String? { description }
  }
}

#if canImport(Darwin)
  extension JournalError: CustomNSError {}
#endif

extension JournalError {
  /// As for `StoreError`.
  public static let errorDomain = StoreError.errorDomain
  /// As for `StoreError`.
  public var errorUserInfo: [String: Any] { StoreError.userInfo(of: self) }

  /// 41 and 42.
  public var errorCode: Int {
    switch self {
    case .notAJournal: 41
    case .otherVersion: 42
    }
  }

  /// The remedy.
  public var recoverySuggestion: String? {
    switch self {
    case .notAJournal: "Pass the journal that the migration wrote, unchanged."
    case .otherVersion: "Undo with the version of adal2msal that wrote the journal, or a newer one."
    }
  }
}
