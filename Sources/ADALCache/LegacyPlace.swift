// SPDX-License-Identifier: MIT
import KeychainItems

/// The place of an ADAL's row. Places sort in key order, byte by byte, keychain rows first.
package enum LegacyPlace: Sendable, Equatable {
  case keychain(KeychainKey)
  /// An entry of a macOS blob.
  case blob(BlobKey)
  /// An item archived alone (0), or at this position in the file store of 0.5-alpha.
  case archive(index: Int)
  /// A row of ADAL.NET's blob or of a list of ADAL for Python or Node.
  indirect case row(RowKey)

  /// The attributes that a keychain item is unique by, and when it was last changed.
  package struct KeychainKey: Sendable, Equatable {
    /// With its team prefix.
    package var accessGroup: String
    /// kSecAttrAccount; empty for none.
    package var account: String
    /// kSecAttrService; empty for none.
    package var service: String
    /// `mdat`, Unix seconds.
    package var modified: Double?

    package init(
      accessGroup: String, account: String, service: String, modified: Double? = nil
    ) {
      self.accessGroup = accessGroup
      self.account = account
      self.service = service
      self.modified = modified
    }
  }

  /// The two dictionary keys that lead to an entry of a macOS blob, as archived.
  package struct BlobKey: Sendable, Equatable {
    /// `""` when there is no user.
    package var user: String
    /// As ADAL canonicalised it.
    package var authority: String
    /// Nil for tokens that are good for several resources.
    package var resource: String?
    /// The client id, or `foci-` and a family id.
    package var client: String

    /// The key of an entry whose own key cannot be read or must not be shown.
    static let lost = BlobKey(user: "", authority: "", resource: nil, client: "")
  }

  /// The place of a row in a blob or list, with its key there. Unknown parts are empty.
  package struct RowKey: Sendable, Equatable {
    /// The keychain item that Xamarin keeps the blob in; nil for a blob or list alone.
    package var item: KeychainKey?
    /// The name of the user in the row; `""` without one.
    package var user: String
    /// The authority URL as written.
    package var authority: String
    /// The resource as written; nil without one.
    package var resource: String?
    /// The client id as written.
    package var client: String
    /// The row's position in the blob or list, from 0.
    package var index: Int

    package init(
      item: KeychainKey? = nil, user: String = "", authority: String = "", resource: String? = nil,
      client: String = "", index: Int
    ) {
      self.item = item
      self.user = user
      self.authority = authority
      self.resource = resource
      self.client = client
      self.index = index
    }
  }
}

extension LegacyPlace: Comparable {
  package static func < (a: LegacyPlace, b: LegacyPlace) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    for (left, right) in zip(a.parts, b.parts) {
      let order = left.compareBytes(right)
      if order != 0 { return order < 0 }
    }
    // The rows of an item come right after it, as if it were one of them.
    return a.position < b.position
  }

  private var rank: Int {
    switch self {
    case .keychain: 0
    case .row(let key): key.item == nil ? 3 : 0
    case .blob: 1
    case .archive: 2
    }
  }

  private var position: Int {
    switch self {
    case .keychain, .blob: -1
    case .archive(let index): index
    case .row(let key): key.index
    }
  }

  private var parts: [String] {
    switch self {
    case .keychain(let key): key.parts
    case .blob(let key): [key.user, key.authority, key.resource ?? "", key.client]
    case .archive: []
    case .row(let key):
      (key.item?.parts ?? []) + [key.user, key.authority, key.resource ?? "", key.client]
    }
  }
}

extension LegacyPlace.KeychainKey {
  init(_ item: borrowing KeychainItem) {
    self.init(
      accessGroup: item.accessGroup, account: item.account, service: item.service,
      modified: item.modified)
  }

  fileprivate var parts: [String] { [accessGroup, account, service] }
}
