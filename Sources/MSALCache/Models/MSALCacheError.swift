// SPDX-License-Identifier: MIT
import CacheJSON

/// The reason why an item, an entry or a document of MSAL's cannot be read: one sentence that names fields and places
/// and contains nothing of an entry.
package struct MSALCacheError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  /// An error of this sentence.
  package init(_ description: String) { self.description = description }

  /// An error of a cache document.
  /// The error of a document that is no JSON.
  package init(_ error: JSONError) { self.init("the cache document cannot be read: \(error)") }

  /// The error that a field which every reader needs is absent, or not a string.
  package static func missing(_ field: String) -> MSALCacheError {
    MSALCacheError("the field \"\(field)\" is missing or not a string")
  }
}
