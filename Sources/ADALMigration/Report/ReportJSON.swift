// SPDX-License-Identifier: MIT
import CacheJSON

extension MaskedReport {
  /// The report as JSON (`Schemas/report.schema.json`): keys sorted, the same bytes for the same report.
  public func json() -> String {
    var text = ""
    writeJSON { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  /// Hands over the report as JSON piece by piece, since all rows together are as large as their cache.
  package func writeJSON(to sink: ([UInt8]) throws -> Void) rethrows {
    try withoutActuallyEscaping(sink) { sink in
      var json = ReportJSON(.lines) { try sink($0) }
      write(to: &json)
      json.writer.write(verbatim: "\n")
      json.handOver()
      if let failure = json.failure { throw failure }
    }
  }
}

/// The layout of a report's JSON.
package enum ReportLayout: Sendable {
  /// All on one line.
  case line
  /// Each value on a line, as Foundation's encoder lays it out: reports have looked like that from the first.
  case lines
}

extension JSONWriter {
  /// Writes a report, with keys in byte order. Characters that a terminal or a build log could act on are escaped.
  package mutating func write(
    _ report: MaskedReport, _ detail: ReportDetail, _ layout: ReportLayout = .line
  ) {
    let start = count
    var json = ReportJSON(layout, self)
    self = JSONWriter()
    report.write(to: &json, detail)
    self = json.writer
    makeHarmless(from: start)
  }

  /// Escapes all characters from `start` on that a terminal or a build log could act on.
  fileprivate mutating func makeHarmless(from start: Int) {
    // A terminal acts on non-ASCII characters and on DEL, a build log on pairs of these two. Other control characters
    // are escaped already.
    let isHarmless = withBytes(from: start) {
      $0.isPlain(withoutPairsOf: UInt8(ascii: ":"), UInt8(ascii: "#"))
    }
    if isHarmless { return }
    let text = withBytes(from: start) { String(decoding: $0, as: UTF8.self) }
    removeAll(after: start)
    write(verbatim: Array(JSONText.harmless(text).utf8))
  }
}

/// Writes JSON text. The caller names the values, and the writer knows their spelling. The names of an object must come
/// in byte order.
struct ReportJSON {
  fileprivate var writer: JSONWriter
  /// The error of passing on a piece. After it the writer writes no more.
  private(set) var failure: (any Error)?
  private let layout: ReportLayout
  /// Takes the text that is written so far; nil when the caller takes the whole text.
  private let sink: (([UInt8]) throws -> Void)?
  private var depth = 0
  /// Whether the open object or list is still empty.
  private var isEmpty = true
  private var isNamed = false

  /// The number of bytes that are worth a system call.
  private static let pieceSize = 1 << 16

  fileprivate init(
    _ layout: ReportLayout, _ writer: JSONWriter = JSONWriter(),
    to sink: (([UInt8]) throws -> Void)? = nil
  ) {
    self.layout = layout
    self.writer = writer
    self.sink = sink
  }

  fileprivate mutating func handOver() {
    guard failure == nil, let sink else { return }
    writer.makeHarmless(from: 0)
    do { try sink(writer.bytes) } catch { failure = error }
    writer.removeAll()
  }

  /// Ends a row or a file. Another one or the end follows.
  mutating func endRow() {
    if sink != nil, writer.count >= Self.pieceSize { handOver() }
  }

  mutating func write(_ text: String) {
    begin()
    writer.write(text)
  }

  mutating func write(_ number: Int) {
    begin()
    writer.write(.integer(Int64(number)))
  }

  mutating func write(_ flag: Bool) {
    begin()
    writer.write(.bool(flag))
  }

  /// The name of the member that is written next.
  mutating func write(name: StaticString) {
    begin()
    writer.write(name: name)
    if layout == .line { writer.write(character: ":") } else { writer.write(verbatim: " : ") }
    isNamed = true
  }

  /// An object of the members that `members` writes.
  mutating func writeObject(_ members: (inout ReportJSON) -> Void) {
    bracket("{", "}") { members(&$0) }
  }

  /// Writes a list of `count` elements, each with `element`.
  mutating func writeList(_ count: Int, _ element: (inout ReportJSON, Int) -> Void) {
    bracket("[", "]") { json in
      for position in 0..<count where json.failure == nil { element(&json, position) }
    }
  }

  private mutating func bracket(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout ReportJSON) -> Void
  ) {
    begin()
    writer.write(character: open)
    isEmpty = true
    depth += 1
    body(&self)
    depth -= 1
    // Foundation writes an empty line into empty lists and objects.
    if isEmpty, layout == .lines { writer.write(character: "\n") }
    breakLine()
    writer.write(character: close)
    isEmpty = false
  }

  /// Writes the comma, the line break and the indent before a name or a value.
  private mutating func begin() {
    if isNamed {
      isNamed = false
    } else if depth > 0 {
      if !isEmpty { writer.write(character: ",") }
      breakLine()
    }
    isEmpty = false
  }

  private mutating func breakLine() {
    guard layout == .lines else { return }
    writer.breakLine(indentation: 2 * depth)
  }
}
