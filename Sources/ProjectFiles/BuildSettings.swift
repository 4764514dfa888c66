// SPDX-License-Identifier: MIT

package struct PlacedText: Sendable, Hashable {
  package var value: String
  package var span: TextSpan
}

/// The build settings of a configuration or of an xcconfig file by their names. Several values are joined by
/// blanks.
package typealias BuildSettings = [String: PlacedText]

extension BuildSettings {
  /// The settings of a dictionary in a project file.
  init(_ value: PlacedValue?, in text: FileText) {
    self.init()
    for entry in value?.entries ?? [] where self[entry.key] == nil {
      let range = entry.keyRange.lowerBound..<entry.value.range.upperBound
      self[entry.key] = text.placed(entry.value.strings.joined(separator: " "), range)
    }
  }

  /// The settings of an xcconfig file, and the files that it includes, as they are named.
  package static func xcconfig(_ text: FileText) -> (BuildSettings, [String]) {
    var result: BuildSettings = [:]
    var includes: [String] = []
    for range in text.lines {
      let line = text.bytes[range]
      let comment = line.end(of: Array("//".utf8)).map { $0 - 2 } ?? line.endIndex
      let trimmed = text.string(range.lowerBound..<comment)[...].trimmed
      if trimmed.hasPrefix("#include") {
        includes.append(String(trimmed.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }))
      } else if let equal = trimmed.firstIndex(of: "=") {
        let name = trimmed[..<equal].trimmed
        let value = trimmed[trimmed.index(after: equal)...].trimmed
        guard !name.isEmpty, !name.contains("[") else { continue }
        result[String(name)] = text.placed(String(value), range.trimmed(in: text.bytes))
      }
    }
    return (result, includes)
  }
}

extension Substring {
  var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

extension Range<Int> {
  func trimmed(in bytes: [UInt8]) -> Range<Int> {
    var low = lowerBound
    var high = upperBound
    while low < high, bytes[low] <= 0x20 { low += 1 }
    while high > low, bytes[high - 1] <= 0x20 { high -= 1 }
    return low..<high
  }
}
