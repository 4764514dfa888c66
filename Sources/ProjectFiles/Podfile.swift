// SPDX-License-Identifier: MIT

/// What a Podfile or a podspec says, read as text.
package struct Podfile: Sendable {
  /// A `pod` line.
  package struct Pod: Sendable {
    /// The name with its subspec.
    package var name: String
    /// The targets that it is for, the outermost first; empty outside of all.
    package var targets: [String]
    package var nameRange: Range<Int>
    package var line: DependencyLines.Line

    /// The name without its subspec.
    package var root: String { String(name.prefix { $0 != "/" }) }
    /// The version that is asked for, where it is written as a string.
    package var requirement: String? {
      let after = line.pieces.drop { $0.range.lowerBound <= nameRange.lowerBound }
      guard let next = after.first, next.isQuoted else { return nil }
      return next.text
    }
  }

  package let lines: DependencyLines
  package private(set) var pods: [Pod] = []
  /// The `platform` lines.
  package private(set) var platforms: [(name: String, version: String, range: Range<Int>)] = []

  /// What holds inside of a block: its targets, the outermost first, and the method that is being defined.
  private typealias Block = (targets: [String], definition: String?)

  /// Targets deeper than this do not count: no Podfile has them.
  private static let deepest = 256
  /// So many pods a Podfile gives in all: a method with a thousand pods can be called a thousand times.
  private static let mostPods = 100_000

  package init(_ text: FileText) {
    lines = DependencyLines(text)
    var blocks: [Block] = []
    var shared: [String: [Pod]] = [:]
    for line in lines.lines {
      read(line, &blocks, &shared)
    }
    // Pods of a method that is never called by name count too.
    pods += shared.values.flatMap { $0 }
    pods.sort { $0.nameRange.lowerBound < $1.nameRange.lowerBound }
  }

  private mutating func read(
    _ line: DependencyLines.Line, _ blocks: inout [Block], _ shared: inout [String: [Pod]]
  ) {
    let (targets, definition) = blocks.last ?? ([], nil)
    let names = line.pieces.map(\.text)
    switch line.keyword {
    case "pod",
      _ where line.keyword.hasSuffix(".dependency"):
      guard let name = line.quoted.first else { return }
      let pod = Pod(name: name.text, targets: targets, nameRange: name.range, line: line)
      if let method = definition {
        shared[method, default: []].append(pod)
      } else {
        pods.append(pod)
      }
    case "platform":
      guard names.count > 2 else { return }
      platforms.append((String(names[1].drop { $0 == ":" }), names[2], line.range))
    case "target", "abstract_target":
      let name = line.quoted.first?.text ?? names.dropFirst().first ?? ""
      let inner = targets.count < Self.deepest ? targets + [name] : targets
      blocks.append((inner, definition))
    case "def": blocks.append((targets, names.dropFirst().first ?? ""))
    case "if", "unless", "case", "begin", "while", "until", "for":
      blocks.append((targets, definition))
    case "end": _ = blocks.popLast()
    default:
      // A method's name alone puts its pods into the target.
      if let pods = shared[line.keyword], line.pieces.count == 1,
        self.pods.count + pods.count <= Self.mostPods
      {
        for var pod in pods where !targets.isEmpty {
          pod.targets = targets
          self.pods.append(pod)
        }
      }
      if names.contains("do") { blocks.append((targets, definition)) }
    }
  }
}

/// What a Podfile.lock says: CocoaPods writes it in a fixed layout.
package struct PodfileLock: Sendable {
  /// A pod in the list, and what it depends on.
  package struct Pod: Sendable {
    package var name: String
    package var version: String
    package var range: Range<Int>
    package var dependencies: [(name: String, range: Range<Int>)]
  }

  package let text: FileText
  package private(set) var pods: [Pod] = []

  package init(_ text: FileText) {
    self.text = text
    var isInPods = false
    for number in stride(from: 1, through: text.lineCount, by: 1) {
      let range = text.lineRange(number)
      let line = text.string(range).filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
      if let first = line.first, first != " " {
        isInPods = line == "PODS:"
        continue
      }
      guard isInPods else { continue }
      let blanks = line.prefix { $0 == " " }.count
      let entry = line.dropFirst(blanks)
      guard entry.hasPrefix("- ") else { continue }
      let words = entry.dropFirst(2).filter { $0 != "\"" }
      let name = String(words.prefix { $0 != " " && $0 != ":" })
      let start = range.lowerBound + blanks + 2
      let place = start..<(start + name.utf8.count)
      if blanks == 2 {
        let version = words.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        pods.append(Pod(name: name, version: String(version), range: place, dependencies: []))
      } else if blanks == 4, !pods.isEmpty {
        pods[pods.count - 1].dependencies.append((name, place))
      }
    }
  }
}
