// SPDX-License-Identifier: MIT
import PlatformFoundation

#if canImport(Security)
  import Security
#endif

/// The calls of the keychain that are needed, with queries and attributes as dictionaries.
///
/// Tests put a model of the keychain in their place.
package struct KeychainCalls: Sendable {
  /// The system of the keychain.
  let system: KeychainSystem
  /// `SecItemCopyMatching`: the status, and each match's attributes.
  package var copyMatching: @Sendable ([String: Any]) -> (status: Int32, matches: [[String: Any]])
  /// `SecItemAdd`: the status, and the attributes that the item then has.
  package var add: @Sendable ([String: Any]) -> (status: Int32, added: [String: Any])
  /// `SecItemDelete`: the status.
  package var delete: @Sendable ([String: Any]) -> Int32

  /// The attributes of every call. On a Mac they select the data-protection keychain, which is MSAL's.
  var base: [String: any Sendable] {
    var base: [String: any Sendable] = [KeychainKey.itemClass: KeychainKey.genericPassword]
    if case .macOS = system { base[KeychainKey.dataProtection] = true }
    return base
  }

  /// Tells one keychain from another.
  final class Origin: Sendable {}

  let origin = Origin()

  package init(
    system: KeychainSystem = .iOS,
    copyMatching: @escaping @Sendable ([String: Any]) -> (status: Int32, matches: [[String: Any]]),
    add: @escaping @Sendable ([String: Any]) -> (status: Int32, added: [String: Any]),
    delete: @escaping @Sendable ([String: Any]) -> Int32
  ) {
    self.system = system
    self.copyMatching = copyMatching
    self.add = add
    self.delete = delete
  }

  #if canImport(Security)
    static let system: KeychainCalls? = KeychainCalls(
      system: .current,
      copyMatching: { query in
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        // With a limit of one it is that match, and no list.
        let one = (result as? [String: Any]).map { [$0] }
        return (status, one ?? result as? [[String: Any]] ?? [])
      },
      add: { attributes in
        var result: CFTypeRef?
        let status = SecItemAdd(attributes as CFDictionary, &result)
        return (status, result as? [String: Any] ?? [:])
      },
      delete: { query in SecItemDelete(query as CFDictionary) })
  #else
    static let system: KeychainCalls? = nil
  #endif
}

/// The keys of queries and attributes. Their values are the same everywhere; Security's own names are
/// used where they are.
enum KeychainKey {
  #if canImport(Security)
    static let itemClass = kSecClass as String
    static let genericPassword = kSecClassGenericPassword as String
    static let accessGroup = kSecAttrAccessGroup as String
    static let account = kSecAttrAccount as String
    static let service = kSecAttrService as String
    static let generic = kSecAttrGeneric as String
    static let type = kSecAttrType as String
    static let accessible = kSecAttrAccessible as String
    static let afterFirstUnlock = kSecAttrAccessibleAfterFirstUnlock as String
    static let afterFirstUnlockHere = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
    static let label = kSecAttrLabel as String
    static let description = kSecAttrDescription as String
    static let comment = kSecAttrComment as String
    static let isInvisible = kSecAttrIsInvisible as String
    static let created = kSecAttrCreationDate as String
    static let modified = kSecAttrModificationDate as String
    static let data = kSecValueData as String
    static let returnAttributes = kSecReturnAttributes as String
    static let returnData = kSecReturnData as String
    static let limit = kSecMatchLimit as String
    static let limitOne = kSecMatchLimitOne as String
    static let limitAll = kSecMatchLimitAll as String
    static let authenticationUI = kSecUseAuthenticationUI as String
    static let authenticationUISkip = kSecUseAuthenticationUISkip as String
    static let dataProtection = kSecUseDataProtectionKeychain as String
  #else
    static let itemClass = "class"
    static let genericPassword = "genp"
    static let accessGroup = "agrp"
    static let account = "acct"
    static let service = "svce"
    static let generic = "gena"
    static let type = "type"
    static let accessible = "pdmn"
    static let afterFirstUnlock = "ck"
    static let afterFirstUnlockHere = "cku"
    static let label = "labl"
    static let description = "desc"
    static let comment = "icmt"
    static let isInvisible = "invi"
    static let created = "cdat"
    static let modified = "mdat"
    static let data = "v_Data"
    static let returnAttributes = "r_Attributes"
    static let returnData = "r_Data"
    static let limit = "m_Limit"
    static let limitOne = "m_LimitOne"
    static let limitAll = "m_LimitAll"
    static let authenticationUI = "u_AuthUI"
    static let authenticationUISkip = "u_AuthUIS"
    static let dataProtection = "nleg"
  #endif

  // Security's names of these two are deprecated, while their values are still MSAL's.
  static let always = "dk"
  static let alwaysHere = "dku"
}
