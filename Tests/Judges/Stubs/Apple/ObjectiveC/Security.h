// SPDX-License-Identifier: MIT
// The declarations of Security that Tests/Apple uses in Objective-C; nothing here does anything.
@import Foundation;

typedef const void *CFTypeRef;
typedef const struct __attribute__((objc_bridge(NSDictionary))) Dictionary *CFDictionaryRef;
typedef const struct __attribute__((objc_bridge(NSString))) String *CFStringRef;
typedef struct __attribute__((objc_bridge(id))) AccessControl *SecAccessControlRef;

enum { errSecSuccess = 0, errSecItemNotFound = -25300, errSecDuplicateItem = -25299 };
enum { kSecAccessControlUserPresence = 1 };

extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrAccount, kSecAttrService, kSecAttrAccessGroup;
extern const CFStringRef kSecAttrAccessControl, kSecValueData, kSecReturnAttributes;
extern const CFStringRef kSecAttrAccessibleWhenUnlockedThisDeviceOnly;

OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef *result);
OSStatus SecItemDelete(CFDictionaryRef query);
SecAccessControlRef SecAccessControlCreateWithFlags(CFTypeRef allocator, CFTypeRef protection, NSUInteger flags, void *error);
