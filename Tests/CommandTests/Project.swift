// SPDX-License-Identifier: MIT
import Foundation

/// Where things are.
enum Project {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder that the command was built into, beside the tests.
  static let products: String = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle.map { $0.bundleURL.deletingLastPathComponent().path } ?? Bundle.main.bundlePath
  }()
}
