// SPDX-License-Identifier: MIT

/// A property list in XML, or in OpenStep's form, with positions.
package struct PropertyListText: Sendable {
  package let text: FileText
  package let root: PlacedValue
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

  /// The value of a text in XML or in OpenStep's form; nil for another text.
  static func value(of text: FileText) -> PlacedValue? {
    var remarks: [Remark] = []
    let isXML = text.bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
    return isXML ? read(text, &remarks) : NestedText.read(text)
  }

  private static func read(_ text: FileText, _ remarks: inout [Remark]) -> PlacedValue? {
    var events = XMLEvents(text)
    var builder = PlacedValueBuilder()
    var scalar: (name: String, start: Int, text: String)?
    let containers: Set<String> = ["dict", "array"]
    while let event = events.next() {
      switch event {
      case .comment:
        if let remark = Remark(events.range, in: text) { remarks.append(remark) }
      case .text(let words): scalar?.text += words
      case .open("plist", _), .close("plist"): break
      case .open(let name, _) where containers.contains(name):
        guard builder.begin(array: name == "array", at: events.range) else { return nil }
      case .close(let name) where containers.contains(name):
        guard builder.end(array: name == "array") else { return nil }
      case .open(let name, _): scalar = (name, events.range.lowerBound, "")
      case .close(let name):
        guard let ended = scalar, ended.name == name else { return nil }
        scalar = nil
        builder.add(name, ended.text, at: ended.start..<events.range.upperBound)
      }
    }
    return builder.isOpen || scalar != nil ? nil : builder.root
  }
}

extension PlacedValueBuilder {
  /// Files the text of an element as a key or as a value.
  fileprivate mutating func add(_ element: String, _ text: String, at range: Range<Int>) {
    switch element {
    case "key": setKey(text, range)
    case "string": add(.string(text), at: range)
    case "true", "false": add(.other(element), at: range)
    default: add(.other(text), at: range)
    }
  }
}
