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

  /// The blocks that are open, the outermost first.
  private struct Blocks {
    private enum Block {
      case target, definition, other
    }
    /// Blocks deeper than this are counted, and their names not kept: no Podfile has them.
    private static let deepest = 256
    private var open: [Block] = []
    private(set) var targets: [String] = []
    private var definitions: [String] = []

    /// The method that is being defined.
    var definition: String? { definitions.last }

    mutating func beginTarget(_ name: String) {
      guard targets.count < Self.deepest else { return begin() }
      targets.append(name)
      open.append(.target)
    }

    mutating func beginDefinition(_ name: String) {
      definitions.append(name)
      open.append(.definition)
    }

    mutating func begin() { open.append(.other) }

    mutating func end() {
      switch open.popLast() {
      case .target: targets.removeLast()
      case .definition: definitions.removeLast()
      case .other, nil: break
      }
    }
  }

  /// So many pods a Podfile gives in all: a method with a thousand pods can be called a thousand times.
  private static let mostPods = 100_000

  package init(_ text: FileText) {
    lines = DependencyLines(text)
    var blocks = Blocks()
    var shared: [String: [Pod]] = [:]
    for line in lines.lines {
      read(line, &blocks, &shared)
    }
    // Pods of a method that is never called by name count too.
    pods += shared.values.flatMap { $0 }
    pods.sort { $0.nameRange.lowerBound < $1.nameRange.lowerBound }
  }

  private mutating func read(
    _ line: DependencyLines.Line, _ blocks: inout Blocks, _ shared: inout [String: [Pod]]
  ) {
    let targets = blocks.targets
    let names = line.pieces.map(\.text)
    switch line.keyword {
    case "pod",
      _ where line.keyword.hasSuffix(".dependency"):
      guard let name = line.quoted.first else { return }
      let pod = Pod(name: name.text, targets: targets, nameRange: name.range, line: line)
      if let method = blocks.definition {
        shared[method, default: []].append(pod)
      } else {
        pods.append(pod)
      }
    case "platform":
      guard names.count > 2 else { return }
      platforms.append((String(names[1].drop { $0 == ":" }), names[2], line.range))
    case "target", "abstract_target":
      blocks.beginTarget(line.quoted.first?.text ?? names.dropFirst().first ?? "")
    case "def": blocks.beginDefinition(names.dropFirst().first ?? "")
    case "if", "unless", "case", "begin", "while", "until", "for": blocks.begin()
    case "end": blocks.end()
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
      if names.contains("do") { blocks.begin() }
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
