// SPDX-License-Identifier: MIT
import UIKit

/// An app that does nothing: it hosts the tests, which use its entitlements.
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
