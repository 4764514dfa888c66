// SPDX-License-Identifier: MIT
import CacheJSON

/// A JSON text with one piece in memory: the whole text, or the pieces of a file one after the other.
struct PiecewiseText {
  /// The number of bytes of a file in memory at once, unless one value is longer. It fits a processor's cache.
  static let usualLength = 1 << 18

  /// The number of bytes of the whole text.
  let size: Int
  /// The number of bytes before the piece.
  private(set) var start = 0
  private var count: Int
  private var reader: JSONScanner
  private let pieceLength: Int
  private let part: (Range<Int>) throws -> [UInt8]

  /// A text that is in memory, with the cursor at that place or at the first character.
  init(_ bytes: [UInt8], at place: Int? = nil) {
    size = bytes.count
    count = bytes.count
    reader = JSONScanner(bytes, at: place)
    pieceLength = 0
    part = { _ in [] }
  }

  /// - Parameters:
  ///   - size: how many bytes the text has.
  ///   - pieceLength: how many of them are in memory at once, unless one value is longer.
  ///   - part: gives these bytes of the text.
  init(
    size: Int, pieceLength: Int = Self.usualLength, _ part: @escaping (Range<Int>) throws -> [UInt8]
  ) throws {
    self.size = size
    self.pieceLength = pieceLength
    self.part = part
    let bytes = try part(0..<min(size, pieceLength))
    count = bytes.count
    reader = JSONScanner(bytes)
  }

  /// The place of the cursor, in bytes from the start of the text.
  var offset: Int { start + reader.offset }

  /// Reads a token. If the piece ends too early, it reads the token again with the next piece, so `body` may be called
  /// several times.
  mutating func read<Value>(_ body: (inout JSONScanner) throws -> Value) throws -> Value {
    while true {
      var reader = reader
      let result = Result { try body(&reader) }
      if isCut(result, at: reader.offset), try readMore() { continue }
      do {
        let value = try result.get()
        self.reader = reader
        return value
      } catch let error as JSONError {
        throw JSONError(code: error.code, offset: start + error.offset)
      }
    }
  }

  /// Whether the last token could be different with the text behind the piece.
  private func isCut(_ result: Result<some Any, any Error>, at offset: Int) -> Bool {
    if case .failure(let error) = result, error is JSONError { return true }
    return offset == count
  }

  /// Reads the piece that begins at the cursor and ends behind this one; false when this one is the last.
  private mutating func readMore() throws -> Bool {
    guard start + count < size else { return false }
    // Twice as much each time, so that a long value takes no more than its length.
    let length = max(pieceLength, 2 * (count - reader.offset))
    let bytes = try part(offset..<min(size, offset + length))
    start = offset
    count = bytes.count
    reader = JSONScanner(bytes, at: 0)
    return true
  }
}
