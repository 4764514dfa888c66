// SPDX-License-Identifier: MIT
import PlatformFoundation

#if canImport(Security) && os(macOS)
  import Security
#endif

/// Apple's systems. Their keychains tell a program's team in different ways.
package enum KeychainSystem: Sendable {
  case iOS, simulator, catalyst
  /// macOS, with the access groups in the program's entitlements, the default one first. A program without entitlements
  /// has none.
  case macOS(accessGroups: @Sendable () -> [String])

  /// The system that this program was compiled for.
  static var current: KeychainSystem {
    #if os(macOS)
      .macOS { entitledGroups() }
    #elseif targetEnvironment(macCatalyst)
      .catalyst
    #elseif targetEnvironment(simulator)
      .simulator
    #else
      .iOS
    #endif
  }

  /// The accessibility of the hint that tells the team: MSAL's own, so that MSAL can read it whenever it
  /// starts (`MSIDKeychainUtil.m`).
  var hintAccessibility: String {
    if case .catalyst = self { return KeychainKey.afterFirstUnlock }
    return KeychainKey.always
  }

  #if canImport(Security) && os(macOS)
    /// The groups of the entitlement `keychain-access-groups`, then the application identifier, which is a
    /// group of its own.
    private static func entitledGroups() -> [String] {
      guard let task = SecTaskCreateFromSelf(nil) else { return [] }
      func value(_ name: String) -> CFTypeRef? {
        SecTaskCopyValueForEntitlement(task, name as CFString, nil)
      }
      let groups = value("keychain-access-groups") as? [String]
      let identifier = value("com.apple.application-identifier") as? String
      return (groups ?? []) + [identifier].compactMap { $0 }
    }
  #endif
}
