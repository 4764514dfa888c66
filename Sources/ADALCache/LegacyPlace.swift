// SPDX-License-Identifier: MIT

/// Where a row of ADAL's was found. Places sort in key order, byte by byte, keychain rows first.
public enum LegacyPlace: Sendable, Hashable {
  /// A keychain item.
  case keychain(KeychainKey)
  /// An entry of a macOS blob.
  case blob(BlobKey)
  /// An item archived alone (0), or at this position in the file store of 0.5-alpha.
  case archive(index: Int)

  /// The attributes that a keychain item is unique by, and when it was last changed.
  public struct KeychainKey: Sendable, Hashable {
    /// With its team prefix.
    public var accessGroup: String
    /// kSecAttrAccount; empty for none.
    public var account: String
    /// kSecAttrService; empty for none.
    public var service: String
    /// `mdat`, Unix seconds.
    public var modified: Double?

    /// A key of these attributes.
    public init(
      accessGroup: String, account: String, service: String, modified: Double? = nil
    ) {
      self.accessGroup = accessGroup
      self.account = account
      self.service = service
      self.modified = modified
    }
  }

  /// The two dictionary keys that lead to an entry of a macOS blob, as archived.
  public struct BlobKey: Sendable, Hashable {
    /// `""` when there is no user.
    public var user: String
    /// As ADAL canonicalised it.
    public var authority: String
    /// Nil for tokens that are good for several resources.
    public var resource: String?
    /// The client id, or `foci-` and a family id.
    public var client: String

    /// A key with these parts.
    public init(user: String, authority: String, resource: String?, client: String) {
      self.user = user
      self.authority = authority
      self.resource = resource
      self.client = client
    }
  }
}

extension LegacyPlace: Comparable {
  public static func < (a: LegacyPlace, b: LegacyPlace) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    for (left, right) in zip(a.parts, b.parts) where !left.elementsEqual(right) {
      return left.lexicographicallyPrecedes(right)
    }
    return false
  }

  private var rank: Int {
    switch self {
    case .keychain: 0
    case .blob: 1
    case .archive(let index): 2 + max(0, min(index, Int.max - 2))
    }
  }

  private var parts: [String.UTF8View] {
    switch self {
    case .keychain(let key): [key.accessGroup.utf8, key.account.utf8, key.service.utf8]
    case .blob(let key):
      [key.user.utf8, key.authority.utf8, (key.resource ?? "").utf8, key.client.utf8]
    case .archive: []
    }
  }
}
