// SPDX-License-Identifier: MIT

/// A value that stands in a file.
package struct PlacedText: Sendable, Hashable {
  package var value: String
  /// The path of the file.
  package var file: String
  package var span: TextSpan

  package init(value: String, file: String, span: TextSpan) {
    self.value = value
    self.file = file
    self.span = span
  }
}

/// The build settings of a configuration or of an xcconfig file by their names. Several values are joined by
/// blanks.
package typealias BuildSettings = [String: PlacedText]

extension BuildSettings {
  /// The settings of a dictionary in a project file.
  init(_ value: PlacedValue?, file: String, text: FileText) {
    self.init()
    for entry in value?.entries ?? [] where self[entry.key] == nil {
      let range = entry.keyRange.lowerBound..<entry.value.range.upperBound
      self[entry.key] = PlacedText(
        value: entry.value.strings.joined(separator: " "), file: file, span: text.span(range))
    }
  }

  /// The settings of an xcconfig file, and the files that it includes, as they are named.
  package static func xcconfig(_ text: FileText, file: String) -> (BuildSettings, [String]) {
    var result: BuildSettings = [:]
    var includes: [String] = []
    for number in stride(from: 1, through: text.lineCount, by: 1) {
      let range = text.lineRange(number)
      var line = text.string(range)[...]
      if let comment = line.firstIndex(ofPair: "/") { line = line[..<comment] }
      let trimmed = line.trimmed
      if trimmed.hasPrefix("#include") {
        includes.append(String(trimmed.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }))
      } else if let equal = trimmed.firstIndex(of: "=") {
        let name = trimmed[..<equal].trimmed
        let value = trimmed[trimmed.index(after: equal)...].trimmed
        guard !name.isEmpty, !name.contains("[") else { continue }
        result[String(name)] = PlacedText(
          value: String(value), file: file, span: text.span(range.trimmed(in: text.bytes)))
      }
    }
    return (result, includes)
  }
}

extension Substring {
  /// Without white space around it.
  var trimmed: Substring {
    var text = self
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  /// Where a character stands twice in a row.
  fileprivate func firstIndex(ofPair character: Character) -> Index? {
    var previous: Character?
    for index in indices {
      if self[index] == character, previous == character { return self.index(before: index) }
      previous = self[index]
    }
    return nil
  }
}

extension Range<Int> {
  /// Without the blanks and line breaks around it.
  func trimmed(in bytes: [UInt8]) -> Range<Int> {
    var low = lowerBound
    var high = upperBound
    while low < high, bytes[low] <= 0x20 { low += 1 }
    while high > low, bytes[high - 1] <= 0x20 { high -= 1 }
    return low..<high
  }
}
