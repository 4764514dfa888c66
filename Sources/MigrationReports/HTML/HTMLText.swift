// SPDX-License-Identifier: MIT

extension HTML {
  /// The markup.
  package var markup: String {
    var writer = HTMLWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Writes pieces of a page as bytes.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ piece: HTML) {
    switch piece {
    case .group(let pieces): for piece in pieces { write(piece) }
    case .shown(let text): write(escaping: text)
    case .element(let tag, let attributes, let content):
      append("<")
      append(tag.rawValue)
      for attribute in attributes {
        append(" ")
        append(attribute.name.description)
        append("=\"")
        write(escaping: attribute.value)
        append("\"")
      }
      append(">")
      for piece in content { write(piece) }
      append("</")
      append(tag.rawValue)
      append(tag.endsLine ? ">\n" : ">")
    }
  }

  /// Writes what is markup already, or what a style or script element holds.
  mutating func write(verbatim markup: String) { append(markup) }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Everything that could end a text, an attribute or a comment, or begin an element or a reference.
  private mutating func write(escaping text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case UInt8(ascii: "'"): append("&#39;")
      default: bytes.append(byte)
      }
    }
  }
}
