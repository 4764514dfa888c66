// SPDX-License-Identifier: MIT

/// The reason why bytes are not JSON that can be read and written again without loss.
///
/// Only ``code`` takes part in equality. The description is a sentence and holds nothing of the text.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable {
    case empty, byteOrderMark, notUTF8, syntax, trailingComma, trailingBytes, duplicateKey
    case loneSurrogate, tooDeep, tooManyValues
  }

  package var code: Code
  /// The place in the text, in bytes from its start.
  package var offset: Int

  package init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }

  package var description: String {
    switch code {
    case .empty: "there is no JSON, only white space"
    case .byteOrderMark: "the text starts with a byte order mark, which JSON does not allow"
    case .notUTF8: "the text is not UTF-8"
    case .syntax: "the text stops being JSON at byte \(offset)"
    case .trailingComma: "a comma before a closing bracket, at byte \(offset), is not JSON"
    case .trailingBytes: "more text follows the JSON value, at byte \(offset)"
    case .duplicateKey: "an object names one key twice, at byte \(offset)"
    case .loneSurrogate: "an escaped character at byte \(offset) is half of a surrogate pair"
    case .tooManyValues: "there are too many short values, from byte \(offset) on"
    case .tooDeep: "values are nested more than \(JSONScanner.depthLimit) deep, at byte \(offset)"
    }
  }

  package static func == (a: JSONError, b: JSONError) -> Bool { a.code == b.code }
}
