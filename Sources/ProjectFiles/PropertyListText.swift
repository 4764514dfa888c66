// SPDX-License-Identifier: MIT

/// A property list in XML, or in OpenStep's form, with positions.
package struct PropertyListText: Sendable {
  package let text: FileText
  package let root: PlacedValue
  /// Comments that are addressed to us.
  package private(set) var remarks: [Remark] = []

  package init(_ raw: [UInt8], path: String = "") throws(Unreadable) {
    guard !raw.starts(with: Array("bplist".utf8)) else {
      throw Unreadable(why: "binary property list")
    }
    text = FileText(raw, path: path)
    let first = text.bytes.first { $0 > 0x20 }
    let isXML = first != UInt8(ascii: "{") && first != UInt8(ascii: "(")
    guard let value = isXML ? Self.read(text, &remarks) : NestedText.read(text) else {
      throw Unreadable(why: "not a property list")
    }
    root = value
  }

  /// The value of a text in XML or in OpenStep's form, whichever it is; nil where it is neither.
  static func value(of text: FileText) -> PlacedValue? {
    var remarks: [Remark] = []
    let isXML = text.bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    return isXML ? read(text, &remarks) : NestedText.read(text)
  }

  private static func read(_ text: FileText, _ remarks: inout [Remark]) -> PlacedValue? {
    var events = XMLEvents(text)
    var builder = PlacedValueBuilder()
    var scalar: (name: String, start: Int, text: String)?
    while let event = events.next() {
      switch event {
      case .comment:
        if let remark = Remark(events.range, in: text) { remarks.append(remark) }
      case .text(let words): scalar?.text += words
      case .open("plist", _, _), .close("plist"): break
      case .open(let name, _, let isEmpty):
        let isArray = name == "array"
        if isArray || name == "dict" {
          guard builder.begin(array: isArray, at: events.range) else { return nil }
          if isEmpty, !builder.end(array: isArray) { return nil }
        } else {
          scalar = (name, events.range.lowerBound, "")
          if isEmpty { builder.end(&scalar, at: events.range.upperBound) }
        }
      case .close(let name):
        if ["dict", "array"].contains(name) {
          guard builder.end(array: name == "array") else { return nil }
        } else {
          guard scalar?.name == name else { return nil }
          builder.end(&scalar, at: events.range.upperBound)
        }
      }
    }
    return builder.isOpen || scalar != nil ? nil : builder.root
  }
}

extension PlacedValueBuilder {
  /// Files the text of an element as a key or as a value.
  fileprivate mutating func end(
    _ scalar: inout (name: String, start: Int, text: String)?, at end: Int
  ) {
    guard let ended = scalar else { return }
    scalar = nil
    let range = ended.start..<end
    switch ended.name {
    case "key": setKey(ended.text, range)
    case "string": add(.string(ended.text), at: range)
    case "true", "false": add(.other(ended.name), at: range)
    default: add(.other(ended.text), at: range)
    }
  }
}
