// SPDX-License-Identifier: MIT

/// Where something stands in a text: line and column from 1, the column in Unicode code points.
package struct TextPosition: Sendable, Hashable, Comparable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Earlier positions are less.
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A piece of a text, without the position where it ends.
package struct TextSpan: Sendable, Hashable {
  package var start: TextPosition
  package var end: TextPosition

  package init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }
}

/// A file's text as UTF-8, whatever it was written in, with its lines.
///
/// A file is UTF-8 with or without a byte order mark, UTF-16 with one, or else taken byte by byte as
/// Latin-1. Lines end at LF, CRLF or CR.
package struct FileText: Sendable {
  package let bytes: [UInt8]
  private let lineStarts: [Int]
  /// How many scalars there are before each block of bytes, so that a column on a line of megabytes
  /// costs no more than one on a short line.
  private let scalarsBefore: [Int]
  private static let block = 64

  package init(_ raw: [UInt8]) {
    bytes = Self.decoded(raw)
    var starts = [0]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\n") {
        starts.append(index)
      } else if byte == UInt8(ascii: "\r") {
        if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
        starts.append(index)
      }
    }
    lineStarts = starts
    var before = [0]
    for start in stride(from: 0, to: bytes.count, by: Self.block) {
      let block = bytes[start..<min(start + Self.block, bytes.count)]
      before.append((before.last ?? 0) + Self.scalars(block))
    }
    scalarsBefore = before
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// How many lines there are; a line break at the end begins one more, which is empty.
  package var lineCount: Int { lineStarts.count }

  /// The position of a byte; of the end for one beyond it.
  package func position(at offset: Int) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let line = line(at: offset)
    let column = scalars(before: offset) - scalars(before: lineStarts[line])
    return TextPosition(line: line + 1, column: column + 1)
  }

  private func scalars(before offset: Int) -> Int {
    let block = offset / Self.block
    return scalarsBefore[block] + Self.scalars(bytes[(block * Self.block)..<offset])
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }

  /// The span of some bytes.
  package func span(_ range: Range<Int>) -> TextSpan {
    TextSpan(start: position(at: range.lowerBound), end: position(at: range.upperBound))
  }

  /// The text of some bytes; empty where there are none.
  package func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The bytes of a line, counted from 1, with its line break; empty where there is none.
  package func lineRange(_ number: Int) -> Range<Int> {
    guard number >= 1, number <= lineStarts.count else { return 0..<0 }
    let end = number < lineStarts.count ? lineStarts[number] : bytes.count
    return lineStarts[number - 1]..<end
  }

  /// The index of the line, from 0, that a byte is in.
  private func line(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private static func decoded(_ raw: [UInt8]) -> [UInt8] {
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(raw[3...]) }
    if raw.starts(with: [0xFF, 0xFE]) { return utf16(raw.dropFirst(2), low: 0) }
    if raw.starts(with: [0xFE, 0xFF]) { return utf16(raw.dropFirst(2), low: 1) }
    return utf8(raw[...])
  }

  private static func utf8(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    guard !isUTF8(raw) else { return Array(raw) }
    return raw.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
  }

  private static func utf16(_ raw: ArraySlice<UInt8>, low: Int) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(raw.count / 2)
    var index = raw.startIndex
    while index + 1 < raw.endIndex {
      units.append(UInt16(raw[index + low]) | UInt16(raw[index + 1 - low]) << 8)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func isUTF8(_ raw: ArraySlice<UInt8>) -> Bool {
    if raw.allSatisfy({ $0 < 0x80 }) { return true }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = raw.makeIterator()
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
