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
    package var quoted: [Piece] { pieces.filter(\.isQuoted) }
  }

  package struct Piece: Sendable, Hashable {
    package var text: String
    package var isQuoted: Bool
    package var range: Range<Int>
  }

  package let text: FileText
  package let lines: [Line]
  package let remarks: [Remark]

  package init(_ text: FileText) {
    self.text = text
    var lines: [Line] = []
    var remarks: [Remark] = []
    for line in text.lines {
      let (pieces, comment) = Self.pieces(text.bytes[line])
      if let first = pieces.first, let last = pieces.last {
        lines.append(Line(pieces: pieces, range: first.range.lowerBound..<last.range.upperBound))
      }
      if let comment, let remark = Remark(comment, in: text) { remarks.append(remark) }
    }
    self.lines = lines
    self.remarks = remarks
  }

  private static func pieces(_ line: ArraySlice<UInt8>) -> ([Piece], Range<Int>?) {
    let isLineBreak: (UInt8) -> Bool = { Unicode.Scalar($0).isLineBreak }
    var pieces: [Piece] = []
    var rest = line
    func add(_ word: ArraySlice<UInt8>, isQuoted: Bool, from start: Int) {
      rest = rest[word.endIndex...].dropFirst(isQuoted ? 1 : 0)
      pieces.append(
        Piece(
          text: String(decoding: word, as: UTF8.self), isQuoted: isQuoted,
          range: start..<rest.startIndex))
    }
    while let byte = rest.first {
      let start = rest.startIndex
      switch Unicode.Scalar(byte) {
      case "#": return (pieces, start..<rest.prefix { !isLineBreak($0) }.endIndex)
      case "\"", "'":
        let inner = rest.dropFirst().prefix { $0 != byte && !isLineBreak($0) }
        add(inner, isQuoted: true, from: start)
      case _ where isWord(byte): add(rest.prefix(while: isWord), isQuoted: false, from: start)
      default: rest = rest.dropFirst()
      }
    }
    return (pieces, nil)
  }

  /// Whether a byte belongs to a word: what Ruby and the addresses in `.gitmodules` are made of.
  private static func isWord(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).continuesIdentifier || wordPunctuation.contains(byte)
  }

  private static let wordPunctuation = Set(":./-@~?=>+%".utf8)
}
