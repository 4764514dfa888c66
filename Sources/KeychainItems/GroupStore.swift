// SPDX-License-Identifier: MIT

/// A store of one access group that completes the group's name, such as the system's keychain.
///
/// A migration reads and writes every other store by ``ItemStore`` alone.
package protocol GroupStore: ItemStore {
  /// The access group as the caller named it, with or without its team prefix.
  var accessGroup: String { get }

  func with(accessGroup: String) -> Self

  /// The access group with its team prefix; nil while nothing in the store tells the prefix.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  func prefixedAccessGroup() throws -> String?

  /// The access group with its team prefix. Where nothing in the store tells the prefix, an item is added
  /// that does, as MSAL adds it too.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read or written.
  func learnAccessGroup() throws -> String

  /// The items with this account and service in every group that the program may use, in the order of their
  /// keys.
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  func items(account: String, service: String) throws -> [KeychainItem]

  /// The items of the group with the given name and no team prefix; nil if the name has a prefix, or if the program may
  /// not use such a group.
  ///
  /// Only the groups that apps share by App Groups have such names. ADAL before 2.1 took a name of an app as it
  /// was, while later ADALs and MSAL put the team before every name (D46).
  ///
  /// - Throws: ``StoreError`` when the store cannot be read.
  func itemsOfUnprefixedGroup() throws -> [KeychainItem]?
}

extension SystemKeychain: GroupStore {}

extension ItemStore {
  /// This store as one of an access group; nil for others. A type is named here: a question for the protocol would make
  /// the runtime look through all conformances of the program, at every start and for each kind of store.
  package var asGroup: (any GroupStore)? { self as? SystemKeychain }
}
