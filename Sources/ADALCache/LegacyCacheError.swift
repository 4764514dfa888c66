// SPDX-License-Identifier: MIT
import CacheJSON

/// Bytes that are no cache of ADAL for .NET, Python or Node, or a row of one that cannot be read.
///
/// Only ``code`` takes part in equality, so a test need not know the offset.
package struct LegacyCacheError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem. Its description is a short word that reports show. It never contains input.
  package enum Code: String, Sendable, CustomStringConvertible {
    // The reasons to refuse a whole cache.

    /// There is no schema number at the start, and no known protection of a cache. A cache that the machine key of
    /// ASP.NET protects looks like this, and so does noise.
    case notABlob = "not-a-blob"
    /// A schema that no release of ADAL.NET wrote.
    case unknownSchema = "unknown-schema"
    case protectedByWindows = "protected-by-windows"
    /// Protected by ASP.NET Core's data protection.
    case protectedByDataProtection = "protected-by-data-protection"
    /// The number of rows is negative, or more than there is room for.
    case malformedCount = "malformed-count"
    case notAList = "not-a-list"
    /// More bytes than are read.
    case tooLarge = "too-large"

    // The reasons to stop reading, after the rows before.

    /// The bytes end inside a row; the offset is where they end.
    case truncated = "truncated"
    /// The length of a string takes more than five groups, or does not fit 31 bits.
    case malformedLength = "malformed-length"
    case tooManyRows = "too-many-rows"
    /// Bytes after the last row, or after the JSON of one.
    case trailingBytes = "trailing-bytes"

    // The reasons to refuse one row.

    /// A string is longer than any that ADAL wrote.
    case tooLong = "too-long"
    /// Text that is not UTF-8.
    case malformedText = "malformed-text"
    /// A key without its four parts.
    case malformedKey = "malformed-key"
    /// A value of schema 1 that is not base64.
    case malformedBase64 = "malformed-base64"
    /// Text that stops being JSON. In a list this ends the reading.
    case malformedJSON = "malformed-json"
    /// JSON that is nested deeper than ADAL's.
    case tooDeep = "too-deep"
    case duplicateMember = "duplicate-member"
    /// A member of another kind than ADAL wrote, or an object where none can be.
    case wrongType = "wrong-type"
    /// An instant that is not spelled like one, or is beyond the year 9999.
    case malformedTime = "malformed-time"

    package var description: String { rawValue }
  }

  package var code: Code
  /// The place in the cache, in bytes from its start; in schema 1 the start of the row's value.
  package var offset: Int

  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The problem of JSON that begins at a byte of the cache.
  package init(_ error: JSONError, from start: Int = 0) {
    let code: Code =
      switch error.code {
      case .notUTF8: .malformedText
      case .tooDeep: .tooDeep
      case .duplicateKey: .duplicateMember
      case .trailingBytes: .trailingBytes
      case .empty, .byteOrderMark, .syntax, .trailingComma, .loneSurrogate, .tooManyValues:
        .malformedJSON
      }
    self.init(code, at: start + error.offset)
  }

  package var description: String { "\(code) at byte \(offset)" }

  package static func == (a: LegacyCacheError, b: LegacyCacheError) -> Bool { a.code == b.code }
}

extension UnreadableToken {
  package init(place: LegacyPlace, _ error: LegacyCacheError) {
    self.init(
      place: place, code: .undecodable, archiveError: error.code.description,
      offset: error.offset)
  }
}
