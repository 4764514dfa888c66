// SPDX-License-Identifier: MIT

// The declarations of Apple's Security that SystemKeychain uses, so that the lines for Apple's systems can
// be type-checked where there are none. Types of Core Foundation are those that `as` converts to; nothing
// here does anything.

public typealias CFTypeRef = AnyObject
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias OSStatus = Int32

public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { -25300 }

public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { -34018 }

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { -25300 }

public final class SecTask {}

public func SecTaskCreateFromSelf(_ allocator: CFTypeRef?) -> SecTask? { nil }

public func SecTaskCopyValueForEntitlement(
  _ task: SecTask, _ entitlement: CFString, _ error: UnsafeMutablePointer<CFTypeRef?>?
) -> CFTypeRef? { nil }

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrAccessGroup: CFString = "agrp"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrService: CFString = "svce"
public let kSecAttrGeneric: CFString = "gena"
public let kSecAttrType: CFString = "type"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
public let kSecAttrLabel: CFString = "labl"
public let kSecAttrDescription: CFString = "desc"
public let kSecAttrComment: CFString = "icmt"
public let kSecAttrIsInvisible: CFString = "invi"
public let kSecAttrCreationDate: CFString = "cdat"
public let kSecAttrModificationDate: CFString = "mdat"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnAttributes: CFString = "r_Attributes"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitAll: CFString = "m_LimitAll"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
