// SPDX-License-Identifier: MIT

/// The content of a Podfile or a podspec, read as text.
package struct Podfile: Sendable {
  package struct Pod: Sendable {
    /// The name with its subspec.
    package var name: String
    /// The targets that it is for, the outermost first; empty outside of all.
    package var targets: [String]
    package var line: DependencyLines.Line
    package var span: TextSpan

    fileprivate init?(_ line: DependencyLines.Line, _ targets: [String], _ text: FileText) {
      guard let name = line.quoted.first else { return nil }
      self.name = name.text
      self.targets = targets
      self.line = line
      span = text.span(name.range)
    }

    /// The version that is asked for, where it is written as a string.
    package var requirement: String? {
      let after = line.pieces.drop { !$0.isQuoted }.dropFirst().first
      return after.flatMap { $0.isQuoted ? $0.text : nil }
    }
  }

  package let lines: DependencyLines
  package var path: String { lines.text.path }
  package private(set) var pods: [Pod] = []
  package private(set) var platforms: [(name: String, version: String, span: TextSpan)] = []

  /// The context inside a block: its targets, the outermost first, and the method that it defines.
  private typealias Block = (targets: [String], definition: String?)

  /// Targets deeper than this do not count: no Podfile has them.
  private static let deepest = 256
  /// The most pods of a Podfile: a method with a thousand pods can be called a thousand times.
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
    pods.sort { $0.span.start < $1.span.start }
  }

  private mutating func read(
    _ line: DependencyLines.Line, _ blocks: inout [Block], _ shared: inout [String: [Pod]]
  ) {
    let (targets, definition) = blocks.last ?? ([], nil)
    let names = line.pieces.map(\.text)
    switch line.keyword {
    case let word where word == "pod" || word.hasSuffix(".dependency"):
      guard let pod = Pod(line, targets, lines.text) else { return }
      if let method = definition {
        shared[method, default: []].append(pod)
      } else {
        pods.append(pod)
      }
    case "platform":
      guard names.count > 2 else { return }
      platforms.append((String(names[1].drop { $0 == ":" }), names[2], lines.text.span(line.range)))
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

/// A pod in a Podfile.lock, with its dependencies.
package struct LockedPod: Sendable {
  package var name: String
  package var version: String
  package var span: TextSpan
  package var dependencies: [(name: String, span: TextSpan)] = []

  /// The pods of a file: CocoaPods writes it in a fixed layout.
  package static func all(in text: FileText) -> [LockedPod] {
    var pods: [LockedPod] = []
    var isInPods = false
    for range in text.lines {
      let line = text.string(range).filter { !["\n", "\r", "\r\n"].contains($0) }
      let blanks = line.prefix { $0 == " " }.count
      if blanks == 0, !line.isEmpty { isInPods = line == "PODS:" }
      let entry = line.dropFirst(blanks)
      guard isInPods, entry.hasPrefix("- ") else { continue }
      let words = entry.dropFirst(2).filter { $0 != "\"" }
      let name = String(words.prefix { $0 != " " && $0 != ":" })
      let start = range.lowerBound + blanks + 2
      let span = text.span(start..<(start + name.utf8.count))
      if blanks == 2 {
        let version = words.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        pods.append(LockedPod(name: name, version: String(version), span: span))
      } else if blanks == 4, !pods.isEmpty {
        pods[pods.count - 1].dependencies.append((name, span))
      }
    }
    return pods
  }
}
