// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

extension JSONWriter {
  /// Writes a report on one line, with keys in the order of their bytes. As in every report, what a terminal
  /// or a build log could act on is an escape.
  package mutating func write(_ report: MaskedReport, _ detail: ReportDetail) {
    let start = bytes.count
    write(report.tree(detail))
    guard bytes[start...].mayAct else { return }
    let text = JSONText.harmless(String(decoding: bytes[start...], as: UTF8.self))
    removeAll(after: start)
    write(verbatim: text.utf8)
  }

  private mutating func write(_ node: ReportNode) {
    switch node {
    case .text(let text): write(text)
    case .number(let number): write(.integer(Int64(number)))
    case .flag(let flag): write(.bool(flag))
    case .list(let elements):
      write(verbatim: "[")
      for (position, element) in elements.enumerated() {
        if position > 0 { write(verbatim: ",") }
        write(element)
      }
      write(verbatim: "]")
    case .object(let members):
      write(verbatim: "{")
      var isFirst = true
      for case (let name, let value?) in members {
        write(verbatim: isFirst ? "\"" : ",\"")
        write(verbatim: name)
        write(verbatim: "\":")
        write(value)
        isFirst = false
      }
      write(verbatim: "}")
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether a terminal or a build log might act on something in this JSON text.
  fileprivate var mayAct: Bool {
    withUnsafeBufferPointer { bytes in
      var previous: UInt8 = 0
      for byte in bytes {
        let isCommand =
          byte == previous && (byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#"))
        if byte >= 0x7F || isCommand { return true }
        previous = byte
      }
      return false
    }
  }
}
