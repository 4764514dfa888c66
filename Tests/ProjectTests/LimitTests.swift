// SPDX-License-Identifier: MIT
import CacheJSON
import Foundation
import KeyedArchive
import Testing

@testable import CacheFiles

/// REFERENCE.md's table of limits, and the limits that one room takes over from another.
@Suite struct LimitTests {
  @Test func archivesAreRefusedBySizeBeforeTheyAreRead() {
    #expect(CacheFile.largestArchive == Limits().size)
  }

  @Test func everyLimitIsInTheReference() throws {
    let text = try String(contentsOfFile: "\(SourceFile.root)/REFERENCE.md", encoding: .utf8)
    let start = try #require(text.range(of: "\n## Limits\n"))
    let section = text[start.upperBound...].prefix { $0 != "#" }
    let limits = Limits()
    func grouped(_ number: Int) -> String {
      var text = String(number)
      for place in stride(from: text.count - 3, to: 0, by: -3) {
        text.insert(",", at: text.index(text.startIndex, offsetBy: place))
      }
      return text
    }
    for words in [
      "| \(CacheFile.largest >> 30) GiB |",
      "| \(limits.size >> 20) MiB, \(grouped(limits.objects)) objects, \(limits.depth) levels |",
      "| \(Database.largestValue >> 20) MiB |", "| \(JSONScanner.depthLimit) levels |",
      "| \(grouped(ItemPlaces.shortItemLimit)) items, "
        + "\(grouped(JSONValue.shortValueLimit)) values;",
    ] {
      #expect(section.contains(words), "\(words)")
    }
  }
}
