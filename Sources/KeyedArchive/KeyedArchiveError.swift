// SPDX-License-Identifier: MIT

/// Bytes that are not a keyed archive, or not a whole one.
///
/// Only ``code`` takes part in equality, so a test need not know the offset.
package struct KeyedArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem, as a short word that reports show. It never contains input.
  package enum Code: String, Sendable, CustomStringConvertible {
    /// The input does not begin with `bplist00`.
    case notAPropertyList = "not-a-property-list"
    /// The input is shorter than it announces, or an object reaches into the offset table.
    case truncated = "truncated"
    /// The trailer's widths, counts or places contradict each other or the size of the input.
    case malformedTrailer = "malformed-trailer"
    /// An object's offset lies outside the part of the input that holds objects.
    case offsetOutOfRange = "offset-out-of-range"
    case overlappingObjects = "overlapping-objects"
    case unknownMarker = "unknown-marker"
    /// A reference to an object that the offset table or `$objects` does not list.
    case referenceOutOfRange = "reference-out-of-range"
    /// A string that is not ASCII, UTF-16 or UTF-8 as its kind asks.
    case malformedString = "malformed-string"
    /// An integer that 64 bits with a sign cannot hold.
    case integerOutOfRange = "integer-out-of-range"
    /// A value of another kind than the one that was asked for or that must be there.
    case wrongKind = "wrong-kind"
    /// A property list without `$objects`, `$top` or a class record where an archive has one.
    case notAKeyedArchive = "not-a-keyed-archive"
    case cycle = "cycle"
    /// More bytes than ``Limits/size``.
    case tooLarge = "too-large"
    /// More objects than ``Limits/objects``.
    case tooManyObjects = "too-many-objects"
    /// More keys in one object than ``Limits/fields``.
    case tooManyFields = "too-many-fields"
    /// Deeper nesting than ``Limits/depth``.
    case tooDeep = "too-deep"
    /// More reading than ``Limits/work(forSize:)``.
    case tooMuchWork = "too-much-work"
    /// More text, data and rows than ``Limits/memory(forSize:)``.
    case tooMuchMemory = "too-much-memory"

    package var description: String { rawValue }
  }

  package var code: Code
  /// The place in the input, in bytes from its start.
  package var offset: Int

  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// Whether reading on is pointless, since a limit of the whole input is used up.
  package var isFinal: Bool { code == .tooMuchWork || code == .tooMuchMemory }

  package var description: String { "\(code) at byte \(offset)" }

  package static func == (a: KeyedArchiveError, b: KeyedArchiveError) -> Bool { a.code == b.code }
}
