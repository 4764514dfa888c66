// SPDX-License-Identifier: MIT
import CacheJSON

/// A file that is part of the program, in its own language but for two marks: `name|` at the beginning of a line is the
/// condition for the line, and `{{name}}` stands for a value.
package enum Template {
  /// The lines with true conditions, with their values.
  package static func lines(
    of file: [UInt8], where conditions: [String: Bool] = [:], _ values: [String: String]
  ) -> [String] {
    let lines = String(decoding: file, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    // The empty text after the last line break is not a line.
    return lines.dropLast().compactMap { line in
      var line = line
      while let bar = line.firstIndex(of: "|"), let isMet = conditions[String(line[..<bar])] {
        guard isMet else { return nil }
        line = line[line.index(after: bar)...]
      }
      return filled(line, values)
    }
  }

  /// Values are not expanded. A mark inside a value is text.
  private static func filled(_ line: Substring, _ values: [String: String]) -> String {
    var text = ""
    var rest = line
    while let start = rest.firstRange(ofBytes: "{{"),
      let end = rest[start.upperBound...].firstRange(ofBytes: "}}")
    {
      text +=
        rest[..<start.lowerBound]
        + values[
          String(rest[start.upperBound..<end.lowerBound]), default: ""]
      rest = rest[end.upperBound...]
    }
    return text + rest
  }
}
