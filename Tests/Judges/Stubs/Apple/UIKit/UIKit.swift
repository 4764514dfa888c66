// SPDX-License-Identifier: MIT

// The declarations of UIKit that Tests/Apple uses; nothing here does anything.

public struct UIBackgroundTaskIdentifier: Sendable {}

@MainActor open class UIResponder {
  public nonisolated init() {}
}

@MainActor public protocol UIApplicationDelegate: AnyObject {}

extension UIApplicationDelegate {
  public static func main() {}
}

@MainActor public final class UIApplication: UIResponder {
  public static let shared = UIApplication()
  public var isProtectedDataAvailable: Bool { true }
  public func beginBackgroundTask() -> UIBackgroundTaskIdentifier { .init() }
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

@MainActor public final class UIPasteboard {
  public static let general = UIPasteboard()
  public var string: String?
}
