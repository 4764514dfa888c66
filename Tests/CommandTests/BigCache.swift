// SPDX-License-Identifier: MIT
import Foundation

/// A cache that takes a while: the sample of an iOS device in many access groups.
enum BigCache {
  /// Writes `source.items.json`, with as many groups.
  static func write(groups: Int, into workshop: Workshop) throws {
    let sample = Project.root + "/Samples/Caches/contoso.items.json"
    let text = try String(contentsOfFile: sample, encoding: .utf8)
    guard let start = text.firstIndex(of: "["), let end = text.lastIndex(of: "]") else {
      throw ScriptError("\(sample) has no list of items")
    }
    let items = text[text.index(after: start)..<end]
    let copies = (0..<groups).map { number in
      items.replacingOccurrences(
        of: "ABCDE12345", with: String(format: "TEAM%06d", number))
    }
    let all = text[...start] + copies.joined(separator: ",") + text[end...]
    try all.write(
      toFile: workshop.path + "/source.items.json", atomically: false, encoding: .utf8)
  }
}
