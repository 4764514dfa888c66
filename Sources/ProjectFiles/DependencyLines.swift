// SPDX-License-Identifier: MIT

/// A file of dependencies that is read line by line: Podfile, podspec, Cartfile, `.gitmodules`. None of
/// it is ever run.
package struct DependencyLines: Sendable {
  /// A line without its comment.
  package struct Line: Sendable {
    /// The words outside quotes and the quoted strings, in order.
    package var pieces: [Piece]
    /// The bytes without blanks around them.
    package var range: Range<Int>

    /// The first word, when it is not quoted.
    package var keyword: String { pieces.first.map { $0.isQuoted ? "" : $0.text } ?? "" }
    /// The quoted strings.
    package var quoted: [Piece] { pieces.filter(\.isQuoted) }
  }

  /// A word or a quoted string.
  package struct Piece: Sendable, Hashable {
    package var text: String
    package var isQuoted: Bool
    package var range: Range<Int>

    fileprivate init(_ bytes: ArraySlice<UInt8>, isQuoted: Bool, range: Range<Int>) {
      text = String(decoding: bytes, as: UTF8.self)
      self.isQuoted = isQuoted
      self.range = range
    }
  }

  package let text: FileText
  package let lines: [Line]
  /// Comments that are addressed to us.
  package let remarks: [Remark]

  package init(_ text: FileText) {
    self.text = text
    var lines: [Line] = []
    var remarks: [Remark] = []
    for number in stride(from: 1, through: text.lineCount, by: 1) {
      let (pieces, comment) = Self.pieces(text.lineRange(number), in: text.bytes)
      if let first = pieces.first, let last = pieces.last {
        lines.append(Line(pieces: pieces, range: first.range.lowerBound..<last.range.upperBound))
      }
      if let comment, let remark = Remark(comment, in: text) { remarks.append(remark) }
    }
    self.lines = lines
    self.remarks = remarks
  }

  private static func pieces(_ line: Range<Int>, in bytes: [UInt8]) -> ([Piece], Range<Int>?) {
    var pieces: [Piece] = []
    var index = line.lowerBound
    while index < line.upperBound {
      let byte = bytes[index]
      let start = index
      if byte == UInt8(ascii: "#") {
        var end = line.upperBound
        while end > start, TokenReader.isLineBreak(bytes[end - 1]) { end -= 1 }
        return (pieces, start..<end)
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index += 1
        while index < line.upperBound, bytes[index] != byte, !TokenReader.isLineBreak(bytes[index])
        {
          index += 1
        }
        let inner = (start + 1)..<index
        index = min(index + 1, line.upperBound)
        pieces.append(Piece(bytes[inner], isQuoted: true, range: start..<index))
      } else if isWord(byte) {
        while index < line.upperBound, isWord(bytes[index]) { index += 1 }
        pieces.append(Piece(bytes[start..<index], isQuoted: false, range: start..<index))
      } else {
        index += 1
      }
    }
    return (pieces, nil)
  }

  /// Whether a byte belongs to a word: what Ruby and the addresses in `.gitmodules` are made of.
  private static func isWord(_ byte: UInt8) -> Bool {
    TokenReader.continuesIdentifier(byte) || wordPunctuation.contains(byte)
  }

  private static let wordPunctuation = Set(":./-@~?=>+%".utf8)
}
