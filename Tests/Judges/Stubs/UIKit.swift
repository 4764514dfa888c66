// SPDX-License-Identifier: MIT
@_exported import Foundation

// The declarations of Apple's UIKit that our samples and the plans of `doctor` use in Swift, and the one of Foundation
// that Linux lacks, so that their code can be type-checked where there is no UIKit. Nothing here does anything.

@MainActor open class UIResponder: NSObject {}

public class UIApplication: UIResponder {
  public struct LaunchOptionsKey: Hashable, Sendable {}
  public struct OpenURLOptionsKey: Hashable, Sendable {
    nonisolated public static let sourceApplication = OpenURLOptionsKey()
  }

  public static let shared = UIApplication()
  public var isProtectedDataAvailable: Bool { true }
  nonisolated public static let protectedDataDidBecomeAvailableNotification =
    Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
  nonisolated public static let willEnterForegroundNotification =
    Notification.Name("UIApplicationWillEnterForegroundNotification")
}

@MainActor public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
}

extension UIApplicationDelegate {
  public static func main() {}
}

extension NotificationCenter {
  public func notifications(named name: Notification.Name) -> AsyncStream<Notification> {
    AsyncStream { _ in }
  }
}
