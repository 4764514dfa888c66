// SPDX-License-Identifier: MIT

// The parts of Security that Tests/Apple uses beside those of the library. They do nothing.

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308

public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

public final class SecAccessControl {}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1)
}

public func SecAccessControlCreateWithFlags(
  _ allocator: CFTypeRef?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<CFTypeRef?>?
) -> SecAccessControl? { SecAccessControl() }

public func SecAccessControlCreateWithFlags(
  _ allocator: CFTypeRef?, _ protection: CFString, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<CFTypeRef?>?
) -> SecAccessControl? { SecAccessControl() }
