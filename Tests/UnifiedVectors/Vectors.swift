// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeychainItems

/// The test data of this package, and of the libraries' own tests where it lies beside the package.
package enum Vectors {
  package static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A folder of `Tests/Vectors`.
  package static func own(_ folder: String) -> URL {
    packageRoot.appendingPathComponent("Tests/Vectors").appendingPathComponent(folder)
  }

  /// A file of the libraries' test data, or nil, said aloud, where it does not lie beside the package.
  package static func theirs(_ path: String) -> [UInt8]? {
    let folder = packageRoot.deletingLastPathComponent()
      .appendingPathComponent("shared/vectors/msal")
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else {
      print("not checked: shared/vectors/msal/\(path) is not beside the package")
      return nil
    }
    return Array(data)
  }

  /// The files of a folder, in the order of their names.
  package static func files(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  package static func json(_ file: URL) throws -> JSONValue {
    try JSONValue(Array(try Data(contentsOf: file)))
  }
}

extension JSONValue {
  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package subscript(_ key: String) -> JSONValue? { object?[key] }

  /// The JSON text, for a test to show.
  package var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension KeychainItem {
  /// An item as vectors hold it: `gena` and `data` in base64.
  package init(vector: JSONValue) {
    func bytes(_ key: String) -> [UInt8]? {
      vector[key]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }
    self.init(
      accessGroup: vector["agrp"]?.string ?? "", account: vector["acct"]?.string ?? "",
      service: vector["svce"]?.string ?? "", generic: bytes("gena"),
      type: vector["type"]?.stringOrNumber.flatMap { Int($0) },
      accessibility: vector["pdmn"]?.string, data: bytes("data").map { TokenSecret($0) })
  }
}
