// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// SECURITY.md names tests for its promises: each is there.
@Suite struct SecurityPromiseTests {
  private static let folders = ["Tests", "Samples/Fleet/tests", "scripts", "Sources"]

  /// The text of every Swift and Python test, and the paths of all files.
  private static func sources() throws -> (text: String, paths: [String]) {
    var text = ""
    var paths: [String] = []
    for folder in folders {
      let root = "\(SourceFile.root)/\(folder)"
      let found = FileManager.default.enumerator(atPath: root)
      while let path = found?.nextObject() as? String {
        paths.append("\(folder)/\(path)")
        guard path.hasSuffix(".swift") || path.hasSuffix(".py"), folder != "Sources" else {
          continue
        }
        text += try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      }
    }
    return (text, paths)
  }

  @Test func everyTestIsThere() throws {
    let page = try String(contentsOfFile: "\(SourceFile.root)/SECURITY.md", encoding: .utf8)
    let promises = page.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| promise")
    }
    #expect(promises.count >= 20)
    let (text, paths) = try Self.sources()
    var count = 0
    for promise in promises {
      let tests = try #require(
        promise.split(separator: "|").last { !$0.allSatisfy(\.isWhitespace) })
      for name in tests.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter({ !$0.offset.isMultiple(of: 2) }).map({ String($0.element) })
      {
        for part in name.components(separatedBy: "::") {
          count += 1
          let isThere =
            text.hasBytes(of: "struct \(part) ") || text.hasBytes(of: "def \(part)(")
            || paths.contains { $0 == part || $0.hasSuffix("/\(part)") || $0.hasPrefix("\(part)/") }
            || text.hasBytes(of: "case \(part)\n")
          #expect(isThere, "\(part)")
        }
      }
    }
    #expect(count >= 30)
  }
}
