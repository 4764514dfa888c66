// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectFiles

@Suite struct FileTextTests {
  @Test func everyLineBreakCounts() {
    let text = FileText("a\nb\r\nc\rd")
    #expect(text.lines.count == 4)
    #expect(text.position(at: 7) == TextPosition(line: 4, column: 1))
    #expect(text.string(text.lines[1]) == "b\r\n")
  }

  @Test func columnsCountCodePoints() {
    let text = FileText("é😀x")
    #expect(text.position(at: 6) == TextPosition(line: 1, column: 3))
    #expect(text.position(at: 99) == TextPosition(line: 1, column: 4))
  }

  @Test func everyEncodingIsRead() {
    #expect(FileText([0xEF, 0xBB, 0xBF, 0x61]).string(0..<9) == "a")
    #expect(FileText([0xFF, 0xFE, 0x61, 0, 0xE9, 0]).string(0..<9) == "aé")
    #expect(FileText([0xFE, 0xFF, 0, 0x61]).string(0..<9) == "a")
    #expect(FileText([0x61, 0xE9]).string(0..<9) == "aé")
  }

  @Test func columnsOnLinesOfMegabytesAreFound() {
    let text = FileText(String(repeating: "é", count: 100_000))
    #expect(text.position(at: 150_000) == TextPosition(line: 1, column: 75_001))
  }
}
