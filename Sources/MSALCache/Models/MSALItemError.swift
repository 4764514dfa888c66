// SPDX-License-Identifier: MIT

/// Why an item or entry of MSAL's cannot be read.
///
/// Only ``code`` takes part in equality. The description is a sentence; it names fields and never holds
/// a value of one.
package struct MSALItemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Code: String, Sendable {
    /// The item has no data.
    case noData
    /// The data is not JSON.
    case notJSON
    /// The data is JSON, but no object.
    case notAnObject
    /// A field that every reader needs is absent, or not a string.
    case missingField
    /// The field that says what the item is says nothing that MSAL knows.
    case unknownType
  }

  /// What is wrong.
  package var code: Code
  /// One sentence without anything secret.
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  package static func missing(_ field: String) -> MSALItemError {
    MSALItemError(.missingField, "the field \"\(field)\" is missing or not a string")
  }

  package static func == (a: MSALItemError, b: MSALItemError) -> Bool { a.code == b.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
