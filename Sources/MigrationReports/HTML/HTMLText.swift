// SPDX-License-Identifier: MIT

extension HTML {
  /// The markup.
  package var markup: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text as HTML and XML have it. What XML cannot hold at all has been made visible before.
  static func escaped(_ text: String) -> String { HTML.shown(text).markup }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .group(let pieces): for piece in pieces { piece.write(to: &bytes) }
    case .shown(let text): Self.escape(text, to: &bytes)
    case .element(let tag, let attributes, let content):
      bytes += "<\(tag.rawValue)".utf8
      for attribute in attributes {
        bytes.append(UInt8(ascii: " "))
        attribute.name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes += "=\"".utf8
        Self.escape(attribute.value, to: &bytes)
        bytes += "\"".utf8
      }
      bytes += ">".utf8
      for piece in content { piece.write(to: &bytes) }
      bytes += (tag.endsLine ? "</\(tag.rawValue)>\n" : "</\(tag.rawValue)>").utf8
    }
  }

  /// Everything that could end a text, an attribute or a comment, or begin an element or a reference.
  private static func escape(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
  }
}
