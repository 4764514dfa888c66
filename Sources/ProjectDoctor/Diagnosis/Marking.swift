// SPDX-License-Identifier: MIT
import ProjectFiles

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Marks hits: their fingerprints, and which of them comments and the baseline take out.
struct Marking {
  private(set) var hits: [Hit]
  let reading: ProjectReading
  /// Suppressions without effect.
  private(set) var idle: [ProjectDiagnosis.Place] = []
  /// How many entries of the baseline do not occur.
  private(set) var stale = 0

  init(hits: [Hit], reading: ProjectReading) {
    self.hits = hits
    self.reading = reading
  }

  mutating func run(_ access: some FolderAccess, _ baseline: Baseline?) {
    hits.sort { $0.place.file < $1.place.file }
    fingerprint(access)
    suppress()
    guard let baseline else { return }
    var seen: Set<Baseline.Entry> = []
    for index in hits.indices {
      let place = hits[index].place
      let entry = Baseline.Entry(
        rule: hits[index].check.id, file: place.file, fingerprint: place.fingerprint)
      if baseline.entries.contains(entry) {
        hits[index].place.isBaselined = true
        seen.insert(entry)
      }
    }
    stale = baseline.entries.count - seen.count
  }

  // Fingerprints

  private mutating func fingerprint(_ access: some FolderAccess) {
    var current: (file: String, lines: FileLines)?
    for index in hits.indices {
      let place = hits[index].place
      if current?.file != place.file {
        let kind = place.span == nil ? nil : ProjectFileKind(path: place.file)
        let bytes = kind.flatMap { _ in try? access.bytes(of: place.file, atMost: 64 << 20) }
        current = (place.file, FileLines(FileText(bytes ?? [])))
      }
      let line = place.span.map { $0.start.line } ?? 0
      let (words, ordinal) = current?.lines.key(line) ?? ([], 0)
      var identity = Array("\(hits[index].check.id)\n\(place.file)\n".utf8) + words
      // A cache has no lines; there the name tells the place.
      if place.span == nil { identity += Array((place.symbol ?? "").utf8) }
      identity += Array("\n\(ordinal)".utf8)
      hits[index].place.fingerprint = Self.digest(identity)
    }
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).prefix(16)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // Suppression

  /// A comment that takes findings of a rule out.
  private struct Suppression {
    var check: Check?
    var reason: String
    var line: Int
    var place: ProjectDiagnosis.Place
    var hasEffect = false
  }

  private mutating func suppress() {
    var byFile: [String: [Suppression]] = [:]
    for (file, remarks) in reading.remarks {
      byFile[file] = remarks.map { Self.suppression($0, file) }
    }
    var byLine: [String: [Int: [Int]]] = [:]
    for (file, list) in byFile {
      for (index, suppression) in list.enumerated() {
        byLine[file, default: [:]][suppression.line, default: []].append(index)
      }
    }
    for index in hits.indices {
      let place = hits[index].place
      guard let line = place.span?.start.line, let candidates = byLine[place.file]?[line] else {
        continue
      }
      for candidate in candidates where byFile[place.file]?[candidate].check == hits[index].check {
        hits[index].place.isSuppressed = true
        hits[index].place.justification = byFile[place.file]?[candidate].reason
        byFile[place.file]?[candidate].hasEffect = true
      }
    }
    idle = byFile.values.flatMap { $0 }.filter { !$0.hasEffect }.map(\.place)
      .sorted { $0.isBefore($1) }
  }

  /// Rule and reason are required; without them a comment has no effect.
  private static func suppression(_ remark: Remark, _ file: String) -> Suppression {
    let words = remark.words.split(whereSeparator: \.isWhitespace)
    let reason = words.dropFirst().joined(separator: " ")
    let check = words.first.flatMap { Check(rawValue: String($0)) }
    return Suppression(
      check: reason.isEmpty ? nil : check, reason: reason,
      line: remark.isAlone ? remark.span.end.line + 1 : remark.line,
      place: ProjectDiagnosis.Place(file: file, span: remark.span))
  }
}

/// The lines of a file by what stands on them, and which of equal ones each is.
private struct FileLines {
  private let text: FileText
  private var ordinals: [Int] = []

  init(_ text: FileText) {
    self.text = text
    var seen: [[UInt8]: Int] = [:]
    for number in stride(from: 1, through: text.lineCount, by: 1) {
      let count = seen[words(number), default: 0]
      ordinals.append(count)
      seen[words(number)] = count + 1
    }
  }

  private func words(_ number: Int) -> [UInt8] {
    text.bytes[text.lineRange(number)].filter { $0 > 0x20 }
  }

  /// A line without white space, and which of equal lines it is.
  func key(_ number: Int) -> ([UInt8], Int) {
    guard number >= 1, number <= ordinals.count else { return ([], 0) }
    return (words(number), ordinals[number - 1])
  }
}
