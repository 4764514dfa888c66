// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

extension MaskedReport {
  /// The report as JSON: keys sorted, the same bytes for the same report.
  package func json() -> String {
    var text = ""
    writeJSON { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  /// Hands over the report as JSON piece by piece, since all rows together are as large as their cache.
  func writeJSON(to sink: ([UInt8]) throws -> Void) rethrows {
    var writer = JSONWriter()
    func handOver(_ writer: inout JSONWriter) throws {
      writer.makeHarmless(from: 0)
      try sink(writer.bytes)
      writer.removeAll()
    }
    try writer.write(tree(), .lines, depth: 0) { writer in
      if writer.count >= Self.pieceSize { try handOver(&writer) }
    }
    writer.write(verbatim: "\n")
    try handOver(&writer)
  }

  /// How many bytes are worth a call of the system.
  private static let pieceSize = 1 << 16
}

/// How the JSON of a report is laid out.
package enum ReportLayout: Sendable {
  /// All on one line.
  case line
  /// Each value on a line, as Foundation's encoder lays it out: reports have looked like that from the first.
  case lines
}

extension JSONWriter {
  /// Writes a report, with keys in the order of their bytes. What a terminal or a build log could act on is an
  /// escape.
  package mutating func write(
    _ report: MaskedReport, _ detail: ReportDetail, _ layout: ReportLayout = .line
  ) {
    let start = count
    write(report.tree(detail), layout, depth: 0) { _ in }
    makeHarmless(from: start)
  }

  /// Makes an escape of what a terminal or a build log could act on, in all that begins at `start`.
  fileprivate mutating func makeHarmless(from start: Int) {
    // A terminal acts on what is no ASCII and on DEL, a build log on pairs of these; other control
    // characters are escapes already.
    let isHarmless = withBytes(from: start) {
      $0.isPlain(withoutPairsOf: UInt8(ascii: ":"), UInt8(ascii: "#"))
    }
    if isHarmless { return }
    let text = withBytes(from: start) { String(decoding: $0, as: UTF8.self) }
    removeAll(after: start)
    write(verbatim: Array(JSONText.harmless(text).utf8))
  }
}

extension JSONWriter {
  /// - Parameter afterRow: what is done after each of many values; it may take what is written away.
  fileprivate mutating func write(
    _ node: ReportNode, _ layout: ReportLayout, depth: Int,
    afterRow: (inout JSONWriter) throws -> Void
  ) rethrows {
    switch node {
    case .text(let text): write(text)
    case .number(let number): write(.integer(Int64(number)))
    case .flag(let flag): write(.bool(flag))
    case .list(let elements):
      write(character: "[")
      for (position, element) in elements.enumerated() {
        if position > 0 { write(character: ",") }
        breakLine(layout, depth + 1)
        try write(element, layout, depth: depth + 1, afterRow: afterRow)
      }
      end("]", layout, depth, isEmpty: elements.isEmpty)
    case .each(let count, let element):
      write(character: "[")
      for position in 0..<count {
        if position > 0 { write(character: ",") }
        breakLine(layout, depth + 1)
        try write(element(position), layout, depth: depth + 1, afterRow: afterRow)
        try afterRow(&self)
      }
      end("]", layout, depth, isEmpty: count == 0)
    case .object(let members):
      write(character: "{")
      var isFirst = true
      for case (let name, let value?) in members {
        if !isFirst { write(character: ",") }
        breakLine(layout, depth + 1)
        write(name: name)
        if layout == .line { write(character: ":") } else { write(verbatim: " : ") }
        try write(value, layout, depth: depth + 1, afterRow: afterRow)
        isFirst = false
      }
      end("}", layout, depth, isEmpty: isFirst)
    }
  }

  private mutating func end(
    _ bracket: Unicode.Scalar, _ layout: ReportLayout, _ depth: Int, isEmpty: Bool
  ) {
    // Foundation leaves a line free in what is empty.
    if isEmpty, layout == .lines { write(character: "\n") }
    breakLine(layout, depth)
    write(character: bracket)
  }

  private mutating func breakLine(_ layout: ReportLayout, _ depth: Int) {
    guard layout == .lines else { return }
    breakLine(indentation: 2 * depth)
  }
}
