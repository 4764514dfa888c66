// SPDX-License-Identifier: MIT
import Foundation

#if canImport(UIKit)
  import UIKit
#endif

/// The data that a locked device cannot decrypt.
enum ProtectedData {
  /// Waits until the device is unlocked; where there is no lock screen, returns at once.
  ///
  /// A suspended app misses the notification of the unlocking, so coming to the foreground counts too.
  @MainActor static func isAvailable() async {
    #if canImport(UIKit)
      let names = [
        UIApplication.protectedDataDidBecomeAvailableNotification,
        UIApplication.willEnterForegroundNotification,
      ]
      while !UIApplication.shared.isProtectedDataAvailable {
        await withTaskGroup(of: Void.self) { group in
          for name in names {
            group.addTask {
              for await _ in NotificationCenter.default.notifications(named: name) { return }
            }
          }
          await group.next()
          group.cancelAll()
        }
      }
    #endif
  }
}
