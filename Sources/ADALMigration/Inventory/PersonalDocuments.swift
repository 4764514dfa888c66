// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// A folder with one document for each account, like the caches of web apps (other-adals §8.4). Each document is a
// separate cache. Its name, which is unique to the account, takes the role of an access group.

extension Inventory {
  /// Assigns each row to its account's document. A row without an account belongs to no document, and its group is
  /// empty.
  ///
  /// The sources alone decide the account of a row, so the content of one document cannot move a row into another
  /// document.
  ///
  /// - Parameter documents: the current bytes of the documents, as far as they are known.
  /// - Throws: the errors of the stores; `StoreError.notACache` if a document is not a cache.
  mutating func distribute(
    among folder: any DocumentFolder, for reader: MSALLibrary?, _ policy: Policy,
    _ documents: [String: [UInt8]]
  ) throws {
    target.isDistributed = true
    let table = RowTable(self, [], policy)
    rows = rows.map { row in
      switch row.content {
      case .legacy:
        row.moved(
          to: PersonalDocument.name(
            of: table[row.number].flatMap { table.answer(for: $0).homeAccountID }))
      case .unified(let unified):
        row.moved(
          to: PersonalDocument.name(
            of: unified.record?.homeAccountID.flatMap { HomeAccountID($0) }))
      case .unreadable: row
      }
    }
    metadata = metadata.flatMap { entry in
      entry.metadata.accounts.keys.map { home in
        (PersonalDocument.name(of: HomeAccountID(home.text)), entry.metadata.keeping(home))
      }
    }
    let reader = reader ?? Self.reader(of: rows.lazy.map(\.content))
    for group in Set(rows.map(\.group)) where !group.isEmpty {
      let store = folder.document(named: group)
      try open(store, as: group, for: reader, documents[group])
    }
  }
}

extension AccountMetadata {
  /// The metadata of one account alone.
  fileprivate func keeping(_ home: ExactText) -> AccountMetadata {
    var metadata = self
    metadata.accounts = accounts.filter { $0.key == home }
    return metadata
  }
}

/// The name of an account's document: the home account id, which is the key that MSAL.NET gives a web app for
/// it (`Cache/CacheKeyFactory.cs`).
package enum PersonalDocument {
  /// The longest name that is written as it is. File systems take 255 bytes, and a lock and a temporary file
  /// have longer ones.
  private static let longest = 160

  /// The name for an account; empty for none.
  static func name(of account: HomeAccountID?) -> String {
    account.map { name(of: $0.description) } ?? ""
  }

  /// The name for a home account ID. Characters that a file name cannot have become `%` and two digits. A digest
  /// replaces a name that is too long.
  static func name(of homeAccountID: String) -> String {
    var name = ""
    for byte in homeAccountID.utf8 {
      let isPlain =
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        case UInt8(ascii: "."): !name.isEmpty
        default: false
        }
      let digits = String(byte, radix: 16)
      name += isPlain ? String(Unicode.Scalar(byte)) : (byte < 16 ? "%0" : "%") + digits
    }
    return name.utf8.count <= longest ? name : SHA256Digits.text(of: Array(homeAccountID.utf8))
  }

  /// Whether a text that comes from elsewhere can be such a name, which leads out of no folder.
  package static func isName(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "%"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty && !text.hasPrefix(".") && text.utf8.count <= longest
  }
}
