// SPDX-License-Identifier: MIT

/// Goes through the bytes of a text. A byte is compared as the ASCII character that it may be.
protocol TextCursor {
  var bytes: [UInt8] { get }
  var index: Int { get set }
}

extension TextCursor {
  var isAtEnd: Bool { index >= bytes.count }

  /// The byte so far ahead; U+0000 beyond the end.
  func peek(_ ahead: Int = 0) -> Unicode.Scalar {
    index + ahead < bytes.count ? Unicode.Scalar(bytes[index + ahead]) : "\0"
  }

  func begins(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + count)]) }
  }

  /// Passes over bytes as long as they are meant, and returns where they stand.
  @discardableResult
  mutating func take(while isMeant: (Unicode.Scalar) -> Bool) -> Range<Int> {
    let start = index
    while index < bytes.count, isMeant(Unicode.Scalar(bytes[index])) { index += 1 }
    return start..<index
  }

  mutating func skipToLineBreak() { take { !$0.isLineBreak } }

  /// Passes over everything up to the end of a text.
  mutating func skip(past text: StaticString) {
    while !isAtEnd, !begins(text) { index += 1 }
    index = min(index + text.utf8CodeUnitCount, bytes.count)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension Unicode.Scalar {
  var isLineBreak: Bool { self == "\n" || self == "\r" }

  var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether a name can begin with the byte: letters, and everything that is not ASCII.
  var beginsIdentifier: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "_", "$", "\u{80}"..."\u{FF}": true
    default: false
    }
  }

  var continuesIdentifier: Bool { beginsIdentifier || isDigit }
}
