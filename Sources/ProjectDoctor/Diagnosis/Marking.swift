// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// Marks hits: their fingerprints, and which of them comments and the baseline take out.
struct Marking {
  private(set) var hits: [Hit]
  let reading: ProjectReading
  /// Suppressions without effect.
  private(set) var idle: [ProjectDiagnosis.Occurrence] = []
  /// How many entries of the baseline do not occur.
  private(set) var stale = 0

  init(hits: [Hit], reading: ProjectReading) {
    self.hits = hits
    self.reading = reading
  }

  mutating func run(_ access: some FolderAccess, _ baseline: Baseline?) {
    hits.sort { left, right in
      if left.place.isBefore(right.place) { return true }
      if right.place.isBefore(left.place) { return false }
      return (left.check.id, left.place.symbol ?? "", left.message)
        < (right.check.id, right.place.symbol ?? "", right.message)
    }
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

  /// What tells a place from others, but for which of equal ones it is.
  private struct Spot: Hashable {
    var check: Check
    var file: String
    /// Nil in a cache, which has no lines; there the name tells the place.
    var line: Int?
    var symbol: String?
  }

  private mutating func fingerprint(_ access: some FolderAccess) {
    var current: (file: String, lines: FileLines)?
    var seen: [Spot: Int] = [:]
    for index in hits.indices {
      let place = hits[index].place
      if current?.file != place.file {
        let kind = place.span == nil ? nil : ProjectFileKind(path: place.file)
        let bytes = kind.flatMap { _ in try? access.bytes(of: place.file, atMost: 64 << 20) }
        current = (place.file, FileLines(FileText(bytes ?? [])))
      }
      let check = hits[index].check
      let line = place.span?.start.line
      let spot = Spot(
        check: check, file: place.file, line: line, symbol: line == nil ? place.symbol : nil)
      // The same rule twice on a line: each is a place of its own.
      let repetition = seen[spot, default: 0]
      seen[spot] = repetition + 1
      let (words, ordinal) = current?.lines.key(line ?? 0) ?? ("", 0)
      let identity =
        "\(check.id)\n\(place.file)\n\(words)\(spot.symbol ?? "")\n\(ordinal)\n\(repetition)"
      hits[index].place.fingerprint = Self.digest(Array(identity.utf8))
    }
  }

  fileprivate static func digest(_ bytes: [UInt8]) -> String {
    String(TokenSecret(bytes).digest.prefix(32))
  }

  // Suppression

  /// A comment that takes findings of a rule out.
  private struct Suppression {
    var check: Check?
    var reason: String
    var line: Int
    var place: ProjectDiagnosis.Occurrence
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
    let check = words.first.flatMap { Check(id: String($0)) }
    return Suppression(
      check: reason.isEmpty ? nil : check, reason: reason,
      line: remark.isAlone ? remark.span.end.line + 1 : remark.line,
      place: ProjectDiagnosis.Occurrence(file: file, span: remark.span))
  }
}

/// The lines of a file by what stands on them, and which of equal ones each is.
private struct FileLines {
  /// The digest of each line without white space: a line can be megabytes, and have many places.
  private var digests: [String] = []
  private var ordinals: [Int] = []

  init(_ text: FileText) {
    var seen: [String: Int] = [:]
    for number in stride(from: 1, through: text.lineCount, by: 1) {
      let digest = Marking.digest(text.bytes[text.lineRange(number)].filter { $0 > 0x20 })
      let count = seen[digest, default: 0]
      digests.append(digest)
      ordinals.append(count)
      seen[digest] = count + 1
    }
  }

  /// A line by its digest, and which of equal lines it is.
  func key(_ number: Int) -> (String, Int) {
    guard number >= 1, number <= ordinals.count else { return ("", 0) }
    return (digests[number - 1], ordinals[number - 1])
  }
}
