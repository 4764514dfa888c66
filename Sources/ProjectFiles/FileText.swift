// SPDX-License-Identifier: MIT

/// A place in a text: line and column from 1, the column in Unicode code points.
package struct TextPosition: Sendable, Hashable, Comparable {
  package var line: Int
  package var column: Int

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A piece of a file, without the position where it ends.
package struct TextSpan: Sendable, Hashable {
  package var file: String
  package var start = TextPosition(line: 1, column: 1)
  package var end = TextPosition(line: 1, column: 1)
}

extension TextSpan {
  package init(startOf file: String) { self.init(file: file) }
}

/// A file's text as UTF-8, whatever it was written in, with its lines.
///
/// A file is UTF-8 with or without a byte order mark, UTF-16 with one, or else taken byte by byte as
/// Latin-1. Lines end at LF, CRLF or CR.
package struct FileText: Sendable {
  package let path: String
  package let bytes: [UInt8]
  /// The bytes of each line with its line break; a line break at the end begins one more line, which is empty.
  package let lines: [Range<Int>]
  /// The number of scalars before each block of bytes, so that a column on a line of megabytes costs no more than one
  /// on a short line.
  private let scalarsBefore: [Int]
  private static let block = 64

  package init(_ raw: [UInt8], path: String = "") {
    self.path = path
    bytes = Self.decoded(raw)
    var lines: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() {
      let isPair = byte == UInt8(ascii: "\r") && bytes[(index + 1)...].first == UInt8(ascii: "\n")
      guard Unicode.Scalar(byte).isLineBreak, !isPair else { continue }
      lines.append(start..<(index + 1))
      start = index + 1
    }
    self.lines = lines + [start..<bytes.count]
    var before = [0]
    for start in stride(from: 0, to: bytes.count, by: Self.block) {
      let block = bytes[start..<min(start + Self.block, bytes.count)]
      before.append((before.last ?? 0) + Self.scalars(block))
    }
    scalarsBefore = before
  }

  package init(_ text: String, path: String = "") { self.init(Array(text.utf8), path: path) }

  /// The position of a byte; of the end for one beyond it.
  package func position(at offset: Int) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let line = lines.partitioningIndex { $0.lowerBound > offset } - 1
    let column = scalars(before: offset) - scalars(before: lines[line].lowerBound)
    return TextPosition(line: line + 1, column: column + 1)
  }

  private func scalars(before offset: Int) -> Int {
    let block = offset / Self.block
    return scalarsBefore[block] + Self.scalars(bytes[(block * Self.block)..<offset])
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }

  package func span(_ range: Range<Int>) -> TextSpan {
    TextSpan(
      file: path, start: position(at: range.lowerBound), end: position(at: range.upperBound))
  }

  package func placed(_ value: String, _ range: Range<Int>) -> PlacedText {
    PlacedText(value: value, span: span(range))
  }

  /// The text of some bytes; empty without bytes.
  package func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  private static func decoded(_ raw: [UInt8]) -> [UInt8] {
    if raw.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(raw[3...]) }
    if raw.starts(with: [0xFF, 0xFE]) { return utf16(raw.dropFirst(2), low: 0) }
    if raw.starts(with: [0xFE, 0xFF]) { return utf16(raw.dropFirst(2), low: 1) }
    return utf8(raw[...])
  }

  /// The bytes, where they are UTF-8; else each as the character that it is in Latin-1.
  private static func utf8(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    if raw.allSatisfy({ $0 < 0x80 }) { return Array(raw) }
    let repaired = String(decoding: raw, as: UTF8.self)
    guard !repaired.utf8.elementsEqual(raw) else { return Array(raw) }
    return raw.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
  }

  private static func utf16(_ raw: ArraySlice<UInt8>, low: Int) -> [UInt8] {
    let starts = stride(from: raw.startIndex, to: raw.endIndex - 1, by: 2)
    let units = starts.map { UInt16(raw[$0 + low]) | UInt16(raw[$0 + 1 - low]) << 8 }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

extension Array {
  /// The index of the first element that belongs to the second part of an array in two parts; the end where none does.
  func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
