// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

// A folder with one document for each account, as the caches of web apps are kept (other-adals §8.4). Each
// document is a cache of its own; its access group, as it were, is its name, which no other account has.

extension Inventory {
  /// Gives each row to its account's document; rows without an account stay in none, whose name is
  /// empty.
  ///
  /// Whose a row is follows from the sources alone, so that what one document holds cannot move a row into
  /// another one.
  ///
  /// - Parameter documents: what documents are, where that is known.
  /// - Throws: what the stores throw; `StoreError.notACache` when a document is none.
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

  /// The name for a home account id: with what no file name may have as `%` and two digits, and a digest in
  /// the place of one that is too long.
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
