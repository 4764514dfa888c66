// SPDX-License-Identifier: MIT
import Foundation

/// Where things are.
enum Project {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of the command: of the one that `ADAL2MSAL` names, else of the one beside the tests. Scripts call it by
  /// its name, so a file of another name is not taken.
  static let products: String = {
    let command = ProcessInfo.processInfo.environment["ADAL2MSAL"] ?? ""
    if command.hasSuffix("/adal2msal") {
      return URL(fileURLWithPath: command).deletingLastPathComponent().path
    }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle.map { $0.bundleURL.deletingLastPathComponent().path } ?? Bundle.main.bundlePath
  }()
}
