// SPDX-License-Identifier: MIT
import CacheJSON

/// Why bytes are not a cache document that can be read and written again without loss.
///
/// Only ``code`` takes part in equality. The description is one sentence and holds nothing of
/// an entry.
package struct CacheDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Code: String, Sendable {
    /// The document is not UTF-8.
    case notUTF8
    /// A comma before a closing bracket: MSAL.NET reads that, no other library does.
    case trailingComma
    /// One object names a key twice; writing would lose one of the two.
    case duplicateKey
    /// The document is not JSON.
    case notJSON
    /// The document is JSON, but not an object.
    case notAnObject
    /// A section that holds entries is not an object.
    case sectionNotAnObject
  }

  /// What is wrong.
  package var code: Code
  /// One sentence with the place and without anything secret.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: JSONError) {
    let code: Code =
      switch error.code {
      case .notUTF8: .notUTF8
      case .trailingComma: .trailingComma
      case .duplicateKey: .duplicateKey
      case .empty, .byteOrderMark, .syntax, .trailingBytes, .loneSurrogate, .tooDeep,
        .tooManyValues:
        .notJSON
      }
    self.init(code, "the cache document cannot be read: \(error)")
  }

  package static func == (a: CacheDocumentError, b: CacheDocumentError) -> Bool {
    a.code == b.code
  }
}
