// SPDX-License-Identifier: MIT
import CacheJSON

/// Bytes that are no cache of ADAL for .NET, Python or Node, or a row of one that cannot be read.
///
/// Only ``code`` takes part in equality, so a test need not know the offset.
package struct LegacyCacheError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong. Its description is a short word that reports show; it never holds input.
  package struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code as reports spell it.
    package let description: String

    init(_ description: String) {
      self.description = description
    }

    // What a whole cache can be refused for.

    /// No schema number at the start, and nothing that protects a cache and says so: what the machine key
    /// of ASP.NET protected looks like this, as noise does.
    package static let notABlob = Code("not-a-blob")
    /// A schema that no release of ADAL.NET wrote.
    package static let unknownSchema = Code("unknown-schema")
    /// Protected by Windows for one of its users (DPAPI).
    package static let protectedByWindows = Code("protected-by-windows")
    /// Protected by ASP.NET Core's data protection.
    package static let protectedByDataProtection = Code("protected-by-data-protection")
    /// The number of rows is negative, or more than there is room for.
    package static let malformedCount = Code("malformed-count")
    /// JSON that is no list.
    package static let notAList = Code("not-a-list")
    /// More bytes than are read.
    package static let tooLarge = Code("too-large")

    // What ends the reading, after the rows before it.

    /// The bytes end inside a row; the offset is where they end.
    package static let truncated = Code("truncated")
    /// The length of a string takes more than five groups, or does not fit 31 bits.
    package static let malformedLength = Code("malformed-length")
    /// More rows than are read.
    package static let tooManyRows = Code("too-many-rows")
    /// Bytes after the last row, or after the JSON of one.
    package static let trailingBytes = Code("trailing-bytes")

    // What one row is refused for.

    /// A string is longer than any that ADAL wrote.
    package static let tooLong = Code("too-long")
    /// Text that is not UTF-8.
    package static let malformedText = Code("malformed-text")
    /// A key without its four parts.
    package static let malformedKey = Code("malformed-key")
    /// A value of schema 1 that is not base64.
    package static let malformedBase64 = Code("malformed-base64")
    /// Text that stops being JSON. In a list this ends the reading.
    package static let malformedJSON = Code("malformed-json")
    /// JSON that is nested deeper than ADAL's.
    package static let tooDeep = Code("too-deep")
    /// An object that names a member twice.
    package static let duplicateMember = Code("duplicate-member")
    /// A member of another kind than ADAL wrote, or an object where none can be.
    package static let wrongType = Code("wrong-type")
    /// An instant that is not spelled like one, or is beyond the year 9999.
    package static let malformedTime = Code("malformed-time")
  }

  /// What is wrong.
  package var code: Code
  /// Where in the cache, in bytes from its start; in schema 1 where the row's value begins.
  package var offset: Int

  /// An error at a byte of the cache.
  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// What is wrong with JSON that begins at a byte of the cache.
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
  /// A row that cannot be read because of `error`.
  package init(place: LegacyPlace, _ error: LegacyCacheError) {
    self.init(
      place: place, code: .undecodable, archiveError: error.code.description,
      offset: error.offset)
  }
}
