// SPDX-License-Identifier: MIT

/// Bytes that are not a keyed archive, or not a whole one.
///
/// Only ``code`` takes part in equality, so a test need not know the offset.
package struct KeyedArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong. Its description is a short word that reports show; it never holds input.
  package struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code as reports spell it.
    package let description: String

    init(_ description: String) {
      self.description = description
    }

    /// The input does not begin with `bplist00`.
    package static let notAPropertyList = Code("not-a-property-list")
    /// The input ends before what it announces, or an object reaches into the offset table.
    package static let truncated = Code("truncated")
    /// The trailer's widths, counts or places contradict each other or the size of the input.
    package static let malformedTrailer = Code("malformed-trailer")
    /// An object's offset lies outside the part of the input that holds objects.
    package static let offsetOutOfRange = Code("offset-out-of-range")
    /// Two objects claim the same bytes.
    package static let overlappingObjects = Code("overlapping-objects")
    /// A marker byte that no binary property list has.
    package static let unknownMarker = Code("unknown-marker")
    /// A reference to an object that the offset table or `$objects` does not list.
    package static let referenceOutOfRange = Code("reference-out-of-range")
    /// A string that is not ASCII, UTF-16 or UTF-8 as its kind asks.
    package static let malformedString = Code("malformed-string")
    /// An integer that 64 bits with a sign cannot hold.
    package static let integerOutOfRange = Code("integer-out-of-range")
    /// A value of another kind than the one that was asked for or that must be there.
    package static let wrongKind = Code("wrong-kind")
    /// A property list without `$objects`, `$top` or a class record where an archive has one.
    package static let notAKeyedArchive = Code("not-a-keyed-archive")
    /// An object that contains itself.
    package static let cycle = Code("cycle")
    /// More bytes than ``Limits/size``.
    package static let tooLarge = Code("too-large")
    /// More objects than ``Limits/objects``.
    package static let tooManyObjects = Code("too-many-objects")
    /// More keys in one object than ``Limits/fields``.
    package static let tooManyFields = Code("too-many-fields")
    /// Deeper nesting than ``Limits/depth``.
    package static let tooDeep = Code("too-deep")
    /// More reading than ``Limits/work(forSize:)``.
    package static let tooMuchWork = Code("too-much-work")
    /// More text, data and rows than ``Limits/memory(forSize:)``.
    package static let tooMuchMemory = Code("too-much-memory")
  }

  /// What is wrong.
  package var code: Code
  /// Where in the input, in bytes from its start.
  package var offset: Int

  /// An error at a byte of the archive.
  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// Whether reading on is pointless, since a limit of the whole input is used up.
  package var isFinal: Bool { code == .tooMuchWork || code == .tooMuchMemory }

  package var description: String { "\(code) at byte \(offset)" }

  package static func == (a: KeyedArchiveError, b: KeyedArchiveError) -> Bool { a.code == b.code }
}
