// SPDX-License-Identifier: MIT

/// A property list in XML, or in OpenStep's form, with positions.
package struct PropertyListText: Sendable {
  package let text: FileText
  package let root: PlacedValue
  /// Comments that are addressed to us.
  package let remarks: [Remark]

  /// Why a property list is not read.
  package enum Refusal: String, Error {
    case binary = "binary property list"
    case broken = "not a property list"
  }

  package init(_ raw: [UInt8]) throws(Refusal) {
    guard !raw.starts(with: Array("bplist".utf8)) else { throw .binary }
    text = FileText(raw)
    let first = text.bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "(") {
      guard let value = NestedText.read(text) else { throw .broken }
      root = value
      remarks = []
      return
    }
    var remarks: [Remark] = []
    guard let value = Self.read(text, &remarks) else { throw .broken }
    root = value
    self.remarks = remarks
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
    var scalar: (name: String, start: Range<Int>, text: String)?
    while let event = events.next() {
      switch event {
      case .comment:
        if let remark = Remark(events.range, in: text) { remarks.append(remark) }
      case .text(let words):
        scalar?.text += words
      case .open(let name, _, let isEmpty):
        switch name {
        case "plist": break
        case "dict", "array":
          guard builder.begin(array: name == "array", at: events.range) else { return nil }
          if isEmpty, !builder.end(array: name == "array") { return nil }
        default:
          scalar = (name, events.range, "")
          if isEmpty { close(&scalar, at: events.range, &builder) }
        }
      case .close(let name):
        switch name {
        case "plist": break
        case "dict", "array": guard builder.end(array: name == "array") else { return nil }
        default:
          guard scalar?.name == name else { return nil }
          close(&scalar, at: events.range, &builder)
        }
      }
    }
    return builder.isOpen || scalar != nil ? nil : builder.root
  }

  private static func close(
    _ scalar: inout (name: String, start: Range<Int>, text: String)?, at end: Range<Int>,
    _ builder: inout PlacedValueBuilder
  ) {
    guard let ended = scalar else { return }
    scalar = nil
    let range = ended.start.lowerBound..<end.upperBound
    switch ended.name {
    case "key": builder.setKey(ended.text, range)
    case "string": builder.add(PlacedValue(content: .string(ended.text), range: range))
    case "true", "false": builder.add(PlacedValue(content: .other(ended.name), range: range))
    default: builder.add(PlacedValue(content: .other(ended.text), range: range))
    }
  }
}
