// SPDX-License-Identifier: MIT

// Security's functions with a keychain behind them, in place of those of Stubs/Security.swift: whoever sets `keychain`
// answers. With them the lines for Apple's systems run where there is no keychain.

/// A call: the name of the function, and its query or attributes.
public typealias Question = (function: String, arguments: [String: Any])

nonisolated(unsafe) public var keychain: ((Question) -> (OSStatus, [[String: Any]])) = { _ in
  (errSecParam, [])
}

public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  let (status, items) = keychain(("copyMatching", query))
  // One item alone comes without an array.
  let isOne = (query["m_Limit"] as? String ?? "m_LimitOne") == "m_LimitOne"
  if status == errSecSuccess, query["r_Attributes"] != nil {
    result?.pointee = isOne ? items.first.map { $0 as AnyObject } : items as AnyObject
  }
  return status
}

public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  let (status, items) = keychain(("add", attributes))
  result?.pointee = items.first.map { $0 as AnyObject }
  return status
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { keychain(("delete", query)).0 }
