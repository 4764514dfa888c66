// SPDX-License-Identifier: MIT
import Foundation

// The declarations of Apple's UIKit that our samples use in Swift, and the one of Foundation that Linux's has
// not; nothing here does anything.

@MainActor public class UIApplication {
  public static let shared = UIApplication()
  public var isProtectedDataAvailable: Bool { true }
  nonisolated public static let protectedDataDidBecomeAvailableNotification =
    Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
  nonisolated public static let willEnterForegroundNotification =
    Notification.Name("UIApplicationWillEnterForegroundNotification")
}

extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> AsyncStream<Notification> {
    AsyncStream { _ in }
  }
}
