// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// Fingerprints, and which findings comments and the baseline take out.
extension Examination {
  mutating func mark(_ access: some FolderAccess) {
    if let rules = doctor.rules { hits.removeAll { !rules.contains($0.check) } }
    hits.sort { left, right in
      if left.place.isBefore(right.place) { return true }
      if right.place.isBefore(left.place) { return false }
      return (left.check.code, left.place.symbol ?? "", left.finding.message)
        < (right.check.code, right.place.symbol ?? "", right.finding.message)
    }
    fingerprint(access)
    suppress()
    if let baseline = doctor.baseline {
      var seen: Set<Baseline.Entry> = []
      for index in hits.indices {
        let entry = Baseline.Entry(hits[index].check, hits[index].place)
        guard baseline.entries.contains(entry) else { continue }
        hits[index].place.isBaselined = true
        seen.insert(entry)
      }
      diagnosis.baselineStale = baseline.entries.count - seen.count
    }
    diagnosis.findings = grouped
  }

  // Fingerprints

  private mutating func fingerprint(_ access: some FolderAccess) {
    var current: (file: String, keys: [(words: String, ordinal: Int)]) = ("", [])
    var seen: [[String]: Int] = [:]
    for (index, hit) in hits.enumerated() {
      let file = hit.place.file
      if index == 0 || current.file != file { current = (file, Self.lines(of: hit.place, access)) }
      let line = hit.place.span?.start.line ?? 0
      // A cache has no lines; there the name tells the place.
      let symbol = line == 0 ? hit.place.symbol ?? "" : ""
      // The same rule twice on a line: each is a place of its own.
      let key = [hit.check.code, file, String(line), symbol]
      let repetition = seen[key, default: 0]
      seen[key] = repetition + 1
      let isThere = current.keys.indices.contains(line - 1)
      let (words, ordinal) = isThere ? current.keys[line - 1] : ("", 0)
      let identity = "\(hit.check.code)\n\(file)\n\(words)\(symbol)\n\(ordinal)\n\(repetition)"
      hits[index].place.fingerprint = Report.digest(identity, digits: 32)
    }
  }

  /// The lines of a file by the digest of each without white space, since a line can be megabytes and have many
  /// places, and by which of equal ones it is.
  private static func lines(of place: Occurrence, _ access: some FolderAccess) -> [(String, Int)] {
    let kind = place.span.flatMap { _ in ProjectFileKind(path: place.file) }
    let bytes = kind.flatMap { _ in try? access.bytes(of: place.file, atMost: 64 << 20) }
    let text = FileText(bytes ?? [])
    var seen: [String: Int] = [:]
    return text.lines.map { line in
      let words = String(decoding: text.bytes[line].filter { $0 > 0x20 }, as: UTF8.self)
      let digest = Report.digest(words, digits: 32)
      let count = seen[digest, default: 0]
      seen[digest] = count + 1
      return (digest, count)
    }
  }

  // Suppression

  private mutating func suppress() {
    let atLine = Dictionary(grouping: reading.remarks) { "\($0.suppressedLine) \($0.span.file)" }
    var effective: Set<TextSpan> = []
    for (index, hit) in hits.enumerated() {
      guard let line = hit.place.span?.start.line else { continue }
      for remark in atLine["\(line) \(hit.place.file)"] ?? [] {
        guard let (check, reason) = remark.suppression, check == hit.check else { continue }
        hits[index].place.justification = reason
        effective.insert(remark.span)
      }
    }
    guard doctor.rules == nil else { return }
    diagnosis.idleSuppressions = reading.remarks.map(\.span).filter { !effective.contains($0) }
      .map { Occurrence($0) }.sorted { $0.isBefore($1) }
  }

  // Findings

  /// Findings of hits: those in the same words are one, each place once.
  private var grouped: [Finding] {
    Dictionary(grouping: hits, by: \.finding).map { finding, hits in
      var finding = finding
      finding.places = hits.map(\.place)
      return finding
    }.sorted { left, right in
      if left.severity != right.severity { return left.severity > right.severity }
      if left.check != right.check { return left.check < right.check }
      return (left.message, left.becomes ?? "", left.remedy)
        < (right.message, right.becomes ?? "", right.remedy)
    }
  }
}

extension Remark {
  /// The rule whose findings it removes, and the reason. Both are required. Without them it has no effect.
  fileprivate var suppression: (check: Check, reason: String)? {
    let words = words.split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let check = words.first.flatMap({ Check(rawValue: String($0)) }) else {
      return nil
    }
    return (check, words.dropFirst().joined(separator: " "))
  }

  fileprivate var suppressedLine: Int { isAlone ? span.end.line + 1 : span.start.line }
}

extension Occurrence {
  /// Paths by their bytes, then lines, then columns.
  func isBefore(_ other: Self) -> Bool {
    if file != other.file { return RelativePath.isBefore(file, other.file) }
    guard let start = other.span?.start else { return false }
    return span.map { $0.start < start } ?? true
  }
}
