// SPDX-License-Identifier: MIT

/// A file of dependencies that is read line by line: Podfile, podspec, Cartfile, `.gitmodules`. None of
/// it is ever run.
package struct DependencyLines: TextCursor, Sendable {
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

  package typealias Piece = (text: String, isQuoted: Bool, range: Range<Int>)

  package let text: FileText
  package private(set) var lines: [Line] = []
  package private(set) var remarks: [Remark] = []
  let bytes: [UInt8]
  var index = 0

  package init(_ text: FileText) {
    self.text = text
    bytes = text.bytes
    while !isAtEnd { readLine() }
  }

  private mutating func readLine() {
    var pieces: [Piece] = []
    var isGoingOn = true
    while isGoingOn, !isAtEnd {
      let start = index
      let character = peek()
      switch character {
      case "#":
        skipToLineBreak()
        if let remark = Remark(start..<index, in: text) { remarks.append(remark) }
      case "\"", "'":
        index += 1
        let inner = take { $0 != character && !$0.isLineBreak }
        // A string ends with its line.
        isGoingOn = peek() == character
        index = min(index + 1, bytes.count)
        pieces.append((string(inner), isQuoted: true, start..<index))
      case _ where Self.isWord(character):
        let word = take(while: Self.isWord)
        pieces.append((string(word), isQuoted: false, word))
      default:
        isGoingOn = !character.isLineBreak
        index += 1
      }
    }
    guard let first = pieces.first, let last = pieces.last else { return }
    lines.append(Line(pieces: pieces, range: first.range.lowerBound..<last.range.upperBound))
  }

  /// Whether a byte belongs to a word of Ruby, or to an address in `.gitmodules`.
  private static func isWord(_ byte: Unicode.Scalar) -> Bool {
    byte.continuesIdentifier || wordPunctuation.contains(byte)
  }

  private static let wordPunctuation = Set(":./-@~?=>+%".unicodeScalars)
}
