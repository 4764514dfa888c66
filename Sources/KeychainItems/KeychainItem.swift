// SPDX-License-Identifier: MIT

/// One generic-password item, with the attributes that ADAL and MSAL use.
///
/// The attributes are named by the keychain's own four-letter names (contract §3). An absent
/// account, service or access group is the empty string, as the keychain treats it in its key.
public struct KeychainItem: Sendable, Hashable {
  /// The unique key of a generic password. Keys sort by group, account and service, byte by byte.
  public struct Key: Sendable, Hashable, Comparable {
    /// With its team prefix.
    public var accessGroup: String
    /// `kSecAttrAccount`; empty for none.
    public var account: String
    /// `kSecAttrService`; empty for none.
    public var service: String

    /// A key of these three.
    public init(accessGroup: String, account: String, service: String) {
      self.accessGroup = accessGroup
      self.account = account
      self.service = service
    }

    // The keychain compares bytes, while Swift's strings are equal when Unicode calls them equivalent.
    public static func == (a: Key, b: Key) -> Bool {
      a.service.compareBytes(b.service) == 0 && a.account.compareBytes(b.account) == 0
        && a.accessGroup.compareBytes(b.accessGroup) == 0
    }

    public static func < (a: Key, b: Key) -> Bool { a.compare(b) < 0 }

    /// Negative when the key sorts before another, 0 when both are the same.
    package func compare(_ other: Key) -> Int {
      let groups = accessGroup.compareBytes(other.accessGroup)
      if groups != 0 { return groups }
      let accounts = account.compareBytes(other.account)
      return accounts != 0 ? accounts : service.compareBytes(other.service)
    }

    public func hash(into hasher: inout Hasher) {
      accessGroup.hashBytes(into: &hasher)
      account.hashBytes(into: &hasher)
      service.hashBytes(into: &hasher)
    }
  }

  /// `agrp`: the access group, with its team prefix.
  public var accessGroup: String
  /// `acct`: kSecAttrAccount.
  public var account: String
  /// `svce`: kSecAttrService.
  public var service: String
  /// `gena`: kSecAttrGeneric.
  public var generic: [UInt8]?
  /// `type`: kSecAttrType.
  public var type: Int?
  /// `pdmn`: the accessibility as the keychain abbreviates it, such as `cku`.
  public var accessibility: String?
  /// `labl`: kSecAttrLabel.
  public var label: String?
  /// `desc`: kSecAttrDescription.
  public var itemDescription: String?
  /// `icmt`: kSecAttrComment.
  public var comment: String?
  /// `invi`: kSecAttrIsInvisible.
  public var isInvisible: Bool?
  /// `cdat`: when the item was made, in Unix seconds.
  public var created: Double?
  /// `mdat`: when the item was last changed, in Unix seconds.
  public var modified: Double?
  /// `data`: kSecValueData.
  public var data: TokenSecret?

  /// An item with these attributes; the others are absent.
  public init(
    accessGroup: String = "", account: String = "", service: String = "",
    generic: [UInt8]? = nil, type: Int? = nil, accessibility: String? = nil,
    label: String? = nil, itemDescription: String? = nil, comment: String? = nil,
    isInvisible: Bool? = nil, created: Double? = nil, modified: Double? = nil,
    data: TokenSecret? = nil
  ) {
    self.accessGroup = accessGroup
    self.account = account
    self.service = service
    self.generic = generic
    self.type = type
    self.accessibility = accessibility
    self.label = label
    self.itemDescription = itemDescription
    self.comment = comment
    self.isInvisible = isInvisible
    self.created = created
    self.modified = modified
    self.data = data
  }

  /// The key of the item.
  public var key: Key { Key(accessGroup: accessGroup, account: account, service: service) }
}
